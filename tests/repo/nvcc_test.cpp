/// Tests what nvcc compiles the kernels to; needs no GPU.

#include <doctest/doctest.h>
#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/side_by_side.hpp"
#include "tools/coursework/exercises/exercise.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

using tools::CommandResult;
using tools::Match;
using tools::Pattern;
using tools::TemporaryFolder;

namespace {

using Words = std::vector<std::string>;

std::string text_of(const Words& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Patterns for lines of PTX.
const Pattern kEntry(R"(\.entry (_Z(?:(\d+)(\w+)|\w+))\()");
const Pattern kLabel(R"(^(\$L\w+):)");
const Pattern kBranch(R"(bra(?:\.uni)?\s+(\$L\w+);)");
const Pattern kInstruction(R"(^\s*(?:@!?%p\d+\s+)?([a-z][\w.:]*)\s)");

/// Returns the name of the kernel that begins in this line of PTX, mangled if it is in a namespace;
/// empty if no kernel begins there.
std::string kernel_begun_by(const std::string& line) {
  const Match entry = kEntry.search(line);
  if (!entry) return "";
  return entry.str(2).empty() ? entry.str(1) : entry.str(3).substr(0, std::stoul(entry.str(2)));
}

/// Returns the innermost loops of every kernel in PTX, each as a list of instructions without
/// registers, labels and addresses.
std::map<std::string, std::vector<Words>> loops_in(const std::string& ptx) {
  std::map<std::string, std::vector<Words>> loops;
  std::string kernel, label;
  Words body;
  for (const std::string& line : tools::lines_of(ptx)) {
    if (const std::string begun = kernel_begun_by(line); !begun.empty()) kernel = begun;
    if (const Match begin = kLabel.search(line)) {
      label = begin[1];
      body.clear();
    } else if (const Match instruction = kInstruction.search(line)) {
      body.push_back(instruction.str(1));
      const Match branch = kBranch.search(line);
      if (branch && branch[1] == label) loops[kernel].push_back(body);
    }
  }
  return loops;
}

/// Halves of a machine instruction of 16 bytes: the lower one is the operation, the upper one says
/// how a load is cached.
enum class Half { lower, upper };

/// Returns the halves of a kernel's machine instructions in a cubin, an ELF file with a section for
/// each kernel.
std::vector<std::uint64_t> machine_code(const std::string& cubin, const std::string& kernel,
                                        Half half = Half::upper) {
  const auto read = [&](std::size_t at, auto* value) {
    REQUIRE(at + sizeof *value <= cubin.size());
    std::memcpy(value, cubin.data() + at, sizeof *value);
  };
  Elf64_Ehdr header;
  read(0, &header);
  const auto section = [&](std::size_t number) {
    Elf64_Shdr found;
    read(header.e_shoff + number * header.e_shentsize, &found);
    return found;
  };
  constexpr std::size_t kInstructionBytes = 16;
  const std::size_t begin = half == Half::lower ? 0 : kInstructionBytes / 2;
  const std::string wanted = ".text._Z" + std::to_string(kernel.size()) + kernel;
  const Elf64_Shdr names = section(header.e_shstrndx);
  for (std::size_t number = 0; number < header.e_shnum; ++number) {
    const Elf64_Shdr code = section(number);
    if (!std::string(cubin.c_str() + names.sh_offset + code.sh_name).starts_with(wanted)) continue;
    std::vector<std::uint64_t> halves;
    for (std::size_t at = 0; at + kInstructionBytes <= code.sh_size; at += kInstructionBytes)
      read(code.sh_offset + at + begin, &halves.emplace_back());
    return halves;
  }
  FAIL("no machine code of " << kernel);
  return {};
}

/// Returns all instructions of every kernel in PTX, without registers, labels and addresses.
std::map<std::string, Words> instructions_in(const std::string& ptx) {
  std::map<std::string, Words> instructions;
  std::string kernel;
  for (const std::string& line : tools::lines_of(ptx)) {
    if (const std::string begun = kernel_begun_by(line); !begun.empty())
      kernel = begun;
    else if (const Match instruction = kInstruction.search(line))
      instructions[kernel].push_back(instruction.str(1));
  }
  return instructions;
}

/// Returns the memory accesses of every kernel in PTX, in order: "ld.global.f32", "st.shared.f32".
std::map<std::string, Words> accesses_in(const std::string& ptx) {
  static const Pattern kAccess(R"(\b((?:ld|st)\.(?:global|shared|local)[\w.]*)\s)");
  std::map<std::string, Words> accesses;
  std::string kernel;
  for (const std::string& line : tools::lines_of(ptx)) {
    if (const std::string begun = kernel_begun_by(line); !begun.empty())
      kernel = begun;
    else if (const Match access = kAccess.search(line))
      accesses[kernel].push_back(access.str(1));
  }
  return accesses;
}

/// Compiles `source` with these flags to PTX or a cubin; compiles each combination once.
const std::string& compiled(const std::string& source, const Words& flags) {
  static std::map<std::pair<std::string, Words>, std::string> known;
  const auto [entry, is_new] = known.try_emplace({source, flags});
  if (!is_new) return entry->second;
  const TemporaryFolder folder;
  const auto file = folder.write("kernels.cu", source);
  const auto output = folder.path() / "compiled";
  Words command = {COURSE_NVCC, "-O3"};
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {file.string(), "-o", output.string()});
  const CommandResult result = tools::run_command(command);
  REQUIRE_MESSAGE(result.status == 0, result.err);
  return entry->second = tools::read_file(output);
}

/// Returns PTX for the GPU that the course's measurements come from.
const std::string& ptx_of(const std::string& source) {
  return compiled(source, {"-ptx", "-arch=sm_90"});
}

/// Repeats `one` `times` times.
Words repeated(const std::string& one, std::size_t times) { return Words(times, one); }

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::ptrdiff_t count(const Words& instructions, const std::string& one) {
  return std::count(instructions.begin(), instructions.end(), one);
}

}  // namespace

