/// coursework-compile: makes a runner of one submission, inside the sandbox. It finds its task in
/// request.json of the folder that it starts in, and leaves report.json and the program there.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "tools/coursework/judging/compile.hpp"
#include "tools/coursework/judging/verdict.hpp"
#include "tools/support/subprocess.hpp"

namespace {

using namespace coursework;
using json = nlohmann::ordered_json;

void compile() {
  const json request = json::parse(tools::read_file("request.json"));
  Exercise exercise;
  exercise.id = request.at("exercise");
  exercise.kernels = request.at("kernels").get<std::vector<std::string>>();
  const Compiled compiled = compile_plain(exercise, request.at("source").get<std::string>(), ".");
  const json report = {
      {"outcome", name_of(compiled.ok ? Outcome::points : Outcome::does_not_compile)},
      {"message", compiled.ok ? "" : "The compiler's messages stand below."},
      {"output", compiled.output}};
  std::ofstream("report.json") << report.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

int main() {
  try {
    compile();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "coursework-compile: " << error.what() << '\n';
    return 2;
  }
}
