#include "tools/site/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "course/html.hpp"
#include "tools/site/figure_words.hpp"
#include "tools/site/ladder.hpp"
#include "tools/site/lesson.hpp"
#include "tools/site/output_folder.hpp"
#include "tools/site/text.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;
using course::escape_html;

namespace {

/// Returns the listing that COURSE_PROFILE=html writes for a program, from the first kernel to the
/// last.
std::string listing_of(const fs::path& program, const std::vector<std::string>& arguments = {}) {
  const tools::TemporaryFolder folder;
  const fs::path file = folder.path() / "listing.html";
  tools::CommandOptions options;
  options.environment = {{"COURSE_PROFILE", "html:" + file.string()}};
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto result = tools::run_command(command, options);
  if (result.status != 0)
    throw std::runtime_error(program.string() + " ended with " + std::to_string(result.status) +
                             ": " + result.err);
  const std::string html = tools::read_file(file), end = "</section>";
  const std::size_t first = html.find("<section"), last = html.rfind(end);
  if (first == std::string::npos || last == std::string::npos)
    throw std::runtime_error(program.string() + " wrote a listing without a kernel");
  return html.substr(first, last + end.size() - first) + "\n";
}

/// Returns the name of a listing's section, without template arguments.
std::string name_of(const std::string& section) {
  const std::string open = "<code>";
  const std::size_t begin = section.find(open) + open.size();
  const std::string name =
      plain_text(section.substr(begin, section.find("</code>", begin) - begin));
  return name.substr(0, name.find('<'));
}

/// Returns the arguments of the experiment that counts only this kernel; none if there is none.
std::vector<std::string> experiment_with(const fs::path& root, const std::string& chapter,
                                         const std::string& kernel) {
  const auto experiments =
      tools::parse_json(tools::read_file(root / "docs/measurements/experiments.json"));
  for (const auto& experiment : experiments.at("count")) {
    const auto arguments = experiment.at("arguments").get<std::vector<std::string>>();
    const auto chosen = std::ranges::count(arguments, "--kernel");
    const auto named = std::ranges::find(arguments, kernel);
    if (experiment.at("chapter") == chapter && chosen == 1 && named != arguments.end())
      return arguments;
  }
  return {};
}

/// Returns what a listing is made from: the names, sizes and hashes of programs and texts.
std::string origin_of(const fs::path& root, const fs::path& chapter, const fs::path& programs) {
  std::set<fs::path> files = {fs::read_symlink("/proc/self/exe"), programs / chapter.filename(),
                              root / "docs/measurements/experiments.json"};
  for (const Kernel& kernel : kernels_of(root, chapter)) files.insert(root / kernel.file);
  std::string origin;
  for (const fs::path& file : files) {
    const std::string text = tools::read_file(file);
    origin += file.string() + ' ' + std::to_string(text.size()) + ' ' +
              std::to_string(std::hash<std::string>()(text)) + '\n';
  }
  return origin;
}

fs::path listing_file(const fs::path& output, const fs::path& chapter) {
  return output / "counted" / (chapter.filename().string() + ".html");
}

/// A kernel of a listing, with a section for each of its instances.
struct CountedKernel {
  std::string name;
  std::vector<std::string> sections;
};

/// Returns the sections of a listing by kernel, in its order.
std::vector<CountedKernel> kernels_in(const std::string& listing) {
  const std::string begin = "<section", end = "</section>";
  std::vector<CountedKernel> kernels;
  for (std::size_t at = 0; (at = listing.find(begin, at)) != std::string::npos;) {
    const std::size_t stop = listing.find(end, at) + end.size();
    const std::string section = listing.substr(at, stop - at);
    const std::string name = name_of(section);
    auto known = std::ranges::find(kernels, name, &CountedKernel::name);
    if (known == kernels.end()) known = kernels.insert(known, {.name = name, .sections = {}});
    known->sections.push_back(section);
    at = stop;
  }
  return kernels;
}

std::size_t elements_in(const std::string& html) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos; ++at)
    count += at + 1 < html.size() && html[at + 1] != '/';
  return count;
}

/// Makes the pages of a chapter's listing.
class KernelPages {
 public:
  KernelPages(const Book& book, const Reference& reference, const fs::path& chapter,
              const std::string& listing)
      : book_(book),
        reference_(reference),
        chapter_(chapter),
        lesson_(*book.page_of(chapter / "README.md")),
        known_(kernels_of(book.root(), chapter)),
        rungs_(rungs_of(book, chapter)),
        kernels_(kernels_in(listing)) {}

