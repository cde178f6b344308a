#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>

#include "course/html.hpp"
#include "engine/report/profile_printer.hpp"

namespace emu {

namespace {

constexpr const char* kColumns[] = {
    "line", "source, and what it accesses", "requests", "per request", "ideal", "efficiency",
    "lanes"};
constexpr std::size_t kBehindLine = std::size(kColumns) - 1;

constexpr const char* kPageBegin = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Counters per line</title>
<style>
:root { color-scheme: light dark; --text: #1b1f24; --page: #ffffff; --faint: #57606a;
  --rule: #d0d7de; --mark: #fff1c2; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --page: #0d1117; --faint: #9da7b1; --rule: #30363d; --mark: #3d2f00; }
}
body { margin: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--page); }
.profile h2 { overflow-wrap: anywhere; }
.profile-box { overflow-x: auto; }
.profile table { border-collapse: collapse; font-size: 0.875rem; }
.profile caption, .profile th { text-align: left; color: var(--faint); }
.profile th, .profile td { padding: 0 0.5rem; white-space: pre; vertical-align: top; }
.profile thead th { border-bottom: 1px solid var(--rule); }
.profile code { font-family: ui-monospace, monospace; }
.profile .profile-number { text-align: right; font-variant-numeric: tabular-nums; }
.profile .profile-gap td { border-bottom: 1px dashed var(--rule); }
.profile .profile-access > :first-child, .profile .profile-reason > :first-child
  { padding-left: 2.5rem; }
.profile .profile-access { color: var(--faint); }
.profile .profile-worst > *, .profile .profile-reason > * { background: var(--mark); }
</style>
</head>
<body>
<main>
<h1>Counters per line</h1>
)";

constexpr const char* kPageEnd = "</main>\n</body>\n</html>\n";

/// Returns a unique id for the kernel: "profile-copy-float" for `copy<float>`.
std::string unique_id(const std::string& kernel, std::set<std::string>& taken) {
  std::string id = "profile-";
  for (const char c : kernel) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      id += c;
    else if (id.back() != '-')
      id += '-';
  }
  while (id.ends_with('-')) id.pop_back();
  const std::string first = id;
  for (int number = 2; !taken.insert(id).second; ++number) id = fmt::format("{}-{}", first, number);
  return id;
}

/// Returns the figures of one kind of access as table cells.
std::string cells(const InstructionProfile& instruction, const AccessRow& row) {
  std::string text = fmt::format("<td>{}", row.access);
  if (!instruction.expression.empty())
    text += fmt::format(" <code>{}</code>", course::escape_html(instruction.expression));
  text += "</td>";
  const auto number = [&](const std::string& value) {
    text += fmt::format("<td class=\"profile-number\">{}</td>", value);
  };
  number(std::to_string(row.requests));
  number(cost_per_request(row));
  number(ideal_per_request(row));
  number(fmt::format("{:.1f} %", row.efficiency_pct));
  number(short_number(instruction.counters.active_lanes_avg().value_or(0)));
  return text;
}

/// Prints a page with a `<section class="profile">` for each kernel, which can be put into another
/// page unchanged.
class ProfileHtml : public ProfilePrinter {
  void begin() override { text_ = kPageBegin; }

  void begin_kernel(const KernelProfile& kernel) override {
    id_ = unique_id(kernel.kernel, ids_);
    text_ += fmt::format(
        "<section class=\"profile\" id=\"{0}\" aria-labelledby=\"{0}-name\">\n"
        "<h2 id=\"{0}-name\"><code>{1}</code></h2>\n"
        "<p class=\"profile-signature\"><code>{2}</code>, {3} launch{4}</p>\n",
        id_, course::escape_html(kernel.kernel), course::escape_html(kernel.signature),
        kernel.launches, kernel.launches == 1 ? "" : "es");
    put_summary(kernel);
  }

