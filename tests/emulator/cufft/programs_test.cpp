/// Tests that cuFFT answers and transforms as on an H200, programs and projects that use it and
/// know nothing of the emulator, and reports and checks of their calls.
#include "library_programs.hpp"

using namespace nvcc_tests;
using tools::CommandResult;
using tools::TemporaryFolder;

TEST_CASE("cuFFT answers and transforms as on an H200") {
  const TemporaryFolder folder;
  std::string printed = run({CUFFT_RECORD}, folder.path()).out;
  for (const char* how : {"null input", "null output", "host input", "host output"})
    printed += run({CUFFT_RECORD, how}, folder.path()).out;
  check_lines(printed, CUFFT_RECORDED);
}

TEST_CASE("a program with kernels and cuFFT, and what is said of its calls") {
  for (const char* library : {"-lcufft", "-lcufft_static"})
    check_program(CUFFT_PROJECT, "smoothed", library, "cufftExecC2R, cufftExecR2C");
}

TEST_CASE("a project with CMake, which finds CUDA::cufft") { build_and_test(CUFFT_PROJECT); }

TEST_CASE("operands that the device cannot reach, or that hold nothing") {
  const TemporaryFolder folder;
  folder.write("a.cu",
               "#include <cufft.h>\n#include <cstdio>\n#include <vector>\n"
               "int main(int, char** argv) {\n"
               "  const char how = argv[1][0];\n"
               "  std::vector<cufftComplex> host(16);\n"
               "  cufftComplex *in, *out;\n"
               "  cudaMalloc(&in, sizeof(cufftComplex) * 16);\n"
               "  cudaMalloc(&out, sizeof(cufftComplex) * (how == 'e' ? 15 : 16));\n"
               "  if (how != 'n') cudaMemset(in, 0, sizeof(cufftComplex) * 16);\n"
               "  cufftHandle plan;\n"
               "  cufftPlan1d(&plan, 16, how == 'o' ? CUFFT_R2C : CUFFT_C2C, 1);\n"
               "  const int status = cufftExecC2C(plan, how == 'h' ? host.data() : in, out, -1);\n"
               "  std::printf(\"%d %d\\n\", status, cudaDeviceSynchronize());\n"
               "  cufftDestroy(plan);\n"
               "  cudaFree(in);\n  cudaFree(out);\n"
               "}\n");
  compile(folder, {"-g", "a.cu", "-lcufft", "-o", "a"});
  const auto result_of = [&](const std::string& how, bool is_checked) {
    std::map<std::string, std::string> environment;
    if (is_checked) environment["COURSE_CHECK"] = "memcheck,initcheck";
    return run({"./a", how}, folder.path(), environment);
  };
  CHECK(result_of("right", false).out == "0 0\n");
  const CommandResult right = result_of("right", true);
  CAPTURE(right.err);
  CHECK(right.status == 0);
  const CommandResult host = result_of("host", false);
  CHECK(host.out == "0 700\n");
  CHECK(host.err ==
        "emulator: a.cu:13: the input of cufftExecC2C is host memory: illegal address\n");
  const CommandResult end = result_of("end", true);
  CHECK(contains(end.err,
                 "memcheck error: the output of cufftExecC2C ends 8 bytes beyond its allocation"));
  CHECK(end.status == 1);
  const CommandResult nothing = result_of("nothing", true);
  CHECK(contains(nothing.err,
                 "initcheck error: the input of cufftExecC2C has elements that nothing wrote"));
  CHECK(nothing.status == 1);
  const CommandResult other = result_of("other", false);
  CHECK(other.out == "0 0\n");
  CHECK(other.err == "emulator: a.cu:13: cufftExecC2C: the plan is for CUFFT_R2C, and does that\n");
}

TEST_CASE("what a transform does not touch need not be written, and is not taken as written") {
  const TemporaryFolder folder;
  folder.write("a.cu",
               "#include <cufft.h>\n"
               "__global__ void set(float2* p) { p[2 * threadIdx.x] = float2{1, 0}; }\n"
               "__global__ void copy(float* to, const float2* p, int first) {\n"
               "  to[threadIdx.x] = p[2 * threadIdx.x + first].x;\n"
               "}\n"
               "int main(int, char** argv) {\n"
               "  int n[] = {8};\n"
               "  cufftComplex *in, *out;\n  float* copied;\n"
               "  cudaMalloc(&in, 16 * sizeof *in);\n  cudaMalloc(&out, 16 * sizeof *out);\n"
               "  cudaMalloc(&copied, 8 * sizeof *copied);\n"
               "  set<<<1, 8>>>(in);\n"
               "  cufftHandle plan;\n"
               "  cufftPlanMany(&plan, 1, n, n, 2, 16, n, 2, 16, CUFFT_C2C, 1);\n"
               "  cufftExecC2C(plan, in, out, CUFFT_FORWARD);\n"
               "  copy<<<1, 8>>>(copied, out, argv[1][0] - '0');\n"
               "  cudaDeviceSynchronize();\n"
               "  cufftDestroy(plan);\n  cudaFree(in);\n  cudaFree(out);\n  cudaFree(copied);\n"
               "}\n");
  compile(folder, {"-g", "a.cu", "-lcufft", "-o", "a"});
  for (const char* first : {"0", "1"}) {
    const CommandResult result = run({"./a", first}, folder.path(), {{"COURSE_CHECK", "all"}});
    CAPTURE(result.err);
    const bool reads_gaps = first[0] == '1';
    CHECK(contains(result.err, "initcheck error") == reads_gaps);
    CHECK(contains(result.err, "cufftExecC2C") == false);
    CHECK(result.status == (reads_gaps ? 1 : 0));
  }
}

TEST_CASE("a part that is missing is named in one line") {
  const TemporaryFolder folder;
  folder.write("a.cu", "#include <cufftXt.h>\nint main() {}\n");
  const CommandResult header = run({EMULATOR_NVCC, "-c", "a.cu"}, folder.path());
  CAPTURE(header.err);
  CHECK(contains(header.err, "this part of cuFFT (<cufftXt.h>)"));
  CHECK(header.status != 0);
}
