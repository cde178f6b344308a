#include "tools/coursework/grade/submissions.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "tools/coursework/grade/digest.hpp"
#include "tools/coursework/grade/files.hpp"
#include "tools/coursework/grade/names.hpp"
#include "tools/coursework/grade/people.hpp"
#include "tools/coursework/grade/search.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 256 << 10;

/// Joins names: "a, b and 3 more", with at most `most` of them.
std::string list_of(const std::vector<std::string>& names, std::size_t most = 5) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

/// Returns why a file with a matching name cannot be graded; empty if it can.
std::string fault_of(const FoundFile& file) {
  if (!file.fault.empty()) return file.fault;
  if (file.bytes.empty()) return "the file is empty";
  if (file.bytes.find('\0') == std::string::npos) return {};
  const bool utf16 = file.bytes.starts_with("\xff\xfe") || file.bytes.starts_with("\xfe\xff");
  return utf16 ? "the file is UTF-16; save it as UTF-8" : "the file is binary, no source text";
}

/// Returns the best match. Among equal names, a file that can be graded comes first, then the least
/// nested one, then the first path.
std::optional<FoundFile> best_of(std::vector<FoundFile> files) {
  // A folder with the file's name is mentioned only if there is nothing else.
  if (std::ranges::any_of(files, [](const FoundFile& one) { return !one.is_folder; }))
    std::erase_if(files, [](const FoundFile& one) { return one.is_folder; });
  if (files.empty()) return std::nullopt;
  const auto order = [](const FoundFile& one) {
    return std::tuple(one.rank, !fault_of(one).empty(), std::ranges::count(one.path, '/'),
                      one.path);
  };
  return *std::ranges::min_element(files, {}, order);
}

std::vector<std::string> names_of(const std::vector<FoundFile>& files) {
  std::vector<std::string> names;
  for (const FoundFile& one : files) names.push_back(printable(one.path));
  return names;
}

/// One student's file for one exercise, with its bytes.
struct Taken {
  HandedIn handed;
  std::string bytes;
};

Taken take(const Exercise& exercise, const Found& found) {
  Taken taken;
  taken.handed.exercise = exercise.id;
  HandedIn& handed = taken.handed;
  const auto entry = found.files.find(exercise.id);
  const std::vector<FoundFile> all =
      entry == found.files.end() ? std::vector<FoundFile>() : entry->second;
  const std::optional<FoundFile> best = best_of(all);
  const auto refuse = [&](const std::string& why) {
    handed.outcome = Outcome::refused;
    handed.message = why;
  };
  if (!found.fault.empty()) {
    refuse(found.fault);
  } else if (!best) {
    handed.message = "There is no file " + exercise.file_name() + ".";
    if (!found.other_sources.empty())
      handed.message += (found.other_sources.size() == 1 ? " There is " : " There are ") +
                        list_of(found.other_sources) + ".";
  } else if (const std::string fault = fault_of(*best); !fault.empty()) {
    handed.file = printable(best->path);
    refuse(handed.file + ": " + fault + ".");
  } else {
    handed.outcome = Outcome::points;
    handed.file = printable(best->path);
    handed.sha256 = sha256(best->bytes);
    taken.bytes = best->bytes;
    if (best->rank > kExactName)
      handed.notes.push_back("The file is called " + handed.file + ", and was taken for " +
                             exercise.file_name() + ".");
    std::vector<FoundFile> others = all;
    std::erase_if(others, [&](const FoundFile& one) { return one.bytes == taken.bytes; });
    if (!others.empty())
      handed.notes.push_back(handed.file + " was graded; " + list_of(names_of(others)) +
                             " was not, though the name would do as well.");
  }
  return taken;
}

/// Returns the folder that contains the students' folders; a Gradescope export may wrap it in
/// another one.
fs::path class_folder(const fs::path& submissions) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(submissions))
    if (!entry.is_symlink() && entry.is_directory()) folders.push_back(entry.path());
  const bool is_wrapped = folders.size() == 1 && !fs::exists(submissions / kGradescopeList) &&
                          fs::exists(folders[0] / kGradescopeList);
  return is_wrapped ? folders[0] : submissions;
}

