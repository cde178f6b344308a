// Tests an H200's results for the kernels of broken_meetings.cu (the launch succeeds, later calls
// fail) and the emulator's messages about them.
#include <doctest/doctest.h>

#include <string>

#include "tools/support/subprocess.hpp"

TEST_CASE("a broken meeting costs the device, and the message says where") {
  struct Case {
    const char* kernel;
    const char* error;
    const char* message;
  };
  const Case cases[] = {
      {"grid.sync() of a plain launch", "cudaErrorLaunchFailure", "cudaLaunchCooperativeKernel"},
      {"a read of block 5 of 2", "cudaErrorLaunchFailure", "there is no block 5 in a cluster of 2"},
      {"a write to block 5 of 2", "cudaErrorLaunchFailure",
       "there is no block 5 in a cluster of 2"},
      {"a read behind a block's shared memory", "cudaErrorIllegalAddress",
       "beyond the shared memory of block 1"},
      {"a read of a block that left", "cudaErrorLaunchFailure", "has ended"},
      {"a barrier of 48 threads", "cudaErrorIllegalInstruction", "multiple of 32 threads"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.kernel);
    const tools::CommandResult result = tools::run_command({BROKEN_MEETINGS, c.kernel});
    CAPTURE(result.err);
    const std::string error = c.error;
    CHECK(result.status == 0);
    CHECK(result.out == "cudaSuccess " + error + " " + error + " " + error + "\n");
    CHECK(result.err.find(c.message) != std::string::npos);
    CHECK(result.err.find("broken_meetings.cu:") != std::string::npos);
  }
}
