#include "support/json_schema.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

using nlohmann::json;
using test_support::schema_faults;

namespace {

bool is_valid(const char* schema, const char* value) {
  return schema_faults(tools::parse_json(schema), tools::parse_json(value)).empty();
}

}  // namespace

TEST_CASE("types") {
  CHECK(is_valid(R"({"type": "integer"})", "3"));
  CHECK(is_valid(R"({"type": "integer"})", "3.0"));
  CHECK_FALSE(is_valid(R"({"type": "integer"})", "3.5"));
  CHECK_FALSE(is_valid(R"({"type": "integer"})", "true"));
  CHECK(is_valid(R"({"type": "number"})", "3"));
  CHECK_FALSE(is_valid(R"({"type": "number"})", "\"3\""));
  CHECK(is_valid(R"({"type": ["number", "null"]})", "null"));
  CHECK_FALSE(is_valid(R"({"type": ["number", "null"]})", "[]"));
  CHECK(is_valid(R"({"type": "boolean"})", "false"));
  CHECK(is_valid(R"({"type": "object"})", "{}"));
  CHECK_THROWS_AS(is_valid(R"({"type": "whole"})", "3"), std::invalid_argument);
}

TEST_CASE("values") {
  CHECK(is_valid(R"({"const": 1})", "1"));
  CHECK_FALSE(is_valid(R"({"const": 1})", "2"));
  CHECK(is_valid(R"({"enum": ["a", 2]})", "2"));
  CHECK_FALSE(is_valid(R"({"enum": ["a", 2]})", "\"b\""));
  CHECK(is_valid(R"({"minimum": 0, "maximum": 1})", "1"));
  CHECK_FALSE(is_valid(R"({"minimum": 0})", "-0.5"));
  CHECK_FALSE(is_valid(R"({"maximum": 1})", "1.5"));
  CHECK(is_valid(R"({"minimum": 0})", "null"));
  CHECK_FALSE(is_valid(R"({"minLength": 1})", "\"\""));
  CHECK(is_valid(R"({"pattern": "^a"})", "\"ab\""));
  CHECK_FALSE(is_valid(R"({"pattern": "^a"})", "\"ba\""));
}

TEST_CASE("objects and arrays") {
  CHECK_FALSE(is_valid(R"({"required": ["a"]})", "{}"));
  CHECK(is_valid(R"({"required": ["a"]})", R"({"a": null})"));
  CHECK_FALSE(is_valid(R"({"properties": {"a": {"type": "null"}}})", R"({"a": 1})"));
  CHECK(is_valid(R"({"properties": {"a": {"type": "null"}}})", R"({"b": 1})"));
  CHECK_FALSE(
      is_valid(R"({"properties": {"a": true}, "additionalProperties": false})", R"({"b": 1})"));
  CHECK_FALSE(is_valid(R"({"additionalProperties": {"type": "null"}})", R"({"b": 1})"));
  CHECK_FALSE(is_valid(R"({"items": {"type": "null"}})", "[null, 1]"));
  CHECK(is_valid(R"({"items": {"type": "null"}})", "[null, null]"));
}

TEST_CASE("combinations and references") {
  CHECK_FALSE(is_valid(R"({"not": {"type": "null"}})", "null"));
  CHECK(is_valid(R"({"oneOf": [{"type": "null"}, {"minimum": 3}]})", "3"));
  CHECK_FALSE(is_valid(R"({"oneOf": [{"type": "number"}, {"minimum": 3}]})", "3"));
  const char* conditional =
      R"({"if": {"const": 1}, "then": {"type": "number"}, "else": {"type": "string"}})";
  CHECK(is_valid(conditional, "1"));
  CHECK(is_valid(conditional, "\"x\""));
  CHECK_FALSE(is_valid(conditional, "2"));
  CHECK_FALSE(is_valid(R"({"$ref": "#/$defs/a", "$defs": {"a": {"const": 1}}})", "2"));
  CHECK_THROWS_AS(is_valid(R"({"$ref": "other.json"})", "2"), std::invalid_argument);
}

TEST_CASE("a fault names its place") {
  const json schema =
      tools::parse_json(R"({"properties": {"runs": {"items": {"required": ["kernel"]}}}})");
  const std::vector<std::string> faults =
      schema_faults(schema, tools::parse_json(R"({"runs": [{"kernel": 1}, {}]})"));
  REQUIRE(faults.size() == 1);
  CHECK(faults[0] == "/runs/1 has no \"kernel\"");
}

TEST_CASE("a keyword that is not understood is not ignored") {
  CHECK_THROWS_AS(is_valid(R"({"minProperties": 1})", "{}"), std::invalid_argument);
}

TEST_CASE("validate_json tells by its exit status") {
  const tools::TemporaryFolder folder;
  const std::string schema = folder.write("schema.json", R"({"type": "null"})");
  const std::string good = folder.write("good.json", "null");
  const std::string bad = folder.write("bad.json", "1");
  const auto status = [](const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {COURSE_VALIDATE_JSON};
    command.insert(command.end(), arguments.begin(), arguments.end());
    tools::CommandOptions options;
    options.input = "null";
    return tools::run_command(command, options).status;
  };
  CHECK(status({schema, good}) == 0);
  CHECK(status({schema, "-"}) == 0);
  CHECK(status({schema, good, bad}) == 1);
  CHECK(status({schema}) == 2);
  CHECK(status({schema, folder.path() / "missing.json"}) == 2);
  CHECK(status({schema, folder.write("broken.json", "{")}) == 2);
}
