// Tests the emulator's one-line messages for programs that access device memory from the host, or
// use unsupported features.
#include <doctest/doctest.h>

#include <csignal>
#include <string>

#include "tools/support/subprocess.hpp"

namespace {

constexpr int kUsageError = 2;
constexpr int kSegmentationFault = 128 + SIGSEGV;

tools::CommandResult run(const std::string& misuse, const std::string& fill = {}) {
  tools::CommandOptions options;
  if (fill.empty()) {
    options.unset = {"COURSE_MEMORY_FILL"};
  } else {
    options.environment["COURSE_MEMORY_FILL"] = fill;
  }
  return tools::run_command({RUNTIME_MISUSE_PROGRAM, misuse}, options);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("host code that touches device memory stops with a line that says so") {
  for (const char* misuse :
       {"read after malloc", "write after malloc", "read after copy", "read after launch"}) {
    CAPTURE(misuse);
    const tools::CommandResult result = run(misuse);
    CHECK(result.status == kSegmentationFault);
    CHECK(contains(result.err, "emulator: host code touched device memory at 0x"));
    CHECK(
        contains(result.err, "(byte 0 of 4096 allocated); the host reaches it through cudaMemcpy"));
    CHECK(tools::lines_of(result.err).size() == 1);
  }
}

TEST_CASE("freed memory and memory past the end is named") {
  const tools::CommandResult freed = run("read after free");
  CHECK(freed.status == kSegmentationFault);
  CHECK(contains(freed.err, "(memory that has been freed)"));
  const tools::CommandResult past = run("read past the end");
  CHECK(past.status == kSegmentationFault);
  CHECK(contains(past.err, "(0 bytes past the end of an allocation of 4096 bytes)"));
}

TEST_CASE("managed, pinned and registered memory is the host's too") {
  for (const char* use : {"read managed", "read pinned", "read registered"}) {
    CAPTURE(use);
    const tools::CommandResult result = run(use);
    CHECK(result.status == 0);
    CHECK(contains(result.out, "read 42\n"));
    CHECK(result.err.empty());
  }
}

TEST_CASE("fresh device memory is not zero, so that a forgotten initialisation shows") {
  const tools::CommandResult fresh = run("fresh memory");
  CHECK(contains(fresh.out, "fresh 205 205 205 205\n"));
  CHECK(contains(fresh.err,
                 "emulator: hint: bytes that a copy brought to the host at misuse_program"
                 ".cu:"));
  CHECK(contains(fresh.err,
                 " are all 0xcd, as cudaMalloc leaves them: perhaps nothing wrote them; "
                 "COURSE_CHECK=initcheck tells\n"));
  CHECK(tools::lines_of(fresh.err).size() == 1);
  CHECK(contains(run("too small a grid").out, "42 -842150451\n"));
  CHECK(contains(run("too small a grid").err, "are all 0xcd"));
  CHECK(contains(run("too small a grid", "9").err, "are all 0x09"));
  CHECK(run("too small a grid", "off").err.empty());
  CHECK(run("too small a grid", "0").err.empty());
  CHECK(run("a grid that is large enough").err.empty());
  CHECK(contains(run("fresh memory", "7").out, "fresh 7 7 7 7\n"));
  CHECK(contains(run("fresh memory", "off").out, "fresh 0 0 0 0\n"));
  for (const char* bad : {"256", "-1", "x", "7x"}) {
    CAPTURE(bad);
    const tools::CommandResult result = run("fresh memory", bad);
    CHECK(result.status == kUsageError);
    CHECK(result.err == std::string("emulator: COURSE_MEMORY_FILL=") + bad +
                            " is not off or a number from 0 to 255\n");
  }
}

TEST_CASE("what is not emulated ends the program with its name") {
  struct Case {
    const char* misuse;
    const char* message;
  };
  const Case cases[] = {
      {"arguments of a captured launch",
       "emulator: not supported: this part of CUDA graphs (the arguments of a launch <<<...>>> "
       "that "
       "was captured)\n"},
      {"array",
       "emulator: not supported: this kind of CUDA arrays (compressed and normalized formats of "
       "arrays)\n"},
      {"ipc", "emulator: not supported: inter-process handles (cudaIpcGetMemHandle)\n"},
      {"event of a launch",
       "emulator: not supported: events that a kernel records before it ends "
       "(cudaLaunchAttributeLaunchCompletionEvent)\n"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.misuse);
    const tools::CommandResult result = run(c.misuse);
    CHECK(result.status == kUsageError);
    CHECK(result.err == c.message);
    CHECK(result.out.empty());
  }
}

TEST_CASE("a program that ends without waiting ends before its kernels, and is told so") {
  const std::string warning = "emulator: warning: the program ends without waiting for ";
  const std::string advice = ": call cudaDeviceSynchronize() first\n";
  const tools::CommandResult one = run("no wait");
  CHECK(one.status == 0);
  CHECK(one.out == "lived\n");
  CHECK(one.err == warning + "a kernel, so it has not run" + advice);
  CHECK(run("no wait for two").err == warning + "2 kernels, so they have not run" + advice);
  CHECK(run("no wait for a copy").err.empty());
  // A program that fails gets another message.
  const tools::CommandResult failed = run("no wait, and an error");
  CHECK(failed.status == 3);
  CHECK(failed.err.empty());
  // A device would have finished meanwhile.
  const tools::CommandResult in_time = run("no wait, but time");
  CHECK(contains(in_time.out, "a kernel speaks\n"));
  CHECK(in_time.err.empty());
}

TEST_CASE("what counts kernels counts those that nothing waits for") {
  tools::CommandOptions options;
  options.environment["COURSE_COUNTERS"] = "table";
  const tools::CommandResult last =
      tools::run_command({RUNTIME_MISUSE_PROGRAM, "no wait for the last"}, options);
  CHECK(last.status == 0);
  CHECK(contains(last.err, "for a kernel, which runs now, to be counted: call"));
  const tools::CommandResult counted =
      tools::run_command({RUNTIME_MISUSE_PROGRAM, "no wait for two"}, options);
  CHECK(counted.status == 0);
  CHECK(contains(counted.out, "a kernel speaks\na kernel speaks\n"));
  CHECK(contains(counted.err, "for 2 kernels, which run now, to be counted: call"));
}

TEST_CASE("memory of a graph: what kernels do wrong with it") {
  const auto check = [](const std::string& misuse) {
    tools::CommandOptions options;
    options.unset = {"COURSE_MEMORY_FILL"};
    options.environment["COURSE_CHECK"] = "all";
    return tools::run_command({RUNTIME_MISUSE_PROGRAM, misuse}, options);
  };
  const tools::CommandResult right = check("graph in order");
  CHECK(right.status == 0);
  CHECK(contains(right.out, "sum 2688\n"));
  CHECK(right.err == "========= checked: 0 errors, 0 warnings\n");
  CHECK(contains(run("graph in order").out, "sum 2688\n"));
  CHECK(contains(check("graph reads late").err, "memory that has been freed"));
  CHECK(contains(check("graph reads too far").err, "past the end of"));
  // In the second launch, nobody has written the memory, which the first one has.
  CHECK(contains(check("graph reads unwritten").err, "read of global memory that nothing wrote"));
}