// Each kernel is in its own namespace with only the types and constants, as if it were alone in its
// file, so that nvcc starts only once.
TEST_CASE("a kernel pasted into an empty file, below its types and constants, compiles with nvcc") {
  for (const auto& chapter : tools::chapter_folders()) {
    if (std::filesystem::exists(chapter / "steps")) continue;  // a step is a complete file
    CAPTURE(chapter.string());
    const Words source = tools::read_lines(chapter / "kernels.cuh");
    std::string directives, beside, kernels;
    for (const std::string& line : tools::lines_beside_functions(source))
      (line.starts_with("#include") ? directives : beside) += line + '\n';
    REQUIRE(beside.find("\n#if") == std::string::npos);
    beside = replaced(beside, "#pragma once\n", "");
    for (const tools::Function& kernel : tools::functions_in(source))
      kernels +=
          "namespace alone_with_" + kernel.name + " {\n" + beside + text_of(kernel.lines) + "}\n";
    const TemporaryFolder folder("kernels alone");
    const auto file = folder.write("kernels.cu", directives + kernels);
    const CommandResult result =
        tools::run_command({COURSE_NVCC, "-ptx", file.string(), "-o", "/dev/null"});
    CAPTURE(result.err);
    CHECK(result.status == 0);
  }
}

TEST_CASE("what a student begins with compiles with nvcc, and so does every solution") {
  std::string includes, text;
  const auto add = [&](const std::string& name, const std::string& source) {
    text += "namespace " + name + " {\n";
    for (const std::string& line : tools::lines_of(source))
      (line.starts_with("#include") ? includes : text) += line + '\n';
    text += "}\n";
  };
  for (const coursework::Exercise& exercise : coursework::read_exercises(tools::source_folder())) {
    add("starter_" + exercise.id, coursework::starter_of(exercise));
    add("solution_" + exercise.id, coursework::solution_of(exercise));
  }
  const TemporaryFolder folder("exercises");
  const auto file = folder.write("exercises.cu", includes + text);
  const CommandResult result =
      tools::run_command({COURSE_NVCC, "-ptx", "-arch=sm_90a", file.string(), "-o", "/dev/null"});
  CAPTURE(result.err);
  CHECK(result.status == 0);
}

TEST_CASE("every program that emulator-nvcc is tried with is taken without a word") {
  const auto folder = tools::source_folder() / "tests/emulator/nvcc/programs";
  std::vector<std::filesystem::path> programs;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".cu") programs.push_back(entry.path());
  REQUIRE(programs.size() >= 10);
  const TemporaryFolder work;
  const auto compiled = test_support::side_by_side(programs.size(), [&](std::size_t i) {
    const auto object = work.path() / programs[i].stem();
    Words command = {COURSE_NVCC, "-c", programs[i].string(), "-o", object.string(), "-std=c++17"};
    const std::string first = tools::read_lines(programs[i]).at(0);
    constexpr std::string_view kFlags = "// flags: ";
    if (first.starts_with(kFlags)) {
      std::istringstream words(first.substr(kFlags.size()));
      for (std::string word; words >> word;) command.push_back(word);
    }
    return tools::run_command(command);
  });
  for (std::size_t i = 0; i < programs.size(); ++i) {
    CAPTURE(programs[i].string());
    CHECK(compiled[i].err == "");
    CHECK(compiled[i].status == 0);
  }
}

