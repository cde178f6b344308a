/// coursework-compile STAGE: compiles a runner of one submission inside the sandbox. Reads its task
/// from request.json in the current folder, and writes its answer to report.json.
///
///     assembly   compiles the student's file to submission.s, which is not trusted
///     program    builds the confined program `submission` from submission.s

#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "tools/coursework/confine/confine.hpp"
#include "tools/coursework/judging/compile.hpp"
#include "tools/coursework/judging/compiler_output.hpp"
#include "tools/coursework/judging/verdict.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace {

using namespace coursework;
using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Request {
  std::string exercise;
  confine::Submission submission;
};

Request read_request() {
  const json request = tools::parse_ordered_json(tools::read_file("request.json"));
  Request result;
  result.exercise = request.at("exercise");
  result.submission.folder = fs::current_path();
  result.submission.source = fs::current_path() / request.at("source").get<std::string>();
  result.submission.kernels = request.at("kernels").get<std::vector<std::string>>();
  return result;
}

void report(Outcome outcome, const std::string& message, const std::string& output) {
  const json answer = {{"outcome", name_of(outcome)}, {"message", message}, {"output", output}};
  std::ofstream("report.json") << answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Returns a refusal as text: "02_1_row.cu:12: no assembly (rule "assembly")".
std::string text_of(const confine::Refusal& refusal, const std::string& file) {
  const std::string place = refusal.line > 0 ? file + ":" + std::to_string(refusal.line) : file;
  return place + ": " + refusal.message + " (rule \"" + refusal.rule + "\").";
}

/// Returns true if the stage has succeeded.
bool report_on(const confine::ConfinedObject& made, const Request& request) {
  const std::string file = request.submission.source.filename().string();
  const std::string output = cut_to(file, made.compiler_output);
  if (made.refusal) {
    const bool is_missing = made.refusal->rule == "kernel-missing";
    report(is_missing ? Outcome::does_not_compile : Outcome::refused, text_of(*made.refusal, file),
           output);
  } else if (!made.compiles) {
    report(Outcome::does_not_compile, "The compiler's messages stand below.", output);
  } else {
    report(Outcome::points, "", output);
  }
  return made.ok();
}

void make_assembly(const Request& request) {
  report_on(confine::compile_to_assembly(request.submission), request);
}

void make_program(const Request& request) {
  const auto made =
      confine::confine_assembly(request.submission, request.submission.folder / "submission.s");
  if (!report_on(made, request)) return;
  tools::CommandOptions options;
  options.time_limit = std::chrono::hours(24);  // the sandbox enforces the limits
  const auto linked = link_runner(request.exercise, made.object, {"libcoursework_confined.a"},
                                  "submission", options);
  if (linked.status != 0) throw std::runtime_error("the linker says: " + linked.err);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string stage = argc == 2 ? argv[1] : "";
    if (stage == "assembly") {
      make_assembly(read_request());
    } else if (stage == "program") {
      make_program(read_request());
    } else {
      throw std::invalid_argument("the stage is assembly or program");
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "coursework-compile: " << error.what() << '\n';
    return 2;
  }
}
