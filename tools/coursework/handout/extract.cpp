#include "tools/coursework/handout/extract.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "tools/coursework/exercises/choose.hpp"
#include "tools/coursework/handout/links.hpp"
#include "tools/coursework/handout/repository.hpp"
#include "tools/coursework/list/listing.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

bool starts_with_any(const std::string& path, std::initializer_list<const char*> beginnings) {
  return std::ranges::any_of(beginnings, [&](const char* one) { return path.starts_with(one); });
}

/// Returns the paths of the course's files below the root: the files tracked by git, or all files
/// if there is no git.
std::vector<std::string> files_of_course(const fs::path& root) {
  if (const auto known = known_to_git(root)) return *known;
  std::vector<std::string> files;
  for (auto entry = fs::recursive_directory_iterator(root);
       entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string path = fs::relative(entry->path(), root).string();
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && (name.starts_with(".") || path.starts_with("build"))) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      files.push_back(path);
    }
  }
  std::ranges::sort(files);
  return files;
}

/// Returns whether a file is needed to build programs, whatever the chapters.
bool is_machinery(const std::string& path, Reader reader) {
  static const std::set<std::string> kTop = {"course",  "CMakeLists.txt", "CMakePresets.json",
                                             "LICENSE", ".clang-format",  ".clangd"};
  if (kTop.contains(path)) return true;
  if (path == "chapters/CMakeLists.txt" || path == "tools/CMakeLists.txt") return true;
  if (path.starts_with("emulator/package/")) return false;
  if (starts_with_any(path, {"cmake/", "common/", "emulator/", "tools/support/"})) return true;
  if (!path.starts_with("tools/coursework/")) return false;
  // Students get no sources of the grader, whose rules could be exploited, and no sources of
  // handouts, which need the whole course.
  return reader == Reader::grader ||
         !starts_with_any(path, {"tools/coursework/bundle/", "tools/coursework/confine/",
                                 "tools/coursework/grade/", "tools/coursework/handout/",
                                 "tools/coursework/sandbox/"});
}

/// Returns whether a file is a document that is useful with any lesson.
bool is_document(const std::string& path) {
  static const std::set<std::string> kDocuments = {"docs/glossary.md", "docs/setup.md"};
  return kDocuments.contains(path) || path.starts_with("docs/explorer/");
}

/// Returns whether a file is a lesson's text, kernel or program; figures.txt is for authors only.
bool is_lesson(const fs::path& path, const std::string& chapter) {
  return path.string().starts_with("chapters/" + chapter + "/") &&
         !path.string().starts_with("chapters/" + chapter + "/exercises/") &&
         path.filename() != "figures.txt";
}

/// Returns whether a file lies beside the exercises of a chapter, where judges include it.
bool is_shared_by_judges(const fs::path& path, const std::string& chapter) {
  return path.parent_path() == fs::path("chapters") / chapter / "exercises";
}

ExtractedFile read(const fs::path& file) {
  constexpr auto kAnyoneRuns =
      fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  return {tools::read_file(file),
          (fs::status(file).permissions() & kAnyoneRuns) != fs::perms::none};
}

bool shows_hints(const ExtractOptions& options) {
  return options.hints && options.reader == Reader::students;
}

bool leaves_judge_out(const Exercise& exercise, const ExtractOptions& options) {
  return exercise.judge == JudgeIs::telling && options.reader == Reader::students && !options.hints;
}

/// Returns exercise.json without what the reader must not see.
std::string description_for(const Exercise& exercise, const ExtractOptions& options) {
  json document = tools::parse_ordered_json(tools::read_file(exercise.folder / "exercise.json"));
  if (options.reader == Reader::students) document.erase("grading");
  if (!shows_hints(options)) document.erase("hints");
  if (leaves_judge_out(exercise, options)) {
    document["judge"] = "left out";
    for (json& one : document["requirements"]) one.erase("clues");  // clues serve a check only
  }
  return document.dump(2) + "\n";
}

/// Returns the text of docs/exercises.json for this part of the course.
std::string listing_for(const ExtractOptions& options) {
  std::vector<Exercise> exercises = options.exercises;
  if (!shows_hints(options))
    for (Exercise& one : exercises) one.hints.clear();
  return listing_of(exercises);
}

void add_exercise(const Exercise& exercise, const fs::path& root, const ExtractOptions& options,
                  ExtractedFiles& files) {
  const fs::path folder = fs::relative(exercise.folder, root);
  const std::string starter = starter_of(exercise);
  files[folder / "exercise.cu"] = {starter, false};
  files[folder / "exercise.json"] = {description_for(exercise, options), false};
  if (leaves_judge_out(exercise, options)) {
    files[folder / "judge.cpp"] = {
        "// The grader alone judges this exercise: its judge has answers.\n", false};
  } else {
    for (const auto& entry : fs::directory_iterator(exercise.folder))
      if (const fs::path& one = entry.path();
          one.extension() == ".cpp" || one.extension() == ".hpp")
        files[folder / one.filename()] = read(one);
  }
  if (options.reader == Reader::students)
    files[fs::path("answers") / exercise.file_name()] = {starter, false};
}

