/// coursework list: the exercises, one a line, or all about them as JSON.

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/coursework/command.hpp"
#include "tools/coursework/list/listing.hpp"
#include "tools/support/project.hpp"

namespace coursework::list_command {
namespace {

int list(const std::string& json_file) {
  const auto all = read_exercises(tools::source_folder());
  if (json_file.empty()) {
    std::cout << listing_text(all);
    return 0;
  }
  const std::string text = listing_json(all).dump(2) + "\n";
  if (json_file == "-") {
    std::cout << text;
    return 0;
  }
  std::ofstream stream(json_file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + json_file);
  return 0;
}

Action add(CLI::App& app) {
  auto json_file = std::make_shared<std::string>();
  app.add_option("--json", *json_file, "write all about them to this file; - is standard output");
  return [json_file] { return list(*json_file); };
}

const Command command("list", "the exercises and their points", add);

}  // namespace
}  // namespace coursework::list_command