/// Notes people in a platform's list who have no folder.
void note_people_without_folder(const std::map<std::string, std::vector<Person>>& people,
                                const std::vector<std::string>& folders, Class& all) {
  std::vector<std::string> missing;
  for (const auto& [folder, some] : people) {
    if (std::ranges::find(folders, folder) != folders.end()) continue;
    for (const Person& one : some) missing.push_back(one.name + " (" + printable(folder) + ")");
  }
  if (!missing.empty())
    all.notes.push_back(std::string(kGradescopeList) +
                        " names people whose folder is not there, and who get no marks: " +
                        list_of(missing, missing.size()) + ".");
}

std::map<std::string, std::vector<Person>> people_in(const fs::path& folder, Class& all) {
  const FoundFile list = read_file_in(folder, kGradescopeList, std::size_t{64} << 20);
  if (!list.fault.empty()) return {};
  auto people = read_people(list.bytes);
  if (people.empty())
    all.notes.push_back(std::string(kGradescopeList) +
                        " names nobody: it is not what Gradescope writes.");
  return people;
}

}  // namespace

bool Shard::has(const std::string& student_folder) const {
  const std::string digits = sha256(student_folder).substr(0, 15);
  return static_cast<int>(std::stoull(digits, nullptr, 16) % static_cast<unsigned>(of)) ==
         number - 1;
}

Class take_class(const fs::path& submissions, const std::vector<Exercise>& exercises,
                 const fs::path& copies, const Shard& shard) {
  Class all;
  const fs::path root = class_folder(submissions);
  const auto people = people_in(root, all);
  std::vector<std::string> names, beside, hidden;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (name == kGradescopeList || name == "__MACOSX") continue;
    if (name.starts_with('.')) {
      // Folders of version control and macOS belong to no student.
      if (entry.is_directory() && name != ".git") hidden.push_back(printable(name));
      continue;
    }
    (entry.is_symlink() || entry.is_directory() ? names : beside).push_back(name);
  }
  std::ranges::sort(names);
  std::ranges::sort(beside);
  if (names.empty())
    throw std::runtime_error("there is no student's folder in " + submissions.string());
  if (!beside.empty()) {
    for (std::string& one : beside) one = printable(one);
    all.notes.push_back(
        "These lie beside the students' folders, and were not looked at: " + list_of(beside) + ".");
  }
  std::ranges::sort(hidden);
  if (!hidden.empty())
    all.notes.push_back(
        "These folders begin with a dot, and were not looked at: " + list_of(hidden) + ".");
  note_people_without_folder(people, names, all);
  for (const std::string& name : names) {
    Student student{printable(name), folder_name(name), {}, {}};
    if (const auto found = people.find(name); found != people.end()) student.people = found->second;
    if (shard.has(student.folder)) {
      const Found found = search_folder(root, name, exercises, kMostBytes);
      for (const Exercise& exercise : exercises) {
        Taken taken = take(exercise, found);
        if (!taken.bytes.empty()) {
          fs::create_directories(copies / student.folder);
          write_whole(copies / student.folder / exercise.file_name(), taken.bytes, 0600);
        }
        student.files.push_back(std::move(taken.handed));
      }
    }
    all.students.push_back(std::move(student));
  }
  return all;
}

json json_of(const Class& all) {
  json students = json::array();
  for (const Student& student : all.students) {
    json people = json::array(), files = json::array();
    for (const Person& one : student.people)
      people.push_back({{"name", one.name}, {"email", one.email}, {"id", one.id}});
    for (const HandedIn& one : student.files)
      files.push_back({{"exercise", one.exercise},
                       {"file", one.file},
                       {"sha256", one.sha256},
                       {"outcome", name_of(one.outcome)},
                       {"message", one.message},
                       {"notes", one.notes}});
    students.push_back(
        {{"name", student.name}, {"folder", student.folder}, {"people", people}, {"files", files}});
  }
  return {{"students", students}, {"notes", all.notes}};
}

Class class_of(const json& document) {
  Class all;
  all.notes = document.at("notes").get<std::vector<std::string>>();
  for (const json& student : document.at("students")) {
    Student one{student.at("name"), student.at("folder"), {}, {}};
    for (const json& person : student.at("people"))
      one.people.push_back({person.at("name"), person.at("email"), person.at("id")});
    for (const json& file : student.at("files"))
      one.files.push_back({file.at("exercise"), file.at("file"), file.at("sha256"),
                           outcome_named(file.at("outcome")), file.at("message"),
                           file.at("notes").get<std::vector<std::string>>()});
    all.students.push_back(std::move(one));
  }
  return all;
}

}  // namespace coursework
