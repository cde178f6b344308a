// What a whole program says and returns when it is checked.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/json_schema.hpp"
#include "tools/support/subprocess.hpp"

namespace {

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
  CHECK(contains(faulty.err, "read at faulty_program.cu:13 by thread (32,0,0) of block (0,0,0)\n"));
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
  const auto schema = nlohmann::json::parse(tools::read_file(FINDINGS_SCHEMA));
  const Environment environment = {{"COURSE_CHECK", "all"}, {"COURSE_CHECK_REPORT", "json"}};
  const auto once = run("many", environment);
  const auto document = nlohmann::json::parse(once.err);
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

TEST_CASE("host code that touches device memory, and memory that is never freed") {
  const auto host = run("host", {{"COURSE_CHECK", "all"}});
  CHECK(host.status == 1);
  CHECK(contains(host.err, "========= memcheck error: host code touches device memory"));
  CHECK(contains(host.err, "faulty_program.cu:58"));
  const auto host_json = run("host", {{"COURSE_CHECK", "all"}, {"COURSE_CHECK_REPORT", "json"}});
  CHECK(nlohmann::json::parse(host_json.err)["findings"][0]["kind"] == "host_access");
  CHECK(run("leak", {{"COURSE_CHECK", "all"}}).status == 0);  // only on request
  const auto leak = run("leak", {{"COURSE_CHECK", "leakcheck"}});
  CHECK(leak.status == 1);
  CHECK(contains(leak.err, "4000 bytes of device memory are never freed"));
  CHECK(run("", {{"COURSE_CHECK", "leakcheck"}}).status == 0);
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
