#include "tools/coursework/exercises/exercise.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "tools/coursework/exercises/kernel_signature.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

/// Reads exercise.json. Errors name the key that is wrong.
class Reader {
 public:
  explicit Reader(fs::path file) : file_(std::move(file)) {}

  [[noreturn]] void throw_file_error(const std::string& what) const {
    throw std::runtime_error(file_.string() + ": " + what);
  }

  /// Refuses unknown keys; a misspelt key would otherwise be ignored silently.
  void allow(const json& object, const std::string& where,
             std::initializer_list<const char*> keys) const {
    if (!object.is_object()) throw_file_error(where + " is no object");
    for (const auto& [key, value] : object.items())
      if (std::ranges::find(keys, key) == keys.end())
        throw_file_error(where + " has an unknown key " + key);
  }

  std::string text(const json& object, const char* key, const std::string& where) const {
    if (!object.contains(key) || !object[key].is_string() || object[key].empty())
      throw_file_error(where + " needs a text for \"" + key + "\"");
    return object[key].get<std::string>();
  }

  std::string text_or_empty(const json& object, const char* key) const {
    if (!object.contains(key)) return {};
    const json& value = object[key];
    if (value.is_number()) return value.dump();
    if (!value.is_string())
      throw_file_error(std::string("\"") + key + "\" is neither text nor number");
    return value.get<std::string>();
  }

  std::vector<std::string> texts(const json& object, const char* key) const {
    std::vector<std::string> result;
    if (!object.contains(key)) return result;
    if (!object[key].is_array()) throw_file_error(std::string("\"") + key + "\" is no list");
    for (const json& one : object[key]) {
      if (!one.is_string()) throw_file_error(std::string("\"") + key + "\" is no list of texts");
      result.push_back(one.get<std::string>());
    }
    return result;
  }

  std::vector<std::string> kernels(const json& document) const {
    std::vector<std::string> signatures = texts(document, "kernels");
    try {
      for (const std::string& signature : signatures) read_signature(signature);
    } catch (const std::exception& error) {
      throw_file_error(error.what());
    }
    return signatures;
  }

  Case read_case(const json& object) const {
    Case result;
    for (const auto& [name, value] : object.items()) {
      if (!value.is_number_integer()) throw_file_error("the size " + name + " is no whole number");
      result[name] = value.get<std::int64_t>();
    }
    return result;
  }

  Range read_range(const json& value) const {
    Range range;
    if (value.is_object()) {
      allow(value, "a range", {"from", "to", "step"});
      if (!value.contains("from") || !value.contains("to"))
        throw_file_error("a range needs from and to");
      range.from = value["from"].get<std::int64_t>();
      range.to = value["to"].get<std::int64_t>();
      range.step = value.value("step", std::int64_t{1});
      if (range.step < 1 || range.from > range.to) throw_file_error("a range is empty");
    } else if (value.is_array() && !value.empty()) {
      range.choices = value.get<std::vector<std::int64_t>>();
    } else if (value.is_number_integer()) {
      range.choices = {value.get<std::int64_t>()};
    } else {
      throw_file_error("a range is a number, a list of numbers, or an object with from and to");
    }
    return range;
  }

  const fs::path& file() const { return file_; }

 private:
  fs::path file_;
};

Requirement read_requirement(const Reader& reader, const json& object) {
  reader.allow(object, "a requirement",
               {"name", "points", "text", "cases", "measure", "at_least", "at_most", "unit",
                "clues", "clean", "needs"});
  Requirement one;
  one.name = reader.text(object, "name", "a requirement");
  const std::string where = "the requirement \"" + one.name + "\"";
  one.text = reader.text(object, "text", where);
  if (!object.contains("points") || !object["points"].is_number_unsigned())
    reader.throw_file_error(where + " needs whole points");
  one.points = object["points"].get<int>();
  one.tools = reader.texts(object, "clean");
  one.group = reader.text_or_empty(object, "cases");
  one.needs = reader.texts(object, "needs");
  if (!one.tools.empty()) {
    one.kind = Requirement::Kind::clean;
  } else if (object.contains("measure")) {
    one.kind = Requirement::Kind::measure;
    one.measure = reader.text(object, "measure", where);
    one.at_least = reader.text_or_empty(object, "at_least");
    one.at_most = reader.text_or_empty(object, "at_most");
    one.unit = reader.text(object, "unit", where);
    if (one.at_least.empty() || one.at_most.empty())
      reader.throw_file_error(where + " needs two bounds, at_least and at_most");
    for (const json& clue : object.value("clues", json::array())) {
      reader.allow(clue, "a clue of " + where, {"measures", "say"});
      one.clues.push_back(
          {reader.text_or_empty(clue, "measures"), reader.text(clue, "say", "a clue of " + where)});
    }
  }
  return one;
}

JudgeIs read_judge(const Reader& reader, const json& document) {
  const std::string is = reader.text_or_empty(document, "judge");
  if (is.empty()) return JudgeIs::open;
  if (is == "telling") return JudgeIs::telling;
  if (is != "left out")
    reader.throw_file_error("\"judge\" is neither \"telling\" nor \"left out\"");
  return JudgeIs::left_out;
}

