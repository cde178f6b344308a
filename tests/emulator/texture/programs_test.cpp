// Tests the messages for programs that use textures and surfaces wrongly.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "in_folder.hpp"
#include "tools/support/subprocess.hpp"

using tools::CommandResult;
using tools::TemporaryFolder;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

CommandResult run(const TemporaryFolder& folder, const std::vector<std::string>& command) {
  return tools::run_command(command, nvcc_tests::in_folder(folder.path(), {}));
}

/// Compiles and runs a program whose kernel has this body. The arguments are a surface `s` of 5 x 3
/// floats and a texture `t` of its array. The program prints the resulting error.
CommandResult result_of(const std::string& body) {
  const TemporaryFolder folder;
  folder.write("a.cu",
               "#include <cstdio>\n"
               "__global__ void k(cudaSurfaceObject_t s, cudaTextureObject_t t, float* out) {\n" +
                   body +
                   "\n}\nint main() {\n"
                   "  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();\n"
                   "  cudaResourceDesc resource{};\n"
                   "  cudaMallocArray(&resource.res.array.array, &format, 5, 3);\n"
                   "  cudaTextureDesc sampling{};\n"
                   "  cudaSurfaceObject_t s = 0;\n"
                   "  cudaTextureObject_t t = 0;\n"
                   "  float* out;\n"
                   "  cudaMalloc(&out, 64);\n"
                   "  cudaCreateSurfaceObject(&s, &resource);\n"
                   "  cudaCreateTextureObject(&t, &resource, &sampling, nullptr);\n"
                   "  k<<<1, 1>>>(s, t, out);\n"
                   "  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));\n}\n");
  const CommandResult compiled = run(folder, {EMULATOR_NVCC, "-std=c++17", "a.cu", "-o", "a"});
  return compiled.status == 0 ? run(folder, {"./a"}) : compiled;
}

}  // namespace

TEST_CASE("a place outside a surface, or between its elements, ends the kernel as on an H200") {
  const std::pair<std::string, std::string> outside[] = {
      {"*out = surf2Dread<float>(s, 20, 0);", "x = 20 bytes, y = 0, z = 0"},
      {"*out = surf2Dread<float>(s, -4, 0);", "x = -4 bytes, y = 0, z = 0"},
      {"*out = surf2Dread<float>(s, 0, 3);", "x = 0 bytes, y = 3, z = 0"},
      {"surf2Dwrite(5.0f, s, 0, -1);", "x = 0 bytes, y = -1, z = 0"},
      {"surf2Dwrite(make_float2(1, 2), s, 16, 0);", "x = 16 bytes, y = 0, z = 0"}};
  for (const auto& [body, place] : outside) {
    const CommandResult result = result_of(body);
    CAPTURE(result.err);
    CHECK(contains(result.err,
                   "a.cu:3: outside the surface, at " + place + ": it has 20 bytes x 3 x 1"));
    CHECK(result.out == "cudaErrorIllegalAddress\n");
  }
  const std::pair<std::string, std::string> between[] = {
      {"*out = surf2Dread<float>(s, 2, 0);", "x = 2: 4 bytes lie at multiples of 4"},
      {"*out = surf2Dread<float>(s, 18, 0, cudaBoundaryModeZero);", "x = 18: 4 bytes"},
      {"*out = surf2Dread<float>(s, 18, 0, cudaBoundaryModeClamp);", "x = 18: 4 bytes"},
      {"*out = surf2Dread<float4>(s, 8, 0).x;", "x = 8: 16 bytes lie at multiples of 16"},
      {"surf2Dwrite(make_float2(1, 2), s, 12, 0);", "x = 12: 8 bytes"}};
  for (const auto& [body, place] : between) {
    const CommandResult result = result_of(body);
    CAPTURE(result.err);
    CHECK(contains(result.err, "a.cu:3: misaligned place in a surface, " + place));
    CHECK(result.out == "cudaErrorMisalignedAddress\n");
  }
}

TEST_CASE("a read that no texel answers gives the border, or 0") {
  // A non-cube array read as a cube, and a texture of less memory than a texel.
  const CommandResult result = result_of(
      "float sum = texCubemap<float>(t, 0.1f, 0.2f, -1.0f) + texCubemapLayered<float>(t, 0, -1, 0, "
      "3);"
      "if (sum != 0) __trap();");
  CHECK(result.err == "");
  CHECK(result.out == "cudaSuccess\n");
  const TemporaryFolder folder;
  folder.write(
      "a.cu",
      "#include <cstdio>\n"
      "__global__ void k(cudaTextureObject_t t, float* out) {\n"
      "  *out = tex1Dfetch<float>(t, 0) + tex1D<float>(t, 0.5f) + tex2D<float>(t, 1, 1);\n}\n"
      "int main() {\n"
      "  float *memory, *out, host = 1;\n"
      "  cudaMalloc(&memory, 64);\n  cudaMalloc(&out, 4);\n"
      "  cudaResourceDesc resource{};\n"
      "  resource.resType = cudaResourceTypeLinear;\n"
      "  resource.res.linear = {memory, cudaCreateChannelDesc<float>(), 2};\n"
      "  for (int mode = 0; mode < 4; ++mode)\n"
      "    for (int normalized = 0; normalized < 2; ++normalized) {\n"
      "      cudaTextureDesc sampling{};\n"
      "      for (auto& m : sampling.addressMode) m = cudaTextureAddressMode(mode);\n"
      "      sampling.normalizedCoords = normalized;\n"
      "      cudaTextureObject_t t = 0;\n"
      "      cudaCreateTextureObject(&t, &resource, &sampling, nullptr);\n"
      "      k<<<1, 1>>>(t, out);\n"
      "      cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost);\n"
      "      std::printf(\"%g \", host);\n"
      "      cudaDestroyTextureObject(t);\n"
      "    }\n}\n");
  CHECK(run(folder, {EMULATOR_NVCC, "-std=c++17", "a.cu", "-o", "a"}).err == "");
  const CommandResult empty = run(folder, {"./a"});
  CHECK(empty.err == "");
  CHECK(empty.out == "0 0 0 0 0 0 0 0 ");
  CHECK(empty.status == 0);
}

TEST_CASE("a texture that is not there ends the kernel") {
  const CommandResult result = result_of("*out = tex2D<float>(t + 77, 0, 0);");
  CHECK(contains(result.err, "a.cu:3: there is no texture or surface 0x"));
  CHECK(result.out == "cudaErrorIllegalAddress\n");
}

TEST_CASE("results by value and by pointer are the same") {
  const CommandResult result = result_of(
      "float a; tex2D(&a, t, 1.5f, 1.5f); surf2Dread(&out[1], s, 4, 1);"
      "if (a != tex2D<float>(t, 1.5f, 1.5f) || out[1] != a) __trap();");
  CHECK(result.err == "");
  CHECK(result.out == "cudaSuccess\n");
}

TEST_CASE("what nobody can read is refused by the compiler") {
  CHECK(contains(result_of("*out = tex2D<double>(t, 0, 0);").err, "at most 32 bits"));
  CHECK(contains(result_of("*out = tex2D<float3>(t, 0, 0).x;").err, "one, two or four channels"));
}

TEST_CASE("texture references are named as what they are") {
  const TemporaryFolder folder;
  folder.write("a.cu", "texture<float, 2> reference;\nint main() {}\n");
  const CommandResult result = run(folder, {EMULATOR_NVCC, "-c", "a.cu"});
  CHECK(contains(result.err, "the emulator does not support texture references"));
  CHECK(result.status != 0);
}
