#include "tools/coursework/grade/people.hpp"

#include <yaml-cpp/yaml.h>

#include "tools/coursework/grade/names.hpp"

namespace coursework {
namespace {

std::string text_of(const YAML::Node& person, const char* key) {
  const YAML::Node value = person[key];
  return value && value.IsScalar() ? printable(value.Scalar()) : std::string();
}

}  // namespace

std::map<std::string, std::vector<Person>> read_people(const std::string& list) {
  std::map<std::string, std::vector<Person>> people;
  try {
    const YAML::Node all = YAML::Load(list);
    if (!all.IsMap()) return {};
    for (const auto& entry : all) {
      if (!entry.first.IsScalar() || !entry.second.IsMap()) continue;
      const YAML::Node submitters = entry.second[":submitters"];
      if (!submitters || !submitters.IsSequence()) continue;
      for (const YAML::Node& one : submitters)
        if (one.IsMap())
          people[entry.first.Scalar()].push_back(
              {text_of(one, ":name"), text_of(one, ":email"), text_of(one, ":sid")});
    }
  } catch (const YAML::Exception&) {
    return {};
  }
  return people;
}

}  // namespace coursework