  std::vector<Contents> all() {
    for (std::size_t i = 0; i < kernels_.size(); ++i) add_kernel(i);
    const std::string number = lesson_.label.substr(0, lesson_.label.find(' '));
    const std::string introduction =
        "<p>What the emulator counted while the program of <a href=\"" + lesson_.id + ".html\">" +
        lesson_.label +
        "</a> ran with its default sizes, or with others where these do not reach a kernel. Each "
        "kernel has a page. Below each line of its source are the line's accesses: how many "
        "requests they made, what one of them cost on average, what would be ideal, and how many "
        "lanes took part. <code>./course profile " +
        number + "</code> prints the same.</p>\n";
    const std::string table =
        "<div class=\"table-scroll\"><table class=\"prose kernels counted\">\n<thead><tr>"
        "<th>kernel</th><th>what it does</th><th>the line with most to save</th></tr></thead>\n"
        "<tbody>\n" +
        rows_ + "</tbody></table></div>\n<script src=\"counted.js\" defer></script>\n";
    pages_.insert(pages_.begin(),
                  {counted_id(chapter_) + ".html", lesson_.label + ", line by line",
                   "<div class=\"textblock\">" + introduction + table + "</div>\n"});
    return std::move(pages_);
  }

 private:
  /// Adds the pages of a kernel, and its row in the list.
  void add_kernel(std::size_t index) {
    const CountedKernel& kernel = kernels_[index];
    const auto known = std::ranges::find(known_, kernel.name, &Kernel::listed);
    const std::string what = known == known_.end() ? "" : with_code(known->summary);
    const std::string address = counted_address(chapter_, kernel.name);

    std::vector<std::string> parts(1);
    std::size_t elements = 0;
    for (const std::string& section : kernel.sections) {
      const std::size_t more = elements_in(section);
      if (elements > 0 && elements + more > kMostElements) {
        parts.emplace_back();
        elements = 0;
      }
      parts.back() += section + '\n';
      elements += more;
    }
    const auto part_address = [&](std::size_t part) {
      return part == 0 ? address
                       : replace_all(address, ".html", "_" + std::to_string(part + 1) + ".html");
    };
    const std::string name = escape_html(kernel.name);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string part =
          parts.size() == 1 ? "" : fmt::format(", part {} of {}", i + 1, parts.size());
      std::string html = i == 0 ? beginning_of(kernel.name, what, known) : "";
      html += parts[i] + "<nav class=\"pager\" aria-label=\"Counted kernels\">";
      const auto link = [&](const char* relation, const char* words, const std::string& to,
                            const std::string& label) {
        html += fmt::format("<a rel=\"{}\" href=\"{}\"><span>{}</span>{}</a>", relation, to, words,
                            label);
      };
      if (i > 0)
        link("prev", "Before", part_address(i - 1), name);
      else if (index > 0)
        link("prev", "Before", counted_address(chapter_, kernels_[index - 1].name),
             escape_html(kernels_[index - 1].name));
      if (i + 1 < parts.size())
        link("next", "Next", part_address(i + 1), name);
      else if (index + 1 < kernels_.size())
        link("next", "Next", counted_address(chapter_, kernels_[index + 1].name),
             escape_html(kernels_[index + 1].name));
      html += "</nav>\n";
      pages_.push_back({part_address(i), "<code>" + name + "</code>, line by line" + part,
                        "<div class=\"textblock\">\n<p class=\"up\"><a href=\"" +
                            counted_id(chapter_) + ".html#" + name + "\">" + lesson_.label +
                            ", line by line</a></p>\n" + html + "</div>\n"});
    }
    rows_ += "<tr id=\"" + name + "\" data-profile=\"" + id_of(kernel.sections[0]) +
             "\"><td><a href=\"" + address + "\"><code>" + replace_all(name, "::", "::<wbr>") +
             "</code></a></td><td>" + what + "</td><td>" + worst_of(kernel.sections[0]) +
             "</td></tr>\n";
  }

  /// Returns what the course says of a kernel: what it does, where, and how fast.
  std::string beginning_of(const std::string& name, const std::string& what,
                           std::vector<Kernel>::const_iterator known) const {
    std::string html = what.empty() ? "" : "<p>" + what + "</p>\n";
    const auto rung = std::ranges::find(rungs_, name.substr(0, name.find(':')), &Rung::step);
    const auto explained = rung == rungs_.end()
                               ? std::pair(lesson_.id + ".html", lesson_.label)
                               : std::pair(rung->page + ".html#" + rung->anchor, rung->label);
    html += "<ul class=\"links\"><li>Explained in <a href=\"" + explained.first + "\">" +
            escape_html(explained.second) + "</a></li>";
    if (known != known_.end()) {
      html += "<li><a href=\"" + reference_.source(known->file, known->first_line) +
              "\">Source</a></li><li><a href=\"" + reference_.member(known->file, known->function) +
              "\">Documentation</a></li>";
    }
    return html + "</ul>\n" +
           (known == known_.end() ? ""
                                  : times_of("h200", known->name) + times_of("h100", known->name));
  }

  /// Returns a table of the times of a kernel, from a file of docs/measurements; nothing if it has
  /// none.
  std::string times_of(const std::string& file, const std::string& kernel) const {
    if (!book_.measurements().has_source(file)) return "";
    std::string rows;
    std::size_t count = 0;
    const nlohmann::json& source = book_.measurements().source(file);
    const auto chapters = source.find("chapters");
    const std::string chapter = chapter_.filename().string();
    if (chapters == source.end() || !chapters->contains(chapter)) return "";
    for (const auto& run : chapters->at(chapter)) {
      if (run.at("kernel") != kernel || !run.contains("time_ms") || !run.at("time_ms").is_object())
        continue;
      std::string parameters;
      for (const auto& [name, value] : run.at("parameters").items())
        if (name != "cublas_ms" && name != "alpha" && name != "beta")
          parameters += (parameters.empty() ? "" : ", ") + name + " " +
                        (value.is_string()   ? value.get<std::string>()
                         : value.is_number() ? number_words(value.get<double>())
                                             : value.dump());
      rows += "<tr><td>" + escape_html(parameters) + "</td><td align=\"right\">" +
              number_words(run.at("time_ms").at("median")) + "</td></tr>\n";
      ++count;
    }
    if (count == 0 || !source.contains("device")) return "";
    const std::string table =
        "<div class=\"table-scroll\"><table class=\"prose\">\n<thead><tr><th>size</th><th "
        "align=\"right\">median time, ms</th></tr></thead>\n<tbody>\n" +
        rows + "</tbody></table></div>\n";
    return "<details class=\"times\"><summary>Measured on an " +
           escape_html(source.at("device").get<std::string>()) + "</summary>\n" + table +
           "</details>\n";
  }

  static std::string id_of(const std::string& section) {
    static const tools::Pattern kId(R"re(<section[^>]* id="([^"]*)")re");
    const tools::Match id = kId.search(section);
    return id ? id.str(1) : "";
  }

  /// Returns what a section says of its worst line, without the link to it.
  static std::string worst_of(const std::string& section) {
    static const tools::Pattern kWorst(R"re(<p class="profile-summary">Worst: (.*?)</p>)re");
    const tools::Match worst = kWorst.search(section);
    return worst ? escape_html(plain_text(worst.str(1))) : "";
  }

  /// A page with the frame has fewer than 3,500.
  static constexpr std::size_t kMostElements = 3000;

  const Book& book_;
  const Reference& reference_;
  const fs::path chapter_;
  const Page& lesson_;
  const std::vector<Kernel> known_;
  const std::vector<Rung> rungs_;
  const std::vector<CountedKernel> kernels_;
  std::vector<Contents> pages_;
  std::string rows_;
};

}  // namespace

