// Tests a program's listing of its kernels: counters per line, compared with calculations and their
// sum.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/json_schema.hpp"
#include "support/markup.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using tools::CommandResult;
using Environment = std::map<std::string, std::string>;
using Words = std::vector<std::string>;

CommandResult run(const Words& command, const Environment& environment) {
  tools::CommandOptions options;
  options.environment = environment;
  options.unset = {"COURSE_COUNTERS", "COURSE_PROFILE", "COURSE_PROFILE_KERNEL"};
  for (const auto& [name, value] : environment) std::erase(options.unset, name);
  options.time_limit = std::chrono::seconds(300);
  return tools::run_command(command, options);
}

CommandResult run(Environment environment, const std::string& wish = "") {
  return run({PROFILED_PROGRAM, wish}, environment);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

json profile(const std::string& kernel) {
  const CommandResult result = run({{"COURSE_PROFILE", "json"}, {"COURSE_PROFILE_KERNEL", kernel}});
  REQUIRE(result.status == 0);
  return tools::parse_json(result.err);
}

/// Returns the line of a listing whose text ends with `// [mark]`.
json marked_line(const json& kernel, const std::string& mark) {
  for (const json& source : kernel["sources"])
    for (const json& line : source["lines"])
      if (line["text"].get<std::string>().ends_with("// [" + mark + "]")) return line;
  FAIL("no line ", mark);
  return {};
}

json instruction(const json& line, const std::string& expression) {
  for (const json& one : line["instructions"])
    if (one["expression"] == expression) return one["counters"];
  FAIL("no access of ", expression, " in ", line["text"].get<std::string>());
  return {};
}

}  // namespace

TEST_CASE("every line's counters are those on paper") {
  const json document = profile("lines");
  REQUIRE(document["kernels"].size() == 1);
  const json& kernel = document["kernels"][0];
  constexpr int kWarps = 3 * 4;  // three launches
  CHECK(kernel["kernel"] == "lines");
  CHECK(kernel["launches"] == 3);

  json loads = marked_line(kernel, "two loads");
  CHECK(loads["counters"]["global_load_requests"] == 2 * kWarps);
  json near = instruction(loads, "in[i]"), far = instruction(loads, "in[2 * i]");
  CHECK(near["global_load_sectors"] == 4 * kWarps);
  CHECK(near["global_load_sectors_ideal"] == 4 * kWarps);
  CHECK(far["global_load_sectors"] == 8 * kWarps);
  CHECK(far["global_load_sectors_ideal"] == 4 * kWarps);
  CHECK(far["global_load_efficiency_pct"] == 50.0);
  CHECK(far["global_load_lines"] == 2 * kWarps);

  json store = marked_line(kernel, "shared store")["counters"];
  CHECK(store["shared_store_requests"] == kWarps);
  CHECK(store["shared_store_wavefronts"] == 32 * kWarps);
  CHECK(store["shared_store_wavefronts_ideal"] == kWarps);
  CHECK(marked_line(kernel, "shared load")["counters"]["shared_load_wavefronts"] == 32 * kWarps);

  json eight = marked_line(kernel, "eight lanes")["counters"];
  CHECK(eight["global_store_requests"] == kWarps);
  CHECK(eight["global_store_sectors"] == kWarps);
  CHECK(eight["active_lanes_avg"] == 8.0);
  CHECK(eight["warp_instructions"] == kWarps);
  CHECK(eight["lane_instructions"] == 8 * kWarps);

  json constant = marked_line(kernel, "helper and constant")["counters"];
  CHECK(constant["global_store_sectors"] == 4 * kWarps);
  CHECK_FALSE(constant.contains("global_load_requests"));  // those belong to the helper
  CHECK(constant["warp_instructions"] == 2 * kWarps);      // the store, and constant memory
  CHECK(constant["constant_load_requests"] == kWarps);
  CHECK(constant["constant_load_addresses"] == kWarps);

  // All lanes of a warp add to one word, one after the other.
  json atomic = instruction(marked_line(kernel, "atomic"), "atomicAdd(&out[0], 1.0f)");
  CHECK(atomic["global_atomic_requests"] == kWarps);
  CHECK(atomic["global_atomic_sectors"] == 32 * kWarps);
  CHECK(atomic["global_atomic_sectors_ideal"] == kWarps);

  // The helper's lines are listed under their own file, completely.
  REQUIRE(kernel["sources"].size() == 2);
  CHECK(kernel["sources"][0]["file"] == PROFILED_SOURCES "/profiled_program.cu");
  CHECK(kernel["sources"][1]["file"] == PROFILED_SOURCES "/profiled_helper.cuh");
  json helper = marked_line(kernel, "helper");
  CHECK(helper["counters"]["global_load_sectors"] == 8 * kWarps);
  CHECK(kernel["sources"][1]["lines"].size() == 4);
}

