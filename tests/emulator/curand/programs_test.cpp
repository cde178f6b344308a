/// Programs and projects that use cuRAND and know nothing of the emulator; reports and checks of
/// their calls.
#include "library_programs.hpp"

using namespace nvcc_tests;
using tools::CommandResult;
using tools::TemporaryFolder;

TEST_CASE("a program with kernels and cuRAND, and what is said of its calls") {
  for (const char* library : {"-lcurand", "-lcurand_static"})
    check_program(CURAND_PROJECT, "noise", library, "curandGenerateUniform");
}

TEST_CASE("a project with CMake, which finds CUDA::curand") { build_and_test(CURAND_PROJECT); }

TEST_CASE("results that do not go where the device can write") {
  const TemporaryFolder folder;
  folder.write("a.cu",
               "#include <curand.h>\n#include <cstdio>\n"
               "int main(int, char** argv) {\n"
               "  const char how = argv[1][0];\n"
               "  unsigned* numbers;\n"
               "  unsigned host[16];\n"
               "  cudaMalloc(&numbers, (how == 'e' ? 15 : 16) * sizeof(unsigned));\n"
               "  curandGenerator_t generator;\n"
               "  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);\n"
               "  const int status = curandGenerate(generator, how == 'h' ? host : numbers, 16);\n"
               "  std::printf(\"%d %d\\n\", status, cudaDeviceSynchronize());\n"
               "  curandDestroyGenerator(generator);\n"
               "  cudaFree(numbers);\n"
               "}\n");
  compile(folder, {"-g", "a.cu", "-lcurand", "-o", "a"});
  const auto result_of = [&](const std::string& how, bool is_checked) {
    std::map<std::string, std::string> environment;
    if (is_checked) environment["COURSE_CHECK"] = "memcheck,initcheck";
    return run({"./a", how}, folder.path(), environment);
  };
  CHECK(result_of("right", false).out == "0 0\n");
  CHECK(result_of("right", true).status == 0);
  const CommandResult host = result_of("host", false);
  CHECK(host.out == "0 700\n");
  CHECK(host.err ==
        "emulator: a.cu:10: the result of curandGenerate is host memory: illegal "
        "address\n");
  const CommandResult end = result_of("end", true);
  CHECK(contains(end.err, "the result of curandGenerate ends 4 bytes beyond its allocation of 60"));
  CHECK(end.status == 1);
}

TEST_CASE("a part that is missing is named in one line") {
  const TemporaryFolder folder;
  folder.write("a.cu",
               "#include <curand.h>\n#include <cstdlib>\nint main(int, char** argv) {\n"
               "  curandGenerator_t generator;\n"
               "  return curandCreateGenerator(\n"
               "      &generator, static_cast<curandRngType_t>(std::atoi(argv[1])));\n}\n");
  compile(folder, {"a.cu", "-lcurand", "-o", "a"});
  for (const char* type : {"141", "142", "201"}) {
    const CommandResult result = run({"./a", type}, folder.path());
    CAPTURE(result.err);
    CHECK(contains(result.err, "emulator: not supported: this part of cuRAND (CURAND_RNG_"));
    CHECK(result.status != 0);
  }
  folder.write("b.cu",
               "#include <curand_kernel.h>\n"
               "__global__ void k(curandStateSobol32_t* state) { curand(state); }\n");
  const CommandResult refused = run({EMULATOR_NVCC, "-c", "b.cu"}, folder.path());
  CAPTURE(refused.err);
  CHECK(contains(refused.err, "this part of cuRAND (curandStateSobol32_t)"));
  CHECK(refused.status != 0);
}