void read_groups(const Reader& reader, const json& document, Exercise& exercise) {
  if (!document.contains("cases") || !document["cases"].is_object())
    reader.throw_file_error("there are no cases");
  for (const auto& [name, cases] : document["cases"].items())
    for (const json& one : cases) exercise.groups[name].cases.push_back(reader.read_case(one));
  const json grading = document.value("grading", json::object());
  for (const auto& [name, draws] : grading.items()) {
    if (!exercise.groups.contains(name))
      reader.throw_file_error("grading draws cases \"" + name + "\", which are no cases");
    CaseGroup& group = exercise.groups[name];
    for (const auto& [size, value] : draws.items()) {
      if (size == "draw") {
        group.drawn = value.get<int>();
      } else {
        group.ranges[size] = reader.read_range(value);
      }
    }
    for (const auto& one : group.cases)
      for (const auto& [size, value] : one)
        if (!group.ranges.contains(size))
          reader.throw_file_error("grading draws no \"" + size + "\" for \"" + name + "\"");
  }
}

void read_number_and_name(const Reader& reader, const fs::path& folder, Exercise& exercise) {
  exercise.chapter = folder.parent_path().parent_path().filename().string();
  const std::string base = folder.filename().string();
  static const tools::Pattern kNumberAndName("([1-9][0-9]?)_([a-z0-9_]+)");
  const tools::Match found = kNumberAndName.matches(base);
  if (!found) reader.throw_file_error("the folder's name is no number, _ and lower-case words");
  exercise.number = std::stoi(found.str(1));
  exercise.name = found[2];
  exercise.id = exercise.chapter.substr(0, 2) + "_" + found.str(1);
}

/// Returns the lines of exercise.cu that belong to the solution or to the starter.
std::string lines_for(const Exercise& exercise, bool solved) {
  const fs::path file = exercise.folder / "exercise.cu";
  const auto throw_file_error = [&](const char* what) {
    throw std::runtime_error(file.string() + ": " + what);
  };
  enum class In { both, solution, starter } in = In::both;
  std::string text;
  for (const std::string& line : tools::lines_of(tools::read_file(file))) {
    if (line == "#ifdef COURSE_SOLUTION") {
      if (in != In::both) throw_file_error("#ifdef COURSE_SOLUTION stands inside another");
      in = In::solution;
    } else if (line == "#else" && in == In::solution) {
      in = In::starter;
    } else if (line == "#endif" && in != In::both) {
      in = In::both;
    } else if (in == In::both || (in == In::solution) == solved) {
      text += line + '\n';
    }
  }
  if (in != In::both) throw_file_error("#ifdef COURSE_SOLUTION is not closed");
  return text;
}

}  // namespace

int Exercise::points() const {
  return std::accumulate(requirements.begin(), requirements.end(), 0,
                         [](int sum, const Requirement& one) { return sum + one.points; });
}

std::string Exercise::file_name() const { return id + "_" + name + ".cu"; }

Exercise read_exercise(const fs::path& folder) {
  const Reader reader(folder / "exercise.json");
  Exercise exercise;
  exercise.folder = folder;
  read_number_and_name(reader, folder, exercise);
  json document;
  try {
    document = tools::parse_ordered_json(tools::read_file(reader.file()));
    reader.allow(document, "the exercise",
                 {"title", "kernels", "judge", "cases", "grading", "requirements", "hints"});
    exercise.title = reader.text(document, "title", "the exercise");
    exercise.kernels = reader.kernels(document);
    exercise.hints = reader.texts(document, "hints");
    exercise.judge = read_judge(reader, document);
    read_groups(reader, document, exercise);
    for (const json& one : document.value("requirements", json::array()))
      exercise.requirements.push_back(read_requirement(reader, one));
  } catch (const json::exception& error) {
    reader.throw_file_error(error.what());
  }
  if (exercise.kernels.empty()) reader.throw_file_error("there are no kernels");
  if (exercise.points() == 0) reader.throw_file_error("the requirements give no points");
  for (const Requirement& one : exercise.requirements)
    if (!one.group.empty() && !exercise.groups.contains(one.group))
      reader.throw_file_error("\"" + one.name + "\" is measured in cases \"" + one.group +
                              "\", which there are not");
  for (const Requirement& one : exercise.requirements)
    for (const std::string& needed : one.needs)
      if (needed == one.name ||
          std::ranges::find(exercise.requirements, needed, &Requirement::name) ==
              exercise.requirements.end())
        reader.throw_file_error("\"" + one.name + "\" needs \"" + needed +
                                "\", which is no other requirement");
  return exercise;
}

std::vector<Exercise> read_exercises(const fs::path& root) {
  std::vector<Exercise> all;
  for (const auto& chapter : fs::directory_iterator(root / "chapters")) {
    const fs::path folder = chapter.path() / "exercises";
    if (!fs::is_directory(folder)) continue;
    for (const auto& one : fs::directory_iterator(folder))
      if (one.is_directory()) all.push_back(read_exercise(one.path()));
  }
  std::ranges::sort(all, {},
                    [](const Exercise& one) { return std::pair(one.chapter, one.number); });
  const auto twice = std::ranges::adjacent_find(all, {}, &Exercise::id);
  if (twice != all.end())
    throw std::runtime_error(twice->folder.string() + ": another exercise has the number " +
                             twice->id);
  return all;
}

std::string starter_of(const Exercise& exercise) { return lines_for(exercise, false); }
std::string solution_of(const Exercise& exercise) { return lines_for(exercise, true); }

}  // namespace coursework