TEST_CASE("coalescing does not change the instructions of the loop: equal PTX loop bodies") {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "kernels.cu",
      text_of(tools::read_lines(tools::source_folder() / "chapters/02_coalescing/kernels.cuh")));
  const auto ptx_file = folder.path() / "kernels.ptx";
  const CommandResult compiled =
      tools::run_command({COURSE_NVCC, "-ptx", "-O3", file.string(), "-o", ptx_file.string()});
  REQUIRE_MESSAGE(compiled.status == 0, compiled.err);

  auto loops = loops_in(tools::read_file(ptx_file));
  const auto& naive = loops["sgemm_naive"];
  // One loop unrolled by four although k is unknown, and a loop for the rest.
  REQUIRE(naive.size() == 2);
  CHECK(count(naive[0], "fma.rn.f32") == 4);
  CHECK(count(naive[1], "fma.rn.f32") == 1);
  for (const Words& body : naive) {
    // One load of A, one of B and one fused multiply-add per product.
    CHECK(count(body, "ld.global.f32") == 2 * count(body, "fma.rn.f32"));
  }
  for (const char* other : {"sgemm_coalesced", "sgemm_coalesced_2d"}) {
    CAPTURE(other);
    REQUIRE(loops[other].size() == naive.size());
    for (std::size_t i = 0; i < naive.size(); ++i) {
      for (const char* instruction : {"ld.global.f32", "fma.rn.f32", "st.global.f32"}) {
        CAPTURE(instruction);
        CHECK(count(loops[other][i], instruction) == count(naive[i], instruction));
      }
    }
  }
  CHECK(loops["sgemm_coalesced_2d"] == naive);
}

TEST_CASE(
    "passing L1 by is a property of the load: ld.global.cg, and what -dlcm=cg makes of ld.global") {
  const TemporaryFolder folder;
  const auto source = tools::source_folder() / "chapters/03_alignment/kernels.cuh";
  const auto file = folder.write("kernels.cu", text_of(tools::read_lines(source)));
  const auto compiled = [&](const Words& options) {
    const auto out = folder.path() / "out";
    Words command = {COURSE_NVCC, "-arch=sm_90", "-O3", file.string(), "-o", out.string()};
    command.insert(command.end(), options.begin(), options.end());
    const CommandResult result = tools::run_command(command);
    REQUIRE_MESSAGE(result.status == 0, result.err);
    return tools::read_file(out);
  };

  std::map<std::string, Words> loads;
  std::string kernel;
  const Pattern load(R"(\b(ld\.global[\w.]*))");
  for (const std::string& line : tools::lines_of(compiled({"-ptx"}))) {
    if (const std::string begun = kernel_begun_by(line); !begun.empty()) kernel = begun;
    if (const Match found = load.search(line)) loads[kernel].push_back(found.str(1));
  }
  CHECK(loads["read_offset"] == Words{"ld.global.f32", "ld.global.f32"});
  CHECK(loads["read_offset_l2_only"] == Words{"ld.global.cg.f32", "ld.global.cg.f32"});

  const auto machine_code_of = [&](const std::string& name, const Words& options) {
    Words all = {"-cubin"};
    all.insert(all.end(), options.begin(), options.end());
    return machine_code(compiled(all), name);
  };
  const Words ca = {"-Xptxas", "-dlcm=ca"}, cg = {"-Xptxas", "-dlcm=cg"};
  const auto plain = machine_code_of("read_offset", {});
  const auto plain_ca = machine_code_of("read_offset", ca);
  const auto plain_cg = machine_code_of("read_offset", cg);
  const auto l2_only = machine_code_of("read_offset_l2_only", {});
  CHECK(machine_code_of("read_offset_l2_only", ca) == l2_only);
  CHECK(machine_code_of("read_offset_l2_only", cg) == l2_only);
  REQUIRE(plain.size() == plain_ca.size());
  REQUIRE(plain.size() == plain_cg.size());
  REQUIRE(plain.size() == l2_only.size());
  int changed = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    // The bits that encode caching, as far as the option changes them.
    const std::uint64_t bits = (plain[i] ^ plain_ca[i]) | (plain[i] ^ plain_cg[i]);
    if (bits == 0) continue;
    ++changed;
    CHECK((plain_cg[i] & bits) != (plain_ca[i] & bits));
    CHECK((plain_cg[i] & bits) != (plain[i] & bits));
    CHECK((l2_only[i] & bits) == (plain_cg[i] & bits));
  }
  CHECK(changed == 2);  // the two loads, and nothing else
}

namespace {

std::string chapter_04() {
  return text_of(
      tools::read_lines(tools::source_folder() / "chapters/04_read_only_cache/kernels.cuh"));
}

}  // namespace

TEST_CASE("chapter 04: which instruction each copy's load becomes") {
  const std::string ptx = ptx_of(chapter_04());
  auto accesses = accesses_in(ptx);
  CHECK(accesses["copy_plain"] == Words{"ld.global.f32", "st.global.f32"});
  CHECK(accesses["copy_ldg"] == Words{"ld.global.nc.f32", "st.global.f32"});
  CHECK(accesses["copy_restrict"] == Words{"ld.global.nc.f32", "st.global.f32"});

  // Apart from the load, the qualifiers change nothing.
  auto instructions = instructions_in(ptx);
  Words changed = instructions["copy_plain"];
  std::replace(changed.begin(), changed.end(), std::string("ld.global.f32"),
               std::string("ld.global.nc.f32"));
  CHECK(instructions["copy_restrict"] == changed);
}