TEST_CASE("a kernel's listing is its whole text, from the first line to the closing brace") {
  const json lines = profile("lines")["kernels"][0]["sources"][0]["lines"];
  CHECK(lines.front()["text"] == "__global__ void lines(int n, const float* in,  // [2 n]");
  CHECK(lines.back()["text"] == "}");
  CHECK(lines.back()["line"].get<std::size_t>() - lines.front()["line"].get<std::size_t>() ==
        lines.size() - 1);
  const json nothing = profile("nothing")["kernels"][0];
  REQUIRE(nothing["sources"].size() == 1);
  CHECK(nothing["sources"][0]["lines"].size() == 1);
  CHECK(nothing["worst"].empty());
}

TEST_CASE("loads of what the thread has are counted apart, unless something wrote there") {
  const json kernel = profile("again")["kernels"][0];
  // Two warps run four iterations.
  const auto repeated = [&](const std::string& mark) {
    int all = 0, again = 0;
    const json line = marked_line(kernel, mark);
    for (const json& one : line["instructions"]) {
      const std::string expression = one["expression"];
      if (expression.starts_with("out")) continue;
      const json& counters = one["counters"];
      all += counters["global_load_requests"].get<int>();
      again += counters.value("global_load_repeated", 0);
    }
    return std::to_string(again) + " of " + std::to_string(all);
  };
  CHECK(repeated("the same in each round") == "6 of 8");
  CHECK(repeated("written between") == "0 of 8");
  // A warp loads three times in each iteration, from six different addresses.
  CHECK(repeated("a window that moves") == "12 of 24");
  CHECK(repeated("volatile") == "0 of 8");
  // The even lanes come twice, and so do the odd ones.
  CHECK(repeated("other lanes each time") == "4 of 8");

  const std::string text =
      run({{"COURSE_PROFILE", "text"}, {"COURSE_PROFILE_KERNEL", "again"}}).err;
  CHECK(contains(
      text, "6 ask again for an unchanged value: __restrict__ may let the compiler keep it\n"));
  CHECK(contains(run({{"COURSE_PROFILE", "html"}, {"COURSE_PROFILE_KERNEL", "again"}}).err,
                 ">6 ask again"));
}

TEST_CASE("the worst lines: of sectors the atomic, of wavefronts one of two equals, the first") {
  const json kernel = profile("lines")["kernels"][0];
  REQUIRE(kernel["worst"].size() == 2);
  CHECK(kernel["worst"][0]["waste"] == "sectors");
  CHECK(kernel["worst"][0]["line"] == marked_line(kernel, "atomic")["line"]);
  CHECK(kernel["worst"][0]["reason"] ==
        "global atomic atomicAdd(&out[0], 1.0f): 32 sectors per request; 1 would do");
  CHECK(kernel["worst"][1]["line"] == marked_line(kernel, "shared store")["line"]);
  CHECK(kernel["worst"][1]["reason"] ==
        "shared store tile[threadIdx.x * 32]: 32 wavefronts per request; 1 would do");
}

TEST_CASE("one listing for each instantiation; a name without arguments means them all") {
  const json both = profile("copy")["kernels"];
  REQUIRE(both.size() == 2);
  CHECK(both[0]["kernel"] == "copy<float>");
  CHECK(both[1]["kernel"] == "copy<double>");
  CHECK(both[1]["counters"]["global_load_sectors"] == 4 * 8);
  CHECK(both[0]["worst"].empty());
  CHECK(both[0]["sources"][0]["lines"][0]["text"] == "template <class T>");
  const json one = profile("copy<double>")["kernels"];
  REQUIRE(one.size() == 1);
  CHECK(one[0] == both[1]);
}

