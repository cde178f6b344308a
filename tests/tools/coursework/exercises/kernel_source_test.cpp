#include "tools/coursework/exercises/kernel_source.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using coursework::Exercise;

namespace {

/// An exercise's folder, and the program that writes the list of its kernels.
struct OnDisk {
  tools::TemporaryFolder root;
  fs::path description =
      root.write("chapters/09_made_up/exercises/2_nothing/exercise.json", R"json({
        "title": "Nothing", "kernels": ["void nothing(int n)"], "cases": {"results": [{"n": 1}]},
        "requirements": [{"name": "result", "points": 1, "text": "All."}]})json");
  fs::path list = root.path() / "kernels.cpp";

  void write(const std::string& text) const {
    root.write(fs::relative(description, root.path()), text);
  }
  tools::CommandResult run() const {
    return tools::run_command({COURSE_PROGRAM_FOLDER "/write_kernels",
                               description.parent_path().string(), list.string()});
  }
};

}  // namespace

TEST_CASE("the list of kernels has each with its declaration, and the headers of its parameters") {
  Exercise exercise;
  exercise.id = "10_1";
  exercise.kernels = {"void scale(int n, float* data)", "void halves(const __half *in, int* out)"};
  CHECK(kernel_source(exercise) == R"(// The kernels of exercise 10_1, written by write_kernels.
#include <cuda_fp16.h>
#include "tools/coursework/runner/kernels.hpp"

void scale(int n, float* data);
void halves(const __half *in, int* out);

namespace coursework {

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = {
      kernel("scale", &::scale),
      kernel("halves", &::halves),
  };
  return all;
}

}  // namespace coursework
)");
  exercise.kernels.pop_back();
  CHECK(kernel_headers(exercise) == "");
  exercise.kernels.push_back("void layer(__nv_bfloat16* C)");
  CHECK(kernel_headers(exercise) == "#include <cuda_bf16.h>\n");
  exercise.kernels.pop_back();
  CHECK(kernel_entries(exercise, "answer_3") == "      kernel(\"scale\", &answer_3::scale),\n");
}

TEST_CASE("a list is written again only if it has changed") {
  const OnDisk exercise;
  CHECK(exercise.run().status == 0);
  CHECK(tools::read_file(exercise.list) ==
        kernel_source(coursework::read_exercise(exercise.description.parent_path())));
  const auto long_ago = fs::last_write_time(exercise.list) - std::chrono::hours(1);
  fs::last_write_time(exercise.list, long_ago);
  CHECK(exercise.run().status == 0);
  CHECK(fs::last_write_time(exercise.list) == long_ago);

  std::string text = tools::read_file(exercise.description);
  exercise.write(text.replace(text.find("(int n)"), 7, "(int m)"));
  CHECK(exercise.run().status == 0);
  CHECK(fs::last_write_time(exercise.list) > long_ago);
  CHECK(tools::read_file(exercise.list).find("void nothing(int m);") != std::string::npos);
}

TEST_CASE("a description that cannot be read is one line with the file's name, and no list") {
  const OnDisk exercise;
  const std::string good = tools::read_file(exercise.description);
  const auto is_refused = [&](const std::string& text) {
    CAPTURE(text);
    exercise.write(text);
    const auto result = exercise.run();
    CHECK(result.status == 2);
    CHECK(result.out == "");
    CHECK(result.err.starts_with(exercise.description.string() + ": "));
    CHECK(tools::lines_of(result.err).size() == 1);
    CHECK_FALSE(fs::exists(exercise.list));
  };
  is_refused("");
  is_refused(good.substr(0, good.size() - 1));
  for (const char* signature : {"nothing", "int nothing(int n)", "void nothing(int n"}) {
    std::string text = good;
    is_refused(text.replace(text.find("void nothing(int n)"), 19, signature));
  }
  fs::remove(exercise.description);
  const auto result = exercise.run();
  CHECK(result.status == 2);
  CHECK(result.err.find(exercise.description.string()) != std::string::npos);
}
