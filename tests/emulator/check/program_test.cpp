// Tests the output and exit status of a whole program when it is checked.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/json_schema.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace {

const std::string kAllocation = "48";  // a line of faulty_program.cu

using Environment = std::map<std::string, std::string>;

tools::CommandResult run(const std::string& mistake, Environment environment) {
  tools::CommandOptions options;
  options.environment = std::move(environment);
  options.unset = {"COURSE_CHECK", "COURSE_CHECK_REPORT", "COURSE_SCHEDULES"};
  for (const auto& [name, value] : options.environment) std::erase(options.unset, name);
  return tools::run_command({FAULTY_PROGRAM, mistake}, options);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a checked program with a mistake ends with status 1, without one with its own") {
  const auto well = run("", {{"COURSE_CHECK", "all"}});
  CHECK(well.status == 0);
  CHECK(well.out == "cudaSuccess\n");
  CHECK(well.err == "========= checked: 0 errors, 0 warnings\n");
  const auto faulty = run("many", {{"COURSE_CHECK", "all"}});
  CHECK(faulty.status == 1);
  CHECK(faulty.out == "cudaSuccess\n");  // the program itself goes on
  CHECK(
      contains(faulty.err, "========= racecheck error: race (read after write) in shared memory"));
  CHECK(contains(faulty.err, "    kernel   reverse\n"));
  CHECK(contains(faulty.err, "read at faulty_program.cu:14 by thread (32,0,0) of block (0,0,0)\n"));
  CHECK(contains(faulty.err, "0 bytes past the end of an allocation of 4000 bytes"));
  const auto unchecked = run("many", {});
  CHECK(unchecked.status == 0);
  CHECK(unchecked.err.empty());
}

TEST_CASE("one check alone") {
  const auto memory = run("many", {{"COURSE_CHECK", "memcheck"}});
  CHECK(memory.status == 1);
  CHECK(contains(memory.err, "========= memcheck error"));
  CHECK_FALSE(contains(memory.err, "racecheck"));
  const auto race = run("many", {{"COURSE_CHECK", "synccheck,racecheck"}});
  CHECK(contains(race.err, "========= racecheck error"));
  CHECK_FALSE(contains(race.err, "memcheck"));
  CHECK(run("many", {{"COURSE_CHECK", "synccheck"}}).status == 0);
  CHECK(run("many", {{"COURSE_CHECK", "off"}}).err.empty());
}

TEST_CASE("as JSON, by its schema, the same bytes for any number of threads") {
  const auto schema = tools::parse_json(tools::read_file(FINDINGS_SCHEMA));
  const Environment environment = {{"COURSE_CHECK", "all"}, {"COURSE_CHECK_REPORT", "json"}};
  const auto once = run("many", environment);
  const auto document = tools::parse_json(once.err);
  CHECK(test_support::schema_faults(schema, document).empty());
  CHECK(document["findings"].size() >= 4);
  CHECK(document["findings"][0]["kernel"] == "reverse");
  for (const char* threads : {"1", "2", "7"}) {
    Environment more = environment;
    more["COURSE_THREADS"] = threads;
    CHECK(run("many", more).err == once.err);
  }
  const tools::TemporaryFolder folder;
  const std::string file = (folder.path() / "findings.json").string();
  const auto to_file =
      run("many", {{"COURSE_CHECK", "all"}, {"COURSE_CHECK_REPORT", "json:" + file}});
  CHECK(to_file.err.empty());
  CHECK(to_file.status == 1);
  CHECK(tools::read_file(file) == once.err);
}

TEST_CASE("host code that touches device memory") {
  const auto host = run("host", {{"COURSE_CHECK", "all"}});
  CHECK(host.status == 1);
  CHECK(contains(host.err, "========= memcheck error: host code touches device memory"));
  CHECK(contains(host.err, "faulty_program.cu:61"));
  const auto host_json = run("host", {{"COURSE_CHECK", "all"}, {"COURSE_CHECK_REPORT", "json"}});
  CHECK(tools::parse_json(host_json.err)["findings"][0]["kind"] == "host_access");
}