TEST_CASE("kernels of one name are told apart by their namespaces, in every report") {
  const json both = profile("go")["kernels"];
  REQUIRE(both.size() == 2);
  CHECK(both[0]["kernel"] == "forth::go");
  CHECK(both[1]["kernel"] == "back::go");
  for (const char* one : {"back::go", "back"}) {
    const json chosen = profile(one)["kernels"];
    REQUIRE(chosen.size() == 1);
    CHECK(chosen[0] == both[1]);
  }
  const json totals = tools::parse_json(run({{"COURSE_COUNTERS", "json"}}).err)["kernels"];
  const auto requests_of = [&](const std::string& name) {
    for (const json& kernel : totals)
      if (kernel["kernel"] == name) return kernel["counters"]["global_store_requests"].get<int>();
    return 0;
  };
  CHECK(requests_of("forth::go") == 1);
  CHECK(requests_of("back::go") == 2);
  const CommandResult html = run({{"COURSE_PROFILE", "html"}, {"COURSE_PROFILE_KERNEL", "back"}});
  CHECK(contains(html.err, "<h2 id=\"profile-back-go-name\"><code>back::go</code>"));
  // Its blocks write to the same floats.
  const CommandResult hazards = run({{"COURSE_CHECK", "racecheck"}});
  CHECK(contains(hazards.err, "kernel   back::go\n"));
}

TEST_CASE("what a kernel asks of other blocks' shared memory is told apart, in every report") {
  const json kernel = profile("borrowed")["kernels"][0];
  const json counters = instruction(marked_line(kernel, "other block"), "theirs[2 * threadIdx.x]");
  CHECK(counters["dshared_load_requests"] == 2);
  CHECK(counters["dshared_load_sectors"] == 2 * 8);
  CHECK(counters["dshared_load_sectors_ideal"] == 2 * 4);
  CHECK(counters.size() == 3 + 3);  // and the lanes
  CHECK(kernel["counters"]["shared_store_requests"] == 2 * 2);
  CHECK_FALSE(kernel["counters"].contains("shared_load_requests"));
  REQUIRE(kernel["worst"].size() == 1);
  CHECK(kernel["worst"][0]["reason"] ==
        "dshared load theirs[2 * threadIdx.x]: 8 sectors per request; 4 would do");

  const CommandResult text =
      run({{"COURSE_PROFILE", "text"}, {"COURSE_PROFILE_KERNEL", "borrowed"}});
  CHECK(contains(text.err,
                 "      | dshared load theirs[2 * threadIdx.x]            2      8 sectors"));
  CHECK_FALSE(contains(text.err, "constant load"));

  const CommandResult table = run({{"COURSE_COUNTERS", "table"}});
  CHECK(contains(table.err,
                 "kernel        launches  access             requests      sectors efficiency\n"
                 "borrowed             1  dshared load              2           16    50.00 %\n"));
  const json totals = tools::parse_json(run({{"COURSE_COUNTERS", "json"}}).err)["kernels"];
  for (const json& total : totals)
    CHECK(total["counters"].contains("dshared_load_sectors") == (total["kernel"] == "borrowed"));
}

TEST_CASE("a helper's counters belong to the kernel that called it") {
  const json helped = profile("helped")["kernels"][0];
  CHECK(marked_line(helped, "helper")["counters"]["global_load_requests"] == 1);
}

TEST_CASE("as JSON, by its schema, the same bytes for any number of threads") {
  const json schema = tools::parse_json(tools::read_file(PROFILE_SCHEMA));
  const CommandResult once = run({{"COURSE_PROFILE", "json"}});
  CHECK(once.status == 0);
  CHECK(once.out == "cudaSuccess\n");
  CHECK(test_support::schema_faults(schema, tools::parse_json(once.err)) == Words{});
  for (const char* threads : {"1", "2", "7"})
    CHECK(run({{"COURSE_PROFILE", "json"}, {"COURSE_THREADS", threads}}).err == once.err);
  const tools::TemporaryFolder folder;
  const std::string file = (folder.path() / "profile.json").string();
  const CommandResult to_file = run({{"COURSE_PROFILE", "json:" + file}});
  CHECK(to_file.err.empty());
  CHECK(tools::read_file(file) == once.err);
}

