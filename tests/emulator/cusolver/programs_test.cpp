/// Programs and projects that use cuSOLVER and know nothing of the emulator; reports and checks of
/// their calls.
#include "library_programs.hpp"

using namespace nvcc_tests;
using tools::CommandResult;
using tools::TemporaryFolder;

TEST_CASE("a program with kernels and cuSOLVER, and what is said of its calls") {
  check_program(CUSOLVER_PROJECT, "modes", "-lcusolver", "cusolverDnDsyevd");
}

TEST_CASE("a project with CMake, which finds CUDA::cusolver") { build_and_test(CUSOLVER_PROJECT); }

TEST_CASE("a program in C, a call that is missing, and a part that is missing") {
  const TemporaryFolder folder;
  folder.write("a.c",
               "#include <cusolverDn.h>\nint main(void) {\n  cusolverDnHandle_t handle;\n"
               "  return cusolverDnCreate(&handle) || cusolverDnDestroy(handle);\n}\n");
  compile(folder, {"a.c", "-lcusolver", "-lcublas", "-o", "a"});
  CHECK(run({"./a"}, folder.path()).status == 0);
  folder.write("b.cu", "#include <cusolverDn.h>\nint main() { return cusolverDnDsytrf(); }\n");
  CHECK(contains(run({EMULATOR_NVCC, "b.cu", "-lcusolver"}, folder.path()).err,
                 "the emulator does not support this part of cuSOLVER (cusolverDnDsytrf)"));
  folder.write("c.cu", "#include <cusolverSp.h>\nint main() {}\n");
  CHECK(contains(run({EMULATOR_NVCC, "c.cu", "-lcusolver"}, folder.path()).err,
                 "the emulator does not support this part of cuSOLVER (<cusolverSp.h>)"));
}

TEST_CASE("operands that are the host's, or hold nothing") {
  const TemporaryFolder folder;
  folder.write(
      "a.cu",
      "#include <cstring>\n#include <cusolverDn.h>\n"
      "int main(int, char** arguments) {\n"
      "  double host[4] = {}, *A, work[256]; int* info;\n"
      "  cudaMalloc(&A, sizeof host); cudaMalloc(&info, sizeof(int));\n"
      "  cusolverDnHandle_t handle; cusolverDnCreate(&handle);\n"
      "  const bool on_host = !strcmp(arguments[1], \"host\");\n"
      "  cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, 2, on_host ? host : A, 2, work, 256,\n"
      "                   info);\n"
      "  const bool failed = cudaDeviceSynchronize() == cudaErrorIllegalAddress;\n"
      "  cusolverDnDestroy(handle); cudaFree(A); cudaFree(info);\n"
      "  return failed != on_host;\n}\n");
  compile(folder, {"a.cu", "-lcusolver", "-o", "a"});
  const CommandResult plain = run({"./a", "host"}, folder.path());
  CHECK(contains(plain.err, "cusolverDnDpotrf"));
  CHECK(plain.status == 0);
  const CommandResult checked = run({"./a", "host"}, folder.path(), {{"COURSE_CHECK", "memcheck"}});
  CHECK(contains(checked.err, "memcheck error"));
  CHECK(contains(checked.err, "a.cu:8"));
  const CommandResult unset = run({"./a", "unset"}, folder.path(), {{"COURSE_CHECK", "initcheck"}});
  CHECK(contains(unset.err, "initcheck error"));
  CHECK(contains(unset.err, "a.cu:8"));
}
