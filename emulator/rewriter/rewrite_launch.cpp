#include "context.hpp"

namespace emulator_nvcc {

void rewrite_launch(Context& c, std::size_t open) {
  const Source& s = c.s;
  const auto close = close_launch(s, open);
  if (!close || s.closing(*close + 3) == kNoToken) {
    return c.error(open, "this launch has no closing \">>>\" followed by arguments in parentheses");
  }
  const std::size_t callee = postfix_begin(s, open);
  if (callee == open) return c.error(open, "there is no kernel before \"<<<\"");
  // A library's function for both sides may launch a kernel when it runs on the host.
  if (c.scope().device && !c.options.separate_compilation && !c.in_library(open)) {
    return c.error(open, "a kernel launch in device code needs separate compilation: -rdc=true");
  }

  const std::vector<Range> configuration = split_at_commas(s, {open + 3, *close});
  if (configuration.empty() || configuration.front().empty() || configuration.size() > 4)
    return c.error(open,
                   "a launch has 1 to 4 values in <<<...>>>: the grid, the block, bytes of dynamic "
                   "shared memory, the stream");

  const std::size_t last = open - 1;
  std::string kernel = c.edits.on_one_line(callee, last);
  const Token& from = s.tokens()[callee];
  const Token& to = s.tokens()[*close];
  if (from.line != to.line || from.file != to.file) {
    kernel = line_marker(s, callee) + kernel + line_marker(s, *close);
  }
  c.edits.erase(callee, last);
  c.edits.replace(callee, "(::emu::push_launch(");
  c.edits.erase(open, open + 2);
  c.edits.erase(*close, *close + 2);
  const bool has_block =
      // With a single value, a launch has one thread a block, as on an H200.
      configuration.size() > 1;
  c.edits.replace(*close, (has_block ? "), " : ", {}), ") + kernel);
  c.edits.insert_after(s.closing(*close + 3), c.scope().device ? ", ::emu::launched())" : ")");
}

}  // namespace emulator_nvcc