TEST_CASE("chapter 04: loads per store in the loops of the polynomials") {
  const std::string ptx = ptx_of(chapter_04());
  auto loops = loops_in(ptx);
  auto accesses = accesses_in(ptx);
  struct Expected {
    const char* load;
    int per_store;
    int before_the_loops;
  };
  const std::map<std::string, Expected> all = {{"polynomial_plain", {"ld.global.f32", 5, 0}},
                                               {"polynomial_registers", {"ld.global.f32", 1, 4}},
                                               {"polynomial_restrict", {"ld.global.nc.f32", 1, 4}}};
  for (const auto& [kernel, expected] : all) {
    CAPTURE(kernel);
    REQUIRE(!loops[kernel].empty());
    std::ptrdiff_t in_loops = 0;
    for (const Words& body : loops[kernel]) {
      const auto loads = count(body, expected.load), stores = count(body, "st.global.f32");
      CHECK(stores >= 1);
      CHECK(loads == expected.per_store * stores);
      in_loops += loads;
    }
    CHECK(count(accesses[kernel], expected.load) == in_loops + expected.before_the_loops);
    const std::string other =
        expected.load == std::string("ld.global.f32") ? "ld.global.nc.f32" : "ld.global.f32";
    CHECK(count(accesses[kernel], other) == 0);
  }
}

TEST_CASE("chapter 04: a promise about c or about out saves loads, one about in does not") {
  const Words plain = tools::passage_named(
      tools::source_folder() / "chapters/04_read_only_cache/kernels.cuh", "polynomial_plain");
  for (const auto& [parameter, loads_per_store] : {std::pair("c", 1), {"in", 5}, {"out", 1}}) {
    CAPTURE(parameter);
    const Pattern pointer(std::string(R"(float\* ()") + parameter + R"([,)]))");
    const std::string text = pointer.replace(text_of(plain), "float* __restrict__ $1");
    REQUIRE(text != text_of(plain));
    const auto loops = loops_in(ptx_of(text))["polynomial_plain"];
    REQUIRE(!loops.empty());
    for (const Words& body : loops) {
      CHECK(count(body, "ld.global.f32") + count(body, "ld.global.nc.f32") ==
            loads_per_store * count(body, "st.global.f32"));
    }
  }
}

