/// Tests that cuSPARSE answers and computes as on an H200, programs and projects that use it and
/// know nothing of the emulator, and reports and checks of their calls.
#include "library_programs.hpp"

using namespace nvcc_tests;
using tools::CommandResult;
using tools::TemporaryFolder;

TEST_CASE("cuSPARSE answers and computes as on an H200") {
  const TemporaryFolder folder;
  check_lines(run({CUSPARSE_RECORD}, folder.path()).out, CUSPARSE_RECORDED);
}

TEST_CASE("a program with kernels and cuSPARSE, and what is said of its calls") {
  for (const char* library : {"-lcusparse", "-lcusparse_static"})
    check_program(CUSPARSE_PROJECT, "heat", library, "cusparseSpMV (50 times)");
}

TEST_CASE("a project with CMake, which finds CUDA::cusparse") { build_and_test(CUSPARSE_PROJECT); }

TEST_CASE("operands that the device cannot reach, that hold nothing, or wrong indices") {
  const TemporaryFolder folder;
  folder.write("a.cu",
               "#include <cusparse.h>\n#include <cstdio>\n#include <vector>\n"
               "int main(int, char** argv) {\n"
               "  const char how = argv[1][0];\n"
               "  int offsets[] = {0, 1, 2}, columns[] = {0, how == 'i' ? 7 : 1}, *o, *c;\n"
               "  if (how == 'o') offsets[2] = 9;\n"
               "  float values[] = {1, 2}, host[2] = {}, *v, *x, *y;\n"
               "  cudaMalloc(&o, sizeof offsets);\n  cudaMalloc(&c, sizeof columns);\n"
               "  cudaMalloc(&v, sizeof values);\n  cudaMalloc(&x, how == 'e' ? 4 : 8);\n"
               "  cudaMalloc(&y, 8);\n"
               "  cudaMemcpy(o, offsets, sizeof offsets, cudaMemcpyHostToDevice);\n"
               "  cudaMemcpy(c, columns, sizeof columns, cudaMemcpyHostToDevice);\n"
               "  cudaMemcpy(v, values, sizeof values, cudaMemcpyHostToDevice);\n"
               "  if (how != 'n') cudaMemset(x, 0, how == 'e' ? 4 : 8);\n"
               "  cusparseHandle_t handle;\n  cusparseSpMatDescr_t a;\n"
               "  cusparseDnVecDescr_t in, out;\n"
               "  cusparseCreate(&handle);\n"
               "  cusparseCreateCsr(&a, 2, 2, 2, o, c, v, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,\n"
               "                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);\n"
               "  cusparseCreateDnVec(&in, 2, how == 'h' ? host : x, CUDA_R_32F);\n"
               "  cusparseCreateDnVec(&out, 2, y, CUDA_R_32F);\n"
               "  const float one = 1, zero = 0;\n"
               "  const int status = cusparseSpMV(\n"
               "      handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, in, &zero, out,\n"
               "      CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);\n"
               "  std::printf(\"%d %d\\n\", status, cudaDeviceSynchronize());\n"
               "  cusparseDestroySpMat(a);\n  cusparseDestroyDnVec(in);\n"
               "  cusparseDestroyDnVec(out);\n  cusparseDestroy(handle);\n"
               "  cudaFree(o);\n  cudaFree(c);\n  cudaFree(v);\n  cudaFree(x);\n  cudaFree(y);\n"
               "}\n");
  compile(folder, {"-g", "a.cu", "-lcusparse", "-o", "a"});
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
  CHECK(contains(host.err, "x of cusparseSpMV is host memory: illegal address\n"));
  CHECK(contains(host.err, "emulator: a.cu:"));
  const CommandResult end = result_of("end", true);
  CHECK(contains(end.err, "memcheck error: x of cusparseSpMV ends 4 bytes beyond its allocation"));
  CHECK(end.status == 1);
  const CommandResult nothing = result_of("nothing", true);
  CHECK(
      contains(nothing.err, "initcheck error: x of cusparseSpMV has elements that nothing wrote"));
  CHECK(nothing.status == 1);
  const char* const index =
      "cusparseSpMV meets an index of 7, counted from 0, and there are 2 columns";
  const char* const offset =
      "cusparseSpMV meets offsets of 1 and 9, counted from 0, and there are 2 values";
  for (const bool is_checked : {false, true}) {
    CHECK(contains(result_of("index", is_checked).err, index));
    CHECK(contains(result_of("offset", is_checked).err, offset));
  }
  CHECK(result_of("index", false).out == "0 700\n");
}

TEST_CASE("a part that is missing is named in one line") {
  const TemporaryFolder folder;
  folder.write("a.cu",
               "#include <cusparse.h>\nint main() {\n"
               "  cusparseMatDescr_t plan;\n  cusparseSpGEMM_createDescr(&plan);\n}\n");
  const CommandResult refused = run({EMULATOR_NVCC, "-c", "a.cu"}, folder.path());
  CAPTURE(refused.err);
  CHECK(contains(refused.err, "this part of cuSPARSE (cusparseMatDescr_t)"));
  CHECK(refused.status != 0);
  folder.write("b.cu",
               "#include <cusparse.h>\nint main() {\n"
               "  cusparseHandle_t handle;\n  cusparseDnVecDescr_t y;\n  cusparseSpVecDescr_t x;\n"
               "  cusparseCreate(&handle);\n"
               "  cusparseCreateDnVec(&y, 0, nullptr, CUDA_R_16F);\n"
               "  cusparseCreateSpVec(&x, 0, 0, nullptr, nullptr, CUSPARSE_INDEX_32I,\n"
               "                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_16F);\n"
               "  cusparseGather(handle, y, x);\n}\n");
  compile(folder, {"b.cu", "-lcusparse", "-o", "b"});
  const CommandResult half = run({"./b"}, folder.path());
  CHECK(contains(half.err, "emulator: not supported: this part of cuSPARSE (numbers other than"));
  CHECK(half.status != 0);
}
