#include "tools/site/counted.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

#include "tools/site/output_folder.hpp"
#include "tools/site/text.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;

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

}  // namespace

std::string counted_id(const fs::path& chapter) { return "counted_" + chapter.filename().string(); }

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

Contents counted_page(const Book& book, const fs::path& chapter, const fs::path& output) {
  const Page& lesson = *book.page_of(chapter / "README.md");
  const std::string number = lesson.label.substr(0, lesson.label.find(' '));
  const std::string introduction =
      "<p>What the emulator counted while the program of <a href=\"" + lesson.id + ".html\">" +
      lesson.label +
      "</a> ran with its default sizes (or, where these do not reach a kernel, with others): below "
      "each line, its accesses; how many "
      "requests they made, what one of them cost on average, what would be ideal, and how many "
      "lanes took part. The line with most to save is marked. <code>./course profile " +
      number +
      "</code> prints the same, and <code>--help</code> behind <code>--</code> lists the sizes "
      "to try.</p>\n";
  return {counted_id(chapter) + ".html", lesson.label + ", line by line",
          introduction + tools::read_file(listing_file(output, chapter))};
}

}  // namespace site