std::string counted_id(const fs::path& chapter) { return "counted_" + chapter.filename().string(); }

std::string counted_address(const fs::path& chapter, const std::string& listed) {
  return counted_id(chapter) + "_" + replace_all(listed, "::", "_") + ".html";
}

std::string counted_listing(const fs::path& root, const fs::path& chapter,
                            const fs::path& programs) {
  const std::string program = chapter.filename().string();

  // The first section of a kernel gets its anchor.
  std::set<std::string> seen;
  const auto with_anchors = [&](std::string html) {
    const std::string section = "<section";
    for (std::size_t at = 0; (at = html.find(section, at)) != std::string::npos;) {
      const std::string name = name_of(html.substr(at, html.find("</section>", at) - at));
      const std::string anchor =
          seen.insert(name).second ? "<span id=\"" + name + "\"></span>\n" : std::string();
      html.insert(at, anchor);
      at += anchor.size() + section.size();
    }
    return html;
  };
  std::string html = with_anchors(listing_of(programs / program));
  for (const Kernel& kernel : kernels_of(root, chapter)) {
    if (seen.contains(kernel.listed)) continue;
    const auto arguments = experiment_with(root, program, kernel.name);
    if (!arguments.empty()) html += with_anchors(listing_of(programs / program, arguments));
    if (!seen.contains(kernel.listed))
      throw std::runtime_error(program + " did not run " + kernel.listed);
  }
  return html;
}

void count(const fs::path& root, const fs::path& chapter, const fs::path& programs,
           const fs::path& output) {
  const fs::path listing = listing_file(output, chapter);
  const fs::path record = fs::path(listing).replace_extension(".made_of");
  const std::string origin = origin_of(root, chapter, programs);
  if (fs::exists(listing) && fs::exists(record) && tools::read_file(record) == origin) {
    fs::last_write_time(listing, fs::file_time_type::clock::now());
    return;
  }
  fs::remove(record);
  write_if_changed(listing, counted_listing(root, chapter, programs));
  fs::last_write_time(listing, fs::file_time_type::clock::now());
  write_if_changed(record, origin);
}

std::vector<Contents> counted_pages(const Book& book, const Reference& reference,
                                    const fs::path& chapter, const fs::path& output) {
  return KernelPages(book, reference, chapter, tools::read_file(listing_file(output, chapter)))
      .all();
}

}  // namespace site
