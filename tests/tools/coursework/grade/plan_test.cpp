/// Tests that results which would be lost are not overwritten.

#include "tools/coursework/grade/plan.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tools/coursework/grade/files.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;
namespace fs = std::filesystem;

namespace {

Student student(const std::string& folder) { return {folder, folder, {}, {}}; }

Plan plan_of_02() {
  Plan plan;
  plan.chapter = "02_coalescing";
  plan.exercises = {"02_1", "02_2"};
  plan.exercise_digests = {"a", "b"};
  plan.all.students = {student("anna"), student("bert")};
  return plan;
}

}  // namespace

TEST_CASE("results of other exercises, students or parts are not replaced") {
  const tools::TemporaryFolder out;
  const auto refusal = [&](const Plan& plan) -> std::string {
    try {
      require_same_results(out.path(), plan);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  };
  const auto check_refused = [&](const Plan& plan, const std::string& what) {
    CHECK(refusal(plan) ==
          out.path().string() + " holds " + what + ", which would be lost; choose another --out");
  };
  Plan plan = plan_of_02();
  CHECK(refusal(plan).empty());
  out.write("plan.json", json_of(plan).dump());
  CHECK(refusal(plan).empty());

  plan.exercises.push_back("02_3");  // further exercises lose nothing
  plan.exercise_digests = {"other", "than", "before"};
  plan.all.students = {student("bert"), student("carl")};
  CHECK(refusal(plan).empty());

  plan = plan_of_02();
  plan.chapter = "08_warp_primitives";
  check_refused(plan, "results of 02_coalescing");
  plan = plan_of_02();
  plan.exercises = {"02_1"};
  check_refused(plan, "results of the exercise 02_2");
  plan = plan_of_02();
  plan.all.students = {student("carl")};
  check_refused(plan, "results of other students");
  plan = plan_of_02();
  plan.shard = {1, 20};
  check_refused(plan, "results of the whole class");
  out.write("plan.json", json_of(plan).dump());
  plan.shard = {2, 20};
  check_refused(plan, "results of the part 1/20");
}

TEST_CASE("a folder that no run has made is not written over") {
  const tools::TemporaryFolder out;
  out.write("notes.txt", "");
  CHECK_NOTHROW(require_same_results(out.path(), plan_of_02()));
  out.write("students/list.txt", "");
  CHECK_THROWS_WITH_AS(require_same_results(out.path(), plan_of_02()),
                       doctest::Contains("something called students"), std::runtime_error);
  out.write("seed", "1\n");  // left by a run that was killed before it had a plan
  CHECK_NOTHROW(require_same_results(out.path(), plan_of_02()));
}

TEST_CASE("a folder that is not kept goes away again, with those made above it") {
  const tools::TemporaryFolder folder;
  folder.write("there/file", "");
  const auto make = [&](const std::string& name, bool keep) {
    NewFolder made(folder.path() / name);
    folder.write(name + "/inside", "");
    if (keep) made.keep();
  };
  make("a/b/c", false);
  CHECK_FALSE(fs::exists(folder.path() / "a"));
  make("there/b", false);
  CHECK(fs::exists(folder.path() / "there/file"));
  CHECK_FALSE(fs::exists(folder.path() / "there/b"));
  make("there", false);
  CHECK(fs::exists(folder.path() / "there/inside"));
  make("a/b/", true);
  CHECK(fs::exists(folder.path() / "a/b/inside"));
}