TEST_CASE("memory that is never freed: how much, and which call allocated it") {
  for (const char* checks : {"all", "leakcheck", "off,leakcheck"}) {
    CAPTURE(checks);
    const auto leak = run("leak", {{"COURSE_CHECK", checks}});
    CHECK(leak.status == 1);
    CHECK(contains(leak.err, "memcheck error: 4000 bytes of device memory are never freed\n"));
    CHECK(contains(leak.err, "    where    cudaMalloc at faulty_program.cu:" + kAllocation));
    CHECK(contains(leak.err, "checked: 1 error, 0 warnings"));
    CHECK(run("", {{"COURSE_CHECK", checks}}).status == 0);
  }
  CHECK(run("leak", {{"COURSE_CHECK", "memcheck"}}).status == 0);
  const auto managed = run("managed leak", {{"COURSE_CHECK", "all"}});
  CHECK(managed.status == 1);
  CHECK(contains(managed.err, "memcheck error: 1 byte of managed memory is never freed\n"));
  CHECK(contains(managed.err, "    where    cudaMallocManaged at faulty_program.cu:"));
  const auto reset = run("leak until the reset", {{"COURSE_CHECK", "all"}});
  CHECK(reset.status == 1);
  CHECK(contains(reset.err, "4000 bytes of device memory are never freed"));
  // Equal findings of one line are reported once, with their sum.
  const auto several = run("several leaks", {{"COURSE_CHECK", "all"}});
  CHECK(contains(several.err, "memcheck error: 10 bytes of device memory are never freed\n"));
  CHECK(contains(several.err, "memcheck error: 33 bytes of device memory are never freed\n"));
  CHECK(contains(several.err, "checked: 2 errors, 0 warnings"));
  CHECK(
      contains(several.err,
               "5x memcheck error: 10 bytes of device memory are never freed, 50 bytes in all ("));
  const auto json = run("leak", {{"COURSE_CHECK", "all"}, {"COURSE_CHECK_REPORT", "json"}});
  const auto document = tools::parse_json(json.err);
  CHECK(test_support::schema_faults(tools::parse_json(tools::read_file(FINDINGS_SCHEMA)), document)
            .empty());
  CHECK(document["findings"][0]["kind"] == "leak");
  CHECK(document["findings"][0]["bytes"] == 4000);
}

TEST_CASE("a program that gives up, or whose kernel failed, is not told what it did not free") {
  const auto gives_up = run("gives up", {{"COURSE_CHECK", "all"}});
  CHECK(gives_up.status == 3);
  CHECK_FALSE(contains(gives_up.err, "never freed"));
  const auto failed = run("null", {{"COURSE_CHECK", "all"}});
  CHECK(failed.status == 1);
  CHECK_FALSE(contains(failed.err, "never freed"));
}

TEST_CASE("a failed call is reported in compute-sanitizer's words, counted, and the status is 1") {
  const auto text = run("failed call", {{"COURSE_CHECK", "all"}});
  CHECK(text.status == 1);
  CHECK(contains(text.err,
                 "Program hit cudaErrorInvalidValue (error 1) due to \"invalid argument\" on CUDA "
                 "API call to cudaMemcpy\n"));
  CHECK(contains(text.err, "    where    cudaMemcpy at faulty_program.cu:"));
  CHECK(contains(text.err, "checked: 1 error, 0 warnings"));
  const auto json = run("failed call", {{"COURSE_CHECK", "all"}, {"COURSE_CHECK_REPORT", "json"}});
  CHECK(json.status == 1);
  CHECK(tools::parse_json(json.err)["findings"][0]["kind"] == "failed_call");
}

TEST_CASE("a kernel that fails for no finding is told by the call that hears of it, once") {
  const auto failed = run("assert", {{"COURSE_CHECK", "all"}});
  CHECK(failed.status == 1);
  CHECK(contains(failed.err,
                 "Program hit cudaErrorAssert (error 710) due to \"device-side assert "
                 "triggered\" on CUDA API call to cudaDeviceSynchronize\n"));
  CHECK(contains(failed.err, "checked: 1 error, 0 warnings"));  // cudaFree fails, too
}

TEST_CASE("blocks of a cluster are checked like others") {
  const auto well = run("none in a cluster", {{"COURSE_CHECK", "all"}});
  CHECK(well.status == 0);
  CHECK(well.err == "========= checked: 0 errors, 0 warnings\n");
  const auto too_far = run("too far in a cluster", {{"COURSE_CHECK", "all"}});
  CHECK(too_far.status == 1);
  CHECK(contains(too_far.err, "0 bytes past the end of an allocation of 4000 bytes"));
}

TEST_CASE("schedules find what depends on the order, and the order can be had again") {
  const auto found = run("many", {{"COURSE_SCHEDULES", "6"}});
  CHECK(found.status == 1);
  CHECK(contains(found.err, "========= schedules error"));
  CHECK(contains(found.err, "COURSE_PREEMPT="));
  CHECK(run("", {{"COURSE_SCHEDULES", "6"}}).status == 0);
  CHECK(run("", {{"COURSE_PREEMPT", "3"}}).out == "cudaSuccess\n");
}

TEST_CASE("a word that is no check is refused") {
  const auto unknown = run("", {{"COURSE_CHECK", "memchk"}});
  CHECK(unknown.status == 2);
  CHECK(tools::lines_of(unknown.err).size() == 1);
  CHECK(contains(unknown.err, "COURSE_CHECK=memchk is not all, off or a list of memcheck"));
  CHECK(run("", {{"COURSE_CHECK_REPORT", "xml"}}).status == 2);
  CHECK(run("", {{"COURSE_SCHEDULES", "many"}}).status == 2);
}
