#include "support/json_schema.hpp"
#include "tools/support/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string_view>

namespace test_support {
namespace {

using nlohmann::json;
using Faults = std::vector<std::string>;

/// Keywords that describe the schema and do not restrict the value.
const std::set<std::string, std::less<>> kAnnotations = {
    "$schema", "$id", "$defs", "$comment", "title", "description", "examples", "default"};

/// Keywords that are handled with the keyword that they belong to.
const std::set<std::string, std::less<>> kCompanions = {"then", "else"};

bool has_type(const json& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") {
    if (!value.is_number_float()) return value.is_number_integer();
    const auto number = value.get<double>();
    return std::isfinite(number) && std::floor(number) == number;
  }
  throw std::invalid_argument("unknown type " + type);
}

class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  Faults faults(const json& schema, const json& value, const std::string& place) const {
    if (schema.is_boolean())
      return schema.get<bool>() ? Faults() : Faults{place + " may not be there"};
    if (!schema.is_object()) throw std::invalid_argument("a schema is an object or a boolean");
    Faults all;
    for (const auto& [keyword, argument] : schema.items()) {
      const Faults more = apply(keyword, argument, schema, value, place);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

 private:
  Faults apply(const std::string& keyword, const json& argument, const json& schema,
               const json& value, const std::string& place) const {
    if (kAnnotations.contains(keyword) || kCompanions.contains(keyword)) return {};
    const auto fault_unless = [&place](bool is_good, const std::string& what) {
      return is_good ? Faults() : Faults{place + " " + what};
    };
    if (keyword == "$ref") return faults(resolve(argument.get<std::string>()), value, place);
    if (keyword == "type") {
      const json types = argument.is_array() ? argument : json::array({argument});
      const auto fits = [&value](const json& type) {
        return has_type(value, type.get<std::string>());
      };
      return fault_unless(std::any_of(types.begin(), types.end(), fits),
                          "is " + value.dump() + ", not of type " + argument.dump());
    }
    if (keyword == "const")
      return fault_unless(value == argument, "is " + value.dump() + ", not " + argument.dump());
    if (keyword == "enum") {
      return fault_unless(std::find(argument.begin(), argument.end(), value) != argument.end(),
                          "is " + value.dump() + ", none of " + argument.dump());
    }
    if (keyword == "minimum") {
      return fault_unless(!value.is_number() || value >= argument,
                          "is " + value.dump() + ", below " + argument.dump());
    }
    if (keyword == "maximum") {
      return fault_unless(!value.is_number() || value <= argument,
                          "is " + value.dump() + ", above " + argument.dump());
    }
    if (keyword == "minLength") {
      return fault_unless(
          !value.is_string() || value.get<std::string>().size() >= argument.get<std::size_t>(),
          "is too short");
    }
    if (keyword == "pattern") {
      const tools::Pattern pattern(argument.get<std::string>());
      return fault_unless(!value.is_string() || pattern.search(value.get_ref<const std::string&>()),
                          "is " + value.dump() + ", which does not match " + argument.dump());
    }
    if (keyword == "required") return required(argument, value, place);
    if (keyword == "properties") return properties(argument, value, place);
    if (keyword == "additionalProperties") return additional(argument, schema, value, place);
    if (keyword == "items") return items(argument, value, place);
    if (keyword == "not") {
      return fault_unless(!faults(argument, value, place).empty(),
                          "is what it must not be: " + argument.dump());
    }
    if (keyword == "oneOf") {
      const auto fits = [&](const json& option) { return faults(option, value, place).empty(); };
      return fault_unless(std::count_if(argument.begin(), argument.end(), fits) == 1,
                          "fits not exactly one of " + argument.dump() + ": " + value.dump());
    }
    if (keyword == "if") {
      const char* branch = faults(argument, value, place).empty() ? "then" : "else";
      return schema.contains(branch) ? faults(schema.at(branch), value, place) : Faults();
    }
    throw std::invalid_argument("the validator does not understand the keyword " + keyword);
  }

  const json& resolve(const std::string& reference) const {
    if (!reference.starts_with("#"))
      throw std::invalid_argument("only local references: " + reference);
    return root_.at(json::json_pointer(reference.substr(1)));
  }

  static Faults required(const json& names, const json& value, const std::string& place) {
    Faults all;
    if (!value.is_object()) return all;
    for (const json& name : names) {
      if (!value.contains(name.get<std::string>())) all.push_back(place + " has no " + name.dump());
    }
    return all;
  }

  Faults properties(const json& schemas, const json& value, const std::string& place) const {
    Faults all;
    if (!value.is_object()) return all;
    for (const auto& [name, schema] : schemas.items()) {
      if (!value.contains(name)) continue;
      const Faults more = faults(schema, value.at(name), place + "/" + name);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  Faults additional(const json& argument, const json& schema, const json& value,
                    const std::string& place) const {
    Faults all;
    if (!value.is_object()) return all;
    const json named = schema.value("properties", json::object());
    for (const auto& [name, property] : value.items()) {
      if (named.contains(name)) continue;
      const Faults more = faults(argument, property, place + "/" + name);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  Faults items(const json& schema, const json& value, const std::string& place) const {
    Faults all;
    if (!value.is_array()) return all;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Faults more = faults(schema, value[i], place + "/" + std::to_string(i));
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  const json& root_;
};

}  // namespace

std::vector<std::string> schema_faults(const json& schema, const json& value) {
  return Validator(schema).faults(schema, value, "");
}

}  // namespace test_support