/// Adds the pictures that the texts show.
void add_pictures(const fs::path& root, const std::vector<std::string>& all,
                  ExtractedFiles& files) {
  std::set<std::string> shown;
  for (const auto& [path, file] : files)
    if (path.extension() == ".md")
      for (const std::string& link : links_in(path, file.text)) shown.insert(link);
  for (const std::string& path : all)
    if (starts_with_any(path, {"docs/pictures/", "docs/plots/"}) && shown.contains(path))
      files[path] = read(root / path);
}

/// Removes files beside the exercises of a chapter that no remaining judge includes.
void remove_what_no_judge_includes(ExtractedFiles& files) {
  std::erase_if(files, [&](const auto& candidate) {
    const fs::path& path = candidate.first;
    if (!is_shared_by_judges(path, path.parent_path().parent_path().filename().string()))
      return false;
    const std::string include = "#include \"../" + path.filename().string() + "\"";
    return std::ranges::none_of(files, [&](const auto& one) {
      return one.first.parent_path().parent_path() == path.parent_path() &&
             one.second.text.find(include) != std::string::npos;
    });
  });
}

/// Adds the headers of other chapters that a lesson's sources include, directly or indirectly.
void add_included(const fs::path& root, const std::set<std::string>& known, ExtractedFiles& files) {
  static const tools::Pattern kInclude(R"x(#include "([\w./]+)")x");
  std::vector<fs::path> to_read;
  for (const auto& [path, file] : files)
    if (path.string().starts_with("chapters/")) to_read.push_back(path);
  while (!to_read.empty()) {
    const fs::path path = to_read.back();
    to_read.pop_back();
    for (const tools::Match& include : kInclude.all(files.at(path).text)) {
      const fs::path included = (path.parent_path() / include.str(1)).lexically_normal();
      if (!known.contains(included.string()) || files.contains(included)) continue;
      files[included] = read(root / included);
      to_read.push_back(included);
    }
  }
}

}  // namespace

std::vector<Exercise> exercises_named(const std::vector<Exercise>& all,
                                      const std::vector<std::string>& words) {
  std::set<std::string> wanted;
  for (const std::string& word : words)
    for (const Exercise& one : choose_exercises(all, word)) wanted.insert(one.id);
  std::vector<Exercise> chosen;
  for (const Exercise& one : all)
    if (wanted.contains(one.id)) chosen.push_back(one);
  return chosen;
}

std::vector<std::string> chapters_of(const std::vector<Exercise>& exercises) {
  std::set<std::string> chapters;
  for (const Exercise& one : exercises) chapters.insert(one.chapter);
  return {chapters.begin(), chapters.end()};
}

ExtractedFiles extract(const fs::path& root, const ExtractOptions& options) {
  const std::vector<std::string> all = files_of_course(root);
  const bool for_students = options.reader == Reader::students;
  const std::vector<std::string> chapters = chapters_of(options.exercises);
  ExtractedFiles files;
  for (const std::string& path : all) {
    bool wanted = is_machinery(path, options.reader) || (for_students && is_document(path));
    for (const std::string& chapter : chapters)
      wanted = wanted || (for_students && is_lesson(path, chapter)) ||
               is_shared_by_judges(path, chapter);
    if (wanted) files[path] = read(root / path);
  }
  const std::set<std::string> known(all.begin(), all.end());
  if (for_students) add_included(root, known, files);
  for (const Exercise& one : options.exercises) {
    if (!known.contains(fs::relative(one.folder / "exercise.json", root).string()))
      throw std::runtime_error("git does not know the exercise " + one.id + " yet: git add " +
                               one.folder.string());
    add_exercise(one, root, options, files);
  }
  if (for_students) remove_what_no_judge_includes(files);
  files[kListingFile] = {listing_for(options), false};
  json marker = {{"for", for_students ? "students" : "grader"}, {"chapters", chapters}};
  files["handout.json"] = {marker.dump(2) + "\n", false};
  if (for_students) add_pictures(root, all, files);
  for (auto& [path, file] : files)
    if (path.extension() == ".md") file.text = without_dead_links(path, file.text, files);
  return files;
}

void write_files(const ExtractedFiles& files, const fs::path& folder) {
  for (const auto& [path, file] : files) {
    const fs::path place = folder / path;
    fs::create_directories(place.parent_path());
    std::ofstream stream(place, std::ios::binary);
    stream << file.text;
    stream.close();
    if (!stream) throw std::runtime_error("cannot write " + place.string());
    fs::permissions(place, fs::perms(file.may_run ? 0755 : 0644));
  }
}

}  // namespace coursework