TEST_CASE("as text and as HTML") {
  const CommandResult text = run({{"COURSE_PROFILE", "text"}, {"COURSE_PROFILE_KERNEL", "lines"}});
  CHECK(contains(text.err, "\n>"));
  CHECK(contains(text.err, "      ^ worst line: shared store tile[threadIdx.x * 32]: 32 "));
  CHECK(contains(text.err, "      | constant load"));
  const CommandResult html = run({{"COURSE_PROFILE", "html"}});
  CHECK(test_support::markup_fault(html.err) == "");
  CHECK(contains(html.err, "<h2 id=\"profile-copy-double-name\"><code>copy&lt;double&gt;</code>"));
}

TEST_CASE("a program without launches, or that fails before the first, or that fails after it") {
  CHECK(run({{"COURSE_PROFILE", "text"}}, "idle").err == "no kernel was launched\n");
  CHECK(tools::parse_json(run({{"COURSE_PROFILE", "json"}}, "idle").err)["kernels"].empty());
  const CommandResult failed = run({{"COURSE_PROFILE", "text"}}, "fail");
  CHECK(failed.status == 1);
  CHECK(contains(failed.err, "copy<float>"));
  const CommandResult no_memory =
      run({{"COURSE_PROFILE", "text"}, {"COURSE_SEED", "x"}});  // ends before main
  CHECK(no_memory.status == 2);
  CHECK_FALSE(contains(no_memory.err, "no kernel"));
}

TEST_CASE("beside the hazard checks, which may end the program with a status of their own") {
  const CommandResult both = run({{"COURSE_PROFILE", "text"}, {"COURSE_CHECK", "all"}});
  CHECK(both.status == 1);  // eight lanes write what others write, too
  CHECK(contains(both.err, "========= checked:"));
  CHECK(contains(both.err, "copy<float>(float const*, float*): 1 launch"));
}

TEST_CASE("what cannot be listed is one line and status 2") {
  const auto check_refused = [](const Environment& environment, const std::string& part) {
    const CommandResult result = run(environment);
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(tools::lines_of(result.err).size() == 1);
    CHECK(contains(result.err, part));
  };
  check_refused({{"COURSE_PROFILE", "xml"}}, "text, json or html");
  check_refused({{"COURSE_PROFILE", ""}}, "text, json or html");
  check_refused({{"COURSE_PROFILE", "text:/nonexistent/file"}}, "cannot write /nonexistent/file");
  check_refused({{"COURSE_PROFILE", "text"}, {"COURSE_COUNTERS", "off"}}, "COURSE_PROFILE");
  check_refused(
      {{"COURSE_PROFILE", "text"}, {"COURSE_PROFILE_KERNEL", "copie"}},
      "no kernel named copie was launched; these were: again, back::go, borrowed, copy<double>, "
      "copy<float>, forth::go, helped, lines, nothing");
}

