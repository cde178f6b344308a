#include "tools/coursework/list/listing.hpp"

#include <nlohmann/json.hpp>

namespace coursework {
namespace {

using json = nlohmann::ordered_json;

std::string name_of(Requirement::Kind kind) {
  switch (kind) {
    case Requirement::Kind::result:
      return "result";
    case Requirement::Kind::measure:
      return "measure";
    case Requirement::Kind::clean:
      return "clean";
  }
  return "";
}

json json_of(const Requirement& one) {
  json object = {
      {"name", one.name}, {"kind", name_of(one.kind)}, {"points", one.points}, {"text", one.text}};
  if (!one.group.empty()) object["cases"] = one.group;
  if (one.kind == Requirement::Kind::measure)
    object.update({{"measure", one.measure},
                   {"unit", one.unit},
                   {"at_least", one.at_least},
                   {"at_most", one.at_most}});
  if (!one.tools.empty()) object["clean"] = one.tools;
  if (!one.needs.empty()) object["needs"] = one.needs;
  return object;
}

json public_cases(const Exercise& exercise) {
  json groups = json::object();
  for (const auto& [name, group] : exercise.groups) {
    groups[name] = json::array();
    for (const Case& one : group.cases) {
      json sizes = json::object();
      for (const auto& [size, value] : one) sizes[size] = value;
      groups[name].push_back(sizes);
    }
  }
  return groups;
}

json listed(const Exercise& exercise) {
  json object = {{"id", exercise.id},
                 {"chapter", exercise.chapter},
                 {"number", exercise.number},
                 {"title", exercise.title},
                 {"file", exercise.file_name()},
                 {"points", exercise.points()},
                 {"hints", exercise.hints.size()},
                 {"kernels", exercise.kernels},
                 {"requirements", json::array()},
                 {"cases", public_cases(exercise)}};
  for (const Requirement& one : exercise.requirements)
    object["requirements"].push_back(json_of(one));
  return object;
}

}  // namespace

std::string listing_of(const std::vector<Exercise>& all) {
  json document = {{"schema", 1}, {"exercises", json::array()}};
  for (const Exercise& one : all) document["exercises"].push_back(listed(one));
  return document.dump(2) + "\n";
}

}  // namespace coursework
