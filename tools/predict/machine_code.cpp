#include "tools/predict/machine_code.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "tools/support/pattern.hpp"

namespace predict {
namespace {

bool is_called(const Instruction& instruction, std::string_view name) {
  return instruction.operation == name;
}

std::ptrdiff_t count(std::span<const Instruction> instructions, std::string_view name) {
  return std::ranges::count_if(instructions,
                               [&](const Instruction& i) { return is_called(i, name); });
}

/// Parses the instruction of a line, if there is one.
std::optional<Instruction> instruction_in(const std::string& line) {
  static const tools::Pattern kLine(
      R"(/\*([0-9a-f]+)\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_]+)\.?([\w.]*)\s*([^;]*);)");
  const tools::Match match = kLine.search(line);
  if (!match) return std::nullopt;
  Instruction instruction;
  instruction.address = std::stoull(match.str(1), nullptr, 16);
  instruction.operation = match[2];
  instruction.modifiers = match[3];
  std::string operand;
  for (const char c : match.str(4) + ",") {
    if (c != ',') {
      if (c != ' ') operand += c;
    } else if (!operand.empty()) {
      instruction.operands.push_back(operand);
      operand.clear();
    }
  }
  return instruction;
}

/// A register that an instruction reads.
struct Read {
  int number = 0;
  bool is_kept = false;  ///< marked for reuse
};

std::optional<Read> read_of(const std::string& operand) {
  static const tools::Pattern kRegister(R"(-?\|?R(\d+)\|?(\.reuse)?.*)");
  const tools::Match match = kRegister.matches(operand);
  if (!match) return std::nullopt;
  return Read{std::stoi(match.str(1)), match.has(2)};
}

constexpr std::size_t kOperands = 3;  // operands of an FFMA
constexpr std::size_t kWindow = 4;    // instructions over which the load of the banks evens out

/// Operands that instructions fetch from the two register banks, instruction by instruction.
class Banks {
 public:
  std::array<int, 2> fetches(const Instruction& instruction) {
    std::array<int, 2> fetched{};
    std::array<std::optional<int>, kOperands> kept;
    if (is_called(instruction, "FFMA")) {
      for (std::size_t i = 0; i < kOperands && i + 1 < instruction.operands.size(); ++i) {
        const auto read = read_of(instruction.operands[i + 1]);
        if (!read) continue;
        if (kept_[i] != read->number) ++fetched[read->number % 2];
        if (read->is_kept) kept[i] = read->number;
      }
    }
    kept_ = kept;
    return fetched;
  }

