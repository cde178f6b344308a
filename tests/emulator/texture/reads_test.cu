// Tests that textures return the same bits as an H200: for every shape, filter, address mode and
// format, 20,000 reads each.
#include <doctest/doctest.h>

#include <cinttypes>
#include <fstream>
#include <map>

#include "reads.cuh"

TEST_CASE("textures are read as an H200 reads them") {
  std::ifstream file("reads_h200.txt");
  std::map<std::string, std::uint64_t> recorded;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t space = line.find(' ');
    recorded[line.substr(space + 1)] = std::stoull(line.substr(0, space), nullptr, 16);
  }
  const auto all = reads::run();
  constexpr std::size_t kAtLeast = 300;  // the number in emulator/README.md
  CHECK(all.size() >= kAtLeast);
  CHECK(recorded.size() == all.size());
  for (const reads::Digest& one : all) {
    CAPTURE(one.name);
    REQUIRE(recorded.contains(one.name));
    CHECK(recorded[one.name] == one.bits);
  }
}

namespace {

constexpr int kTexels = 1000;

/// Returns the texel that contains a normalised coordinate.
float texel_at(float coordinate) {
  std::vector<float> numbers(kTexels);
  for (int i = 0; i < kTexels; ++i) numbers[i] = static_cast<float>(i);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, kTexels) == cudaSuccess);
  REQUIRE(cudaMemcpyToArray(array, 0, 0, numbers.data(), kTexels * sizeof(float),
                            cudaMemcpyHostToDevice) == cudaSuccess);
  const cudaResourceDesc resource = reads::resource_of(array);
  const cudaTextureDesc sampling =
      reads::sampling_of({cudaFilterModePoint, cudaAddressModeClamp, true});
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr) == cudaSuccess);
  const reads::Array<reads::Coordinates> at(
      std::vector<reads::Coordinates>(reads::kReads, {coordinate, 0, 0, 0, 0}));
  const reads::Array<float> out(reads::kReads);
  reads::read_all<float>
      <<<1, reads::kThreads>>>(reads::Line<float>(), texture, at.get(), out.get());
  float found = -1;
  REQUIRE(cudaMemcpy(&found, out.get(), sizeof found, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  return found;
}

}  // namespace

TEST_CASE("a normalized coordinate is cut off: 0.935f of 1000 texels lies before texel 935") {
  CHECK(0.935f * kTexels >= 935.0f);
  CHECK(texel_at(0.935f) == 934);
  CHECK(texel_at(0.9351f) == 935);
}