TEST_CASE("a stranger's program, built and run outside the repository") {
  const tools::TemporaryFolder folder;
  const fs::path source = folder.write("work/a.cu", R"(#include <cstdio>
#define WIDTH 32
__global__ void columns(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x * WIDTH];
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 128);
  columns<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
)");
  tools::CommandOptions options;
  options.directory = folder.path() / "work";
  options.time_limit = std::chrono::seconds(300);
  const CommandResult compiled = tools::run_command({EMULATOR_NVCC, "a.cu", "-o", "a"}, options);
  REQUIRE_MESSAGE(compiled.status == 0, compiled.err);
  const fs::path program = folder.path() / "work/a";

  const CommandResult text = run({program.string()}, {{"COURSE_PROFILE", "text"}});
  CHECK(text.status == 0);
  CHECK(contains(text.err, ">   4    out[threadIdx.x] = in[threadIdx.x * WIDTH];\n"));
  // The expression is the compiler's text, after preprocessing.
  CHECK(contains(text.err,
                 "^ worst line: global load in[threadIdx.x * 32]: 32 sectors per request; 4 "
                 "would do\n"));

  SUBCASE("a source that is named by its folder, from above or from beside") {
    fs::create_directory(folder.path() / "beside");
    for (const auto& [from, name] : {std::pair{"", "work/a.cu"},
                                     {"", "./work/a.cu"},
                                     {"beside", "../work/a.cu"},
                                     {"work", "./a.cu"}}) {
      CAPTURE(name);
      options.directory = folder.path() / from;
      const fs::path named = folder.path() / "named";
      const Words compile = {EMULATOR_NVCC, name, "-o", named.string()};
      REQUIRE(tools::run_command(compile, options).status == 0);
      const CommandResult listing = run({named.string()}, {{"COURSE_PROFILE", "text"}});
      CHECK(listing.status == 0);
      CHECK(listing.err == text.err);
    }
  }
  SUBCASE("a source that was changed since") {
    fs::last_write_time(source, fs::last_write_time(program) + std::chrono::seconds(5));
    const CommandResult changed = run({program.string()}, {{"COURSE_PROFILE", "text"}});
    CHECK(changed.status == 0);
    CHECK(changed.err ==
          "emulator: " + source.string() +
              " is newer than the program: compile again, or lines may have the wrong text\n" +
              text.err);
  }
  SUBCASE("a source that is gone: counters without text") {
    fs::remove(source);
    const CommandResult gone = run({program.string()}, {{"COURSE_PROFILE", "text"}});
    CHECK(gone.status == 0);
    CHECK(tools::lines_of(gone.err)[0] ==
          "emulator: cannot read " + source.string() + ": its lines are listed without their text");
    CHECK(contains(gone.err, "\n>   4\n"));
    const json kernel = tools::parse_json(
        run({program.string()}, {{"COURSE_PROFILE", "json:" + (folder.path() / "p.json").string()}})
                .err.empty()
            ? "null"
            : tools::read_file(folder.path() / "p.json"))["kernels"][0];
    CHECK(kernel["sources"][0]["lines"].size() == 1);
    CHECK(kernel["sources"][0]["lines"][0]["text"].is_null());
    CHECK(kernel["worst"][0]["line"] == 4);
    CHECK(kernel["worst"][0]["reason"].get<std::string>().starts_with(
        "global load in[threadIdx.x * 32]: "));
  }
  SUBCASE("an object that the driver has not made: a listing without expressions") {
    REQUIRE(run({"objcopy", "--remove-section", "emu_places", program.string()}, {}).status == 0);
    const CommandResult bare = run({program.string()}, {{"COURSE_PROFILE", "text"}});
    CHECK(bare.status == 0);
    CHECK(contains(bare.err, ">   4    out[threadIdx.x] = in[threadIdx.x * WIDTH];\n"));
    CHECK(contains(bare.err, "^ worst line: global load: 32 sectors per request; 4 would do\n"));
  }
  SUBCASE("a program that was moved still finds its source") {
    fs::rename(program, folder.path() / "b");
    CHECK(contains(run({(folder.path() / "b").string()}, {{"COURSE_PROFILE", "text"}}).err,
                   "threadIdx.x * WIDTH"));
  }
  SUBCASE("a program without debug information: counters without lines") {
    REQUIRE(run({"strip", "-g", program.string()}, {}).status == 0);
    const CommandResult stripped = run({program.string()}, {{"COURSE_PROFILE", "json"}});
    CHECK(stripped.status == 0);
    const std::size_t end = stripped.err.find('\n');
    CHECK(stripped.err.substr(0, end) ==
          "emulator: the program has no debug information: some counters have no line");
    const json document = tools::parse_json(stripped.err.substr(end));
    CHECK(test_support::schema_faults(tools::parse_json(tools::read_file(PROFILE_SCHEMA)),
                                      document) == Words{});
    const json& only = document["kernels"][0]["sources"][0];
    CHECK(only["file"].is_null());
    CHECK(only["lines"][0]["line"].is_null());
    CHECK(only["lines"][0]["counters"]["global_load_sectors"] == 32);
  }
}
