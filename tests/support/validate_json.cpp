/// validate_json SCHEMA FILE...: exits with 0 if every file matches the schema, 1 if one does not,
/// 2 if one cannot be read; the file - is standard input.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "support/json_schema.hpp"

namespace {

nlohmann::json read_json(const std::string& path) {
  if (path == "-") return nlohmann::json::parse(std::cin);
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " cannot be read");
  return nlohmann::json::parse(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: validate_json SCHEMA FILE...\n", stderr);
    return 2;
  }
  try {
    const nlohmann::json schema = read_json(argv[1]);
    bool all_valid = true;
    for (int i = 2; i < argc; ++i) {
      for (const std::string& fault : test_support::schema_faults(schema, read_json(argv[i]))) {
        std::fprintf(stderr, "%s: %s\n", argv[i], fault.c_str());
        all_valid = false;
      }
    }
    return all_valid ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "validate_json: %s\n", error.what());
    return 2;
  }
}