namespace {

/// Returns the global loads and stores in a kernel's machine code, in order: "LLS".
std::string loads_and_stores(const std::string& cubin, const std::string& kernel) {
  constexpr std::uint64_t kOperation = 0x1ff, kLoad = 0x181, kStore = 0x186;
  std::string order;
  for (const std::uint64_t instruction : machine_code(cubin, kernel, Half::lower)) {
    if ((instruction & kOperation) == kLoad) order += 'L';
    if ((instruction & kOperation) == kStore) order += 'S';
  }
  return order;
}

std::size_t longest_run(const std::string& text, char wanted) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

TEST_CASE("chapter 04: only with the promise do loads of several rows start before a store") {
  const TemporaryFolder folder;
  const auto file = folder.write("kernels.cu", chapter_04());
  for (const char* architecture : {"sm_80", "sm_90"}) {
    CAPTURE(architecture);
    const auto out = folder.path() / "out";
    const CommandResult result = tools::run_command(
        {COURSE_NVCC, "-arch", architecture, "-O3", "-cubin", file.string(), "-o", out.string()});
    REQUIRE_MESSAGE(result.status == 0, result.err);
    const std::string cubin = tools::read_file(out);
    CHECK(loads_and_stores(cubin, "copy_plain") == "LS");

    // A row's element and its coefficients, or the coefficients and the first row's element.
    constexpr std::size_t kInOneRow = 5;
    CHECK(longest_run(loads_and_stores(cubin, "polynomial_plain"), 'L') == kInOneRow);
    const std::string registers = loads_and_stores(cubin, "polynomial_registers");
    CHECK(longest_run(registers, 'L') == kInOneRow);
    CHECK(longest_run(registers.substr(kInOneRow), 'L') == 1);
    // What the source says: after the coefficients, four loads, and then four stores.
    const std::string four = loads_and_stores(cubin, "polynomial_four_rows");
    CHECK(four.find("LLLLSSSS") != std::string::npos);
    CHECK(longest_run(loads_and_stores(cubin, "polynomial_restrict"), 'L') > 2 * kInOneRow);
  }
}

TEST_CASE("chapter 04: one load of constant memory per round, or one of global memory") {
  const std::string ptx = ptx_of(chapter_04());
  auto loops = loops_in(ptx);
  const std::map<std::string, std::string> loads = {{"look_up_constant", "ld.const.f32"},
                                                    {"look_up_global", "ld.global.f32"},
                                                    {"walk_table", "ld.global.f32"}};
  for (const auto& [kernel, load] : loads) {
    CAPTURE(kernel);
    REQUIRE(!loops[kernel].empty());
    for (const Words& body : loops[kernel]) {
      CHECK(count(body, load) == count(body, "add.f32") + count(body, "add.rn.f32"));
      CHECK(count(body, load) >= 1);
      for (const char* other : {"ld.const.f32", "ld.global.f32"})
        if (load != other) CHECK(count(body, other) == 0);
    }
  }
}

namespace {

std::string chapter_05() {
  return text_of(
      tools::read_lines(tools::source_folder() / "chapters/05_shared_memory/kernels.cuh"));
}

}  // namespace

TEST_CASE("chapter 05: the table goes to shared memory, and one load of it per round") {
  const std::string ptx = ptx_of(chapter_05());
  const auto loops = loops_in(ptx)["look_up_shared"];
  const auto instructions = instructions_in(ptx)["look_up_shared"];
  bool looks_up = false;
  for (const Words& body : loops) {
    const auto additions = count(body, "add.f32") + count(body, "add.rn.f32");
    CHECK(count(body, "ld.shared.f32") == additions);
    CHECK(count(body, "ld.global.f32") == count(body, "st.shared.f32"));
    if (additions > 0) looks_up = true;
  }
  CHECK(looks_up);
  CHECK(count(instructions, "bar.sync") == 1);
}

TEST_CASE("chapter 05: a tile costs a store, a barrier and a load; wide words are one access") {
  const std::string ptx = ptx_of(chapter_05());
  auto accesses = accesses_in(ptx);
  auto instructions = instructions_in(ptx);
  const Words through_tile = {"ld.global.u32", "st.shared.u32", "ld.shared.u32", "st.global.u32"};
  for (const char* kernel : {"mirror_tile", "mirror_padded", "mirror_pitch", "mirror_no_barrier"}) {
    CAPTURE(kernel);
    CHECK(accesses[kernel] == through_tile);
    CHECK(count(instructions[kernel], "bar.sync") ==
          (std::string(kernel) == "mirror_no_barrier" ? 0 : 1));
  }
  for (const auto& [kernel, type] :
       {std::pair("read_4_bytes", "u32"), {"read_8_bytes", "v2.u32"}, {"read_16_bytes", "v4.u32"}})
    CHECK(count(accesses[kernel], "ld.shared." + std::string(type)) == 1);
}

TEST_CASE("chapter 06: which instructions its structures become") {
  auto accesses = accesses_in(ptx_of(
      text_of(tools::read_lines(tools::source_folder() / "chapters/06_aos_soa/kernels.cuh"))));
  const auto check = [&](const char* kernel, const std::string& type, std::size_t times) {
    CAPTURE(kernel);
    CHECK(accesses[kernel] ==
          repeated("ld.global." + type, times) + repeated("st.global." + type, times));
  };
  check("aos_update", "f32", 2);
  check("aos_update_x", "f32", 1);
  check("aos_aligned_update", "v2.f32", 1);
  check("soa_update", "f32", 2);
  check("soa_update_x", "f32", 1);
  check("aosoa_update", "f32", 2);
  check("aos3_update", "f32", 3);
  check("aos3_padded_update", "v4.f32", 1);
  check("soa3_update", "f32", 3);
  for (const char* access : {"ld.global.f32", "st.global.f32"})
    CHECK(count(accesses["aos3_staged_update"], access) == 3);
  for (const char* access : {"ld.shared.f32", "st.shared.f32"})
    CHECK(count(accesses["aos3_staged_update"], access) == 6);
  const Words drift = {"ld.global.f32", "ld.global.f32", "st.global.f32"};
  for (const char* kernel : {"aos8_drift", "soa8_drift"}) CHECK(accesses[kernel] == drift);
  CHECK(accesses["soa8_reorder"] ==
        Words{"ld.global.u32"} + repeated("ld.global.f32", 8) + repeated("st.global.f32", 8));
  // nvcc may copy them as floats or as integers.
  Words reorder = accesses["aos8_reorder"];
  for (std::string& access : reorder) access = access.substr(0, access.rfind('.'));
  CHECK(reorder == Words{"ld.global"} + repeated("ld.global.v4", 2) + repeated("st.global.v4", 2));
}

TEST_CASE(
    "chapter 06: an aligned point written field by field is merged, an unnamed padding is not") {
  auto accesses =
      accesses_in(ptx_of("struct alignas(8) Point { float x, y; };\n"
                         "struct alignas(16) Unnamed { float x, y, z; };\n"
                         "__global__ void by_field(const Point* in, Point* out) {\n"
                         "  const int i = threadIdx.x;\n"
                         "  const float x = in[i].x, y = in[i].y;\n"
                         "  out[i].x = x + 10.0f;\n"
                         "  out[i].y = y + 20.0f;\n}\n"
                         "__global__ void one_field(const Point* in, float* out) {\n"
                         "  const Point point = in[threadIdx.x];\n"
                         "  out[threadIdx.x] = point.x;\n}\n"
                         "__global__ void whole(const Unnamed* in, Unnamed* out) {\n"
                         "  Unnamed point = in[threadIdx.x];\n"
                         "  point.x += 10.0f;\n"
                         "  out[threadIdx.x] = point;\n}\n"));
  CHECK(accesses["by_field"] == Words{"ld.global.v2.f32", "st.global.v2.f32"});
  CHECK(accesses["one_field"] == Words{"ld.global.f32", "st.global.f32"});
  // The padding's bytes are copied, too, separately from the floats.
  const auto begins = [&](const std::string& start) {
    return std::count_if(accesses["whole"].begin(), accesses["whole"].end(),
                         [&](const std::string& access) { return access.starts_with(start); });
  };
  CHECK(begins("ld.global.") > 1);
  CHECK(begins("st.global.") > 1);
  CHECK(std::any_of(accesses["whole"].begin(), accesses["whole"].end(),
                    [](const std::string& access) { return access.ends_with(".u8"); }));
}

TEST_CASE("chapter 08: a sum of a warp is one instruction from compute capability 8.0 on") {
  const std::string source = text_of(
      tools::read_lines(tools::source_folder() / "chapters/08_warp_primitives/kernels.cuh"));
  const auto instructions = [&](const char* architecture, const std::string& kernel,
                                const std::string& instruction) {
    bool inside = false;
    int count = 0;
    for (const std::string& line : tools::lines_of(compiled(source, {"-ptx", architecture}))) {
      if (line.find(".entry ") != std::string::npos)
        inside = line.find(kernel) != std::string::npos;
      count += inside && line.find(instruction) != std::string::npos;
    }
    return count;
  };
  CHECK(instructions("-arch=sm_90", "sum_reduce_add", "redux.sync.add.") == 1);
  CHECK(instructions("-arch=sm_90", "sum_reduce_add", "shfl.sync.") == 0);
  CHECK(instructions("-arch=sm_75", "sum_reduce_add", "redux.") == 0);
  CHECK(instructions("-arch=sm_75", "sum_reduce_add", "shfl.sync.bfly.") == 5);
  CHECK(instructions("-arch=sm_90", "sum_groups", "redux.sync.add.") > 0);
  CHECK(instructions("-arch=sm_75", "sum_groups", "redux.") == 0);
  CHECK(instructions("-arch=sm_90", "sum_xor", "shfl.sync.bfly.") == 5);
  // warpSize is not a constant, so this loop is not unrolled.
  CHECK(instructions("-arch=sm_90", "listing_01", "shfl.sync.down.") == 1);
  // Each side of the branch keeps its own; the compiler does not merge them.
  CHECK(instructions("-arch=sm_90", "listing_05", "activemask.") == 2);
}

TEST_CASE("chapter 08: what nvcc's own warning advises for __ballot, nvcc refuses") {
  const TemporaryFolder folder;
  const auto listing =
      tools::source_folder() / "tests/chapters/08_warp_primitives/refused/listing_10.cu";
  const auto compile = [&](const Words& flags) {
    return tools::run_command(
        Words{COURSE_NVCC} + flags +
        Words{"-c", listing.string(), "-o", (folder.path() / "object.o").string()});
  };
  const CommandResult warned = compile({}), advised = compile({"-arch=compute_60", "-code=sm_70"});
  CHECK(warned.err.find("-arch=compute_60 -code=sm_70") != std::string::npos);
  CHECK(warned.err.find("without '.sync' is not supported") != std::string::npos);
  CHECK(advised.status != 0);
  CHECK(advised.err.find("is not defined for option") != std::string::npos);
}

TEST_CASE(
    "loads stand before the first store where the source says so, or where nothing may overlap") {
  const std::string source =
      text_of(tools::read_lines(tools::source_folder() / "chapters/07_unrolling/kernels.cuh"));
  const std::string restricted =
      Pattern(R"(float\* ([ABC]))").replace(source, "float* __restrict__ $1");
  REQUIRE(restricted != source);
  const auto order = [&](const std::string& text, const std::string& kernel) {
    return loads_and_stores(compiled(text, {"-cubin", "-arch=sm_90"}), kernel);
  };
  CHECK(order(source, "read_offset") == "LLS");
  CHECK(order(source, "read_offset_unroll4_published") == "LLSLLSLLSLLS");
  CHECK(order(source, "read_offset_unroll4_in_turn") == "LLSLLSLLSLLS");
  CHECK(order(source, "read_offset_grid_stride") == "LLS");
  CHECK(order(source, "read_offset_unroll2").find("LLLLSS") != std::string::npos);
  CHECK(order(source, "read_offset_unroll4").find("LLLLLLLLSSSS") != std::string::npos);
  CHECK(order(source, "read_offset_unroll8").find("LLLLLLLLLLLLLLLLSSSSSSSS") != std::string::npos);
  CHECK(order(source, "read_offset_float4").starts_with("LLS"));
  CHECK(order(restricted, "read_offset_unroll4_published") == "LLLLLLLLSSSS");
}

namespace {

std::filesystem::path steps() { return tools::source_folder() / "chapters/09_sgemm/steps"; }

/// Compiles a chapter's step alone into `to`, and returns nvcc's output.
std::string compile_step(const std::filesystem::path& step, const Words& options,
                         const std::filesystem::path& to) {
  const TemporaryFolder folder;
  const auto source = folder.write("step.cu", "#include \"" + step.string() + "\"\n");
  Words command = {COURSE_NVCC,
                   "-O3",
                   "-std=c++20",
                   "-arch=sm_90",
                   "-I" + steps().string(),
                   "-I" + (tools::source_folder() / "common/include").string(),
                   "-I" + (tools::source_folder() / "common/counters/include").string(),
                   source.string(),
                   "-o",
                   to.string()};
  command.insert(command.end(), options.begin(), options.end());
  const CommandResult compiled = tools::run_command(command);
  if (compiled.status != 0) throw std::runtime_error(compiled.err);
  return compiled.out + compiled.err;
}

bool is_of_the_last_two(const std::string& step) {
  return step == "15_slices" || step == "16_even_shares";
}

/// Compiles the last two steps with only the first of their several shapes, because each shape
/// costs seconds. One step includes the other, so both are in one PTX.
std::string ptx_of_last_steps() {
  static const Pattern kOther(R"(using (Medium|Small|Tiny) = [^;]*;)");
  const TemporaryFolder folder;
  const std::string text = tools::read_file(steps() / "15_slices.cuh");
  const std::string one_shape = kOther.replace(text, "using $1 = Large;");
  if (one_shape == text) throw std::runtime_error("15_slices.cuh has no other shapes");
  folder.write("15_slices.cuh", one_shape);
  folder.write("16_even_shares.cuh", tools::read_file(steps() / "16_even_shares.cuh"));
  const auto ptx_file = folder.path() / "steps.ptx";
  compile_step(folder.path() / "16_even_shares.cuh", {"-ptx"}, ptx_file);
  return tools::read_file(ptx_file);
}

/// Compiles a step of chapter 09 alone to PTX; the last two steps are only compiled.
std::string ptx_of_step(const std::string& step) {
  const TemporaryFolder folder;
  const auto ptx_file = folder.path() / "step.ptx";
  const Words options = is_of_the_last_two(step) ? Words{"-ptx", "-Xcicc", "-O0"} : Words{"-ptx"};
  compile_step(steps() / (step + ".cuh"), options, ptx_file);
  return tools::read_file(ptx_file);
}

/// Returns the part of `ptx` that is a step's kernel, in the shape that launch() tries first.
std::string kernel_of_step(const std::string& ptx, const std::string& step) {
  const Pattern entry(R"(\.entry _ZN\d+)" + step.substr(step.find('_') + 1) + "5sgemm");
  const Match match = entry.search(ptx);
  REQUIRE(match);
  const std::string rest = ptx.substr(match.begin());
  return rest.substr(0, rest.find(".entry", 1));
}

std::ptrdiff_t times_in(const std::string& text, const std::string& words) {
  std::ptrdiff_t times = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++times;
  return times;
}

/// Returns the code between a label and a branch back to it, for all loops with this instruction.
std::string loops_with(const std::string& instruction, const std::string& ptx) {
  const Words lines = tools::lines_of(ptx);
  std::map<std::string, std::size_t> labels;
  std::string loops;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const Match label = kLabel.search(lines[i])) labels[label.str(1)] = i;
    const Match branch = kBranch.search(lines[i]);
    if (!branch || !labels.contains(branch.str(1))) continue;
    std::string body;
    for (std::size_t at = labels[branch.str(1)]; at < i; ++at) body += lines[at] + '\n';
    if (body.find(instruction) != std::string::npos) loops += body;
  }
  return loops;
}

}  // namespace