  void begin_source(const KernelProfile& kernel, std::size_t index) override {
    source_ = index;
    const SourceProfile& source = kernel.sources[index];
    const std::string name = source.file.empty()
                                 ? "no debug information"
                                 : std::filesystem::path(source.file).filename().string();
    text_ += fmt::format(
        "<div class=\"profile-box\" role=\"region\" tabindex=\"0\" aria-label=\"{0}: {1}\">\n"
        "<table>\n<caption>{1}</caption>\n<thead><tr>",
        course::escape_html(kernel.kernel), course::escape_html(name));
    for (const char* column : kColumns) text_ += fmt::format("<th scope=\"col\">{}</th>", column);
    text_ += "</tr></thead>\n<tbody>\n";
  }

  void gap() override {
    text_ +=
        fmt::format("<tr class=\"profile-gap\"><td colspan=\"{}\"></td></tr>\n", kBehindLine + 1);
  }

  /// Adds a line, below it a row for each access, and below these why it is a worst line.
  void line(const LineProfile& line, const std::vector<WorstLine>& worst) override {
    std::string below;
    std::size_t height = 1;
    for (const InstructionProfile& instruction : line.instructions) {
      for (const AccessRow& row : access_rows(instruction.counters)) {
        below += fmt::format("<tr class=\"profile-access\">{}</tr>\n", cells(instruction, row));
        ++height;
      }
      if (const std::string repeated = repeated_loads_text(instruction.counters);
          !repeated.empty()) {
        below += fmt::format("<tr class=\"profile-access\"><td colspan=\"{}\">{}</td></tr>\n",
                             kBehindLine, repeated);
        ++height;
      }
    }
    const char* kind = height > 1 ? " class=\"profile-counted\"" : "";
    for (const WorstLine& one : worst) {
      kind = " class=\"profile-counted profile-worst\"";
      below += fmt::format(
          "<tr class=\"profile-reason\"><td colspan=\"{}\"><strong>worst line</strong>: {}</td>"
          "</tr>\n",
          kBehindLine, course::escape_html(one.reason));
      ++height;
    }
    const std::string id = line_id(source_, line.number);
    text_ += fmt::format(
        "<tr{}{}><th scope=\"row\" class=\"profile-number\" rowspan=\"{}\">{}</th>"
        "<td colspan=\"{}\"><code>{}</code></td></tr>\n{}",
        id.empty() ? id : fmt::format(" id=\"{}\"", id), kind, height,
        line.number ? std::to_string(line.number) : "?", kBehindLine,
        course::escape_html(line.text), below);
  }

  void end_source() override { text_ += "</tbody>\n</table>\n</div>\n"; }
  void end_kernel() override { text_ += "</section>\n"; }

  std::string end(std::size_t kernels) override {
    if (kernels == 0) text_ += "<p>No kernel was launched.</p>\n";
    return text_ + kPageEnd;
  }

  /// Returns the line's anchor. Only lines of the kernel's own file have one.
  std::string line_id(std::size_t source, int line) const {
    return source == 0 && line > 0 ? fmt::format("{}-{}", id_, line) : std::string();
  }

  void put_summary(const KernelProfile& kernel) {
    if (kernel.worst.empty()) text_ += "<p class=\"profile-summary\">No worst line.</p>\n";
    for (const WorstLine& worst : kernel.worst) {
      const std::string id = line_id(worst.source, worst.line);
      const std::string line = fmt::format("line {}", worst.line);
      text_ += fmt::format("<p class=\"profile-summary\">Worst: {}, {}</p>\n",
                           id.empty() ? line : fmt::format("<a href=\"#{}\">{}</a>", id, line),
                           course::escape_html(worst.reason));
    }
  }

  std::string text_;
  std::set<std::string> ids_;
  std::string id_;          // id of the current kernel
  std::size_t source_ = 0;  // index of the source whose lines are being printed
};

}  // namespace

std::unique_ptr<ProfilePrinter> make_profile_html() { return std::make_unique<ProfileHtml>(); }

}  // namespace emu