 private:
  std::array<std::optional<int>, kOperands> kept_;
};

/// Returns the instructions of a loop.
std::span<const Instruction> body(const Kernel& kernel, const Loop& loop) {
  return std::span(kernel.instructions).subspan(loop.first, loop.last - loop.first + 1);
}

/// Returns the registers that `operand` of a load or store covers.
std::set<int> registers_of(const Instruction& access, const std::string& operand) {
  std::set<int> registers;
  const auto first = read_of(operand);
  if (!first) return registers;
  const int width = access.modifiers.ends_with("128")  ? 4
                    : access.modifiers.ends_with("64") ? 2
                                                       : 1;
  for (int i = 0; i < width; ++i) registers.insert(first->number + i);
  return registers;
}

/// Returns how often stores to shared memory wait for loads from global memory. Waiting for one
/// load waits for all earlier ones, too.
int batches_in(std::span<const Instruction> instructions) {
  int batches = 0;
  std::set<int> awaited;
  for (const Instruction& instruction : instructions) {
    if (instruction.operands.empty()) continue;
    if (is_called(instruction, "LDG"))
      awaited.merge(registers_of(instruction, instruction.operands.front()));
    if (!is_called(instruction, "STS")) continue;
    const std::set<int> stored = registers_of(instruction, instruction.operands.back());
    if (std::ranges::none_of(stored, [&](int number) { return awaited.contains(number); }))
      continue;
    ++batches;
    awaited.clear();
  }
  return batches;
}

/// Adds the batches between the beginning of `outer` and `inner`, a loop inside it.
void add_batches(const Kernel& kernel, const Loop& outer, const Loop& inner, MachineCode* code) {
  const auto before = body(kernel, {outer.first, inner.first - 1});
  // Asynchronous copies: nothing waits here.
  if (count(before, "LDGSTS") > 0 || count(before, "UTMALDG") > 0) return;
  std::vector<Instruction> rest(before.begin(), before.end());
  for (const Loop& loop : loops_of(kernel)) {
    if (!(loop.first > outer.first && loop.last < inner.first)) continue;
    code->repeated_batches += batches_in(body(kernel, loop));
    code->repeated_loads += static_cast<int>(count(body(kernel, loop), "LDG"));
    for (std::size_t i = loop.first; i <= loop.last; ++i) rest[i - outer.first].operation.clear();
  }
  code->batches = batches_in(rest);
  code->batch_loads = static_cast<int>(count(rest, "LDG"));
}

}  // namespace

std::vector<Kernel> kernels_in(std::string_view sass) {
  constexpr std::string_view kHeading = "Function : ";
  std::vector<Kernel> kernels;
  for (std::size_t begin = 0; begin < sass.size();) {
    const std::size_t end = std::min(sass.find('\n', begin), sass.size());
    const std::string line(sass.substr(begin, end - begin));
    begin = end + 1;
    if (const std::size_t at = line.find(kHeading); at != std::string::npos)
      kernels.push_back({line.substr(at + kHeading.size()), {}});
    else if (auto instruction = kernels.empty() ? std::nullopt : instruction_in(line))
      kernels.back().instructions.push_back(std::move(*instruction));
  }
  return kernels;
}

std::vector<Loop> loops_of(const Kernel& kernel) {
  std::map<std::uint64_t, std::size_t> at;
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    at[instruction.address] = i;
    if (!is_called(instruction, "BRA") || instruction.operands.empty()) continue;
    const std::string& operand = instruction.operands.back();
    const std::size_t digits = operand.find("0x");
    if (digits == std::string::npos) continue;
    const auto target = at.find(std::stoull(operand.substr(digits), nullptr, 16));
    if (target != at.end() && target->second < i) loops.push_back({target->second, i});
  }
  std::ranges::sort(loops, {}, &Loop::first);
  return loops;
}

int issue_slots(std::span<const Instruction> instructions) {
  Banks banks;
  int slots = 0;
  for (std::size_t begin = 0; begin < instructions.size(); begin += kWindow) {
    const auto window = instructions.subspan(begin, std::min(kWindow, instructions.size() - begin));
    std::array<int, 2> fetched{};
    for (const Instruction& instruction : window) {
      const auto [even, odd] = banks.fetches(instruction);
      fetched[0] += even;
      fetched[1] += odd;
    }
    slots += std::max({static_cast<int>(window.size()), fetched[0], fetched[1]});
  }
  return slots;
}

MachineCode examine(const Kernel& kernel) {
  const std::vector<Loop> loops = loops_of(kernel);
  const auto is_innermost = [&](const Loop& loop) {
    return std::ranges::none_of(loops, [&](const Loop& other) {
      return loop.contains(other) && other.last - other.first < loop.last - loop.first;
    });
  };
  const Loop* inner = nullptr;
  for (const Loop& loop : loops)
    if (is_innermost(loop) && (inner == nullptr || count(body(kernel, loop), "FFMA") >
                                                       count(body(kernel, *inner), "FFMA")))
      inner = &loop;
  if (inner == nullptr || count(body(kernel, *inner), "FFMA") == 0)
    throw std::runtime_error("no loop of " + kernel.name + " multiplies");

  MachineCode code;
  const auto inside = body(kernel, *inner);
  code.loop_instructions = static_cast<int>(inside.size());
  code.loop_ffma = static_cast<int>(count(inside, "FFMA"));
  code.loop_slots = issue_slots(inside);
  // loads from global memory in the loop itself
  if (count(inside, "LDG") > 0) code.batches = 1;
  const Loop* outer = nullptr;  // the innermost loop around it
  for (const Loop& loop : loops)
    if (loop.contains(*inner) && loop.last > inner->last &&
        (outer == nullptr || outer->contains(loop)))
      outer = &loop;
  if (outer == nullptr) return code;
  add_batches(kernel, *outer, *inner, &code);
  const auto around = body(kernel, *outer);
  code.rest_instructions = static_cast<int>(
      std::ssize(around) - code.loop_instructions * count(around, "FFMA") / code.loop_ffma);
  return code;
}

}  // namespace predict