TEST_CASE("chapter 10: the epilogue's accesses are as wide as they are written, and no wider") {
  const TemporaryFolder folder;
  const auto ptx = folder.path() / "steps.ptx";
  compile_step(tools::source_folder() / "chapters/10_maxas_epilogue/steps/04_unsynchronised.cuh",
               {"-ptx"}, ptx);
  auto found = instructions_in(tools::read_file(ptx));
  // Eight rounds of two 16-byte stores and eight 4-byte loads, with a barrier after each of the
  // two.
  constexpr int kRounds = 8;
  for (const std::string epilogue : {"6staged", "14unsynchronised"})
    for (const std::string tile : {"64", "128"}) {
      const Words& kernel = found["_ZN" + epilogue + "5sgemmILi" + tile + "EEEv7Product"];
      CAPTURE(epilogue);
      CAPTURE(tile);
      CHECK(count(kernel, "st.shared.v4.f32") == kRounds * 2);
      CHECK(count(kernel, "ld.shared.f32") == kRounds * 8);
      CHECK(count(kernel, "bar.warp.sync") == (epilogue == "6staged" ? kRounds * 2 : 0));
    }
}

TEST_CASE("chapter 09: each step compiles alone, and its loop has the instructions it is about") {
  enum class Tiles { none, by_lanes, asynchronously, in_bulk };
  struct Expected {
    std::string file;
    Tiles tiles;
    bool has_wide_loads;
  };
  const std::vector<Expected> all = {{"01_naive", Tiles::none, false},
                                     {"02_coalesced", Tiles::none, false},
                                     {"03_shared_tile", Tiles::by_lanes, false},
                                     {"04_thread_tile_1d", Tiles::by_lanes, false},
                                     {"05_thread_tile_2d", Tiles::by_lanes, false},
                                     {"06_vectorised", Tiles::by_lanes, true},
                                     {"07_conflict_free", Tiles::by_lanes, true},
                                     {"08_tuned", Tiles::by_lanes, true},
                                     {"09_warp_tiles", Tiles::by_lanes, true},
                                     {"10_double_buffer", Tiles::asynchronously, true},
                                     {"11_tma", Tiles::in_bulk, true},
                                     {"12_swizzle", Tiles::in_bulk, true},
                                     {"13_large_tile", Tiles::in_bulk, true},
                                     {"14_register_order", Tiles::in_bulk, true},
                                     {"15_slices", Tiles::in_bulk, true},
                                     {"16_even_shares", Tiles::in_bulk, true}};
  // The last two are compiled together, which takes longest.
  const std::vector<std::string> ptx_of = test_support::side_by_side(
      all.size() + 1,
      [&](std::size_t i) { return i == 0 ? ptx_of_last_steps() : ptx_of_step(all[i - 1].file); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Expected& expected = all[i];
    CAPTURE(expected.file);
    const bool in_bulk = expected.tiles == Tiles::in_bulk;
    const std::string ptx =
        kernel_of_step(ptx_of[is_of_the_last_two(expected.file) ? 0 : i + 1], expected.file);
    // Bulk steps also multiply where C is stored, but release stages in the main loop only.
    const std::string loops = loops_with(in_bulk ? "mbarrier.arrive.shared" : "fma.rn.f32", ptx);
    REQUIRE(loops.find("fma.rn.f32") != std::string::npos);
    CHECK((times_in(loops, "ld.shared") > 0) == (expected.tiles != Tiles::none));
    if (expected.has_wide_loads) CHECK(times_in(loops, "ld.shared.v4.f32") > 0);
    CHECK((times_in(ptx, "cp.async.cg.shared") > 0) == (expected.tiles == Tiles::asynchronously));
    CHECK((times_in(ptx, "cp.async.bulk.tensor.2d") > 0) == in_bulk);
    CHECK((times_in(loops, "mbarrier.try_wait") > 0) == in_bulk);
    if (expected.file == "16_even_shares") continue;  // its loop over tiles has both
    CHECK((times_in(loops, "bar.sync") > 0) == (expected.tiles != Tiles::none && !in_bulk));
    if (in_bulk) CHECK(times_in(loops, "ld.global") == 0);
  }
}

TEST_CASE("chapter 09: four blocks of steps 05 to 10 share a multiprocessor's registers") {
  const TemporaryFolder folder;
  const auto blocks_of = [&](const std::string& file) {
    const std::string messages = compile_step(steps() / (file + ".cuh"), {"-cubin", "-Xptxas=-v"},
                                              folder.path() / "step.cubin");
    static const Pattern kUsed(R"(Used (\d+) registers)");
    const Match used = kUsed.search(messages);
    REQUIRE(used);
    // Registers of an SM; threads of a block; registers are allocated in units per thread.
    constexpr int kRegisters = 65536, kThreads = 128, kUnit = 8;
    const int per_thread = (std::stoi(used.str(1)) + kUnit - 1) / kUnit * kUnit;
    return kRegisters / (per_thread * kThreads);
  };
  for (const char* step : {"05_thread_tile_2d", "07_conflict_free", "10_double_buffer"}) {
    CAPTURE(step);
    CHECK(blocks_of(step) == 4);
  }
}

TEST_CASE("chapter 09: what is compiled at the usual level has kernels of its own alone") {
  const TemporaryFolder folder;
  const auto ptx_file = folder.path() / "ablation.ptx";
  compile_step(steps().parent_path() / "ablation_of_options.cu", {"-ptx", "-Xcicc", "-O0"},
               ptx_file);
  int kernels = 0;
  for (const std::string& line : tools::lines_of(tools::read_file(ptx_file))) {
    if (line.find(".entry") == std::string::npos) continue;
    CAPTURE(line);
    const bool is_static = line.find("align_rows") != std::string::npos;
    CHECK((is_static || line.find("_ZN8as_usual") != std::string::npos));
    ++kernels;
  }
  CHECK(kernels > 8);
}
