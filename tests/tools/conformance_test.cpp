#include "tools/conformance/conformance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace {

const conformance::Area& find(const std::vector<conformance::Section>& all,
                              const std::string& section, const std::string& area) {
  for (const conformance::Section& one : all)
    for (const conformance::Area& part : one.areas)
      if (one.title == section && part.title == area) return part;
  FAIL("no area '" << area << "' in '" << section << "'");
  throw 0;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) == 1;
}

}  // namespace

TEST_CASE("docs/conformance.md is up to date: if not, run build/emulator/bin/update_conformance") {
  const std::string present = tools::read_file(tools::source_folder() / "docs/conformance.md");
  CHECK(present == conformance::page(conformance::sections()));
}

TEST_CASE("a name stands where it belongs") {
  const auto all = conformance::sections();
  CHECK(has(find(all, "The runtime API", "Memory").supported, "cudaMallocPitch"));
  CHECK(has(find(all, "The runtime API", "Streams").supported, "cudaStreamWaitEvent"));
  CHECK(has(find(all, "The runtime API", "Graphs").supported, "cudaGraphLaunch"));
  CHECK(has(find(all, "The driver API", "Other programs, devices and drawing").refused,
            "cuGraphicsMapResources"));
  CHECK(has(find(all, "Device functions", "Warps and barriers").supported, "__shfl_xor_sync"));
  CHECK(has(find(all, "Device functions", "Atomics").supported, "atomicAdd"));
  CHECK(has(find(all, "Libraries", "cuBLAS").supported, "cublasSgemm"));
  CHECK(has(find(all, "Libraries", "Others").refused, "cuDNN"));
}

TEST_CASE("no name is both supported and refused, and no untested one is unsupported") {
  for (const conformance::Section& section : conformance::sections())
    for (const conformance::Area& area : section.areas) {
      CAPTURE(area.title);
      for (const std::string& name : area.refused) CHECK_FALSE(has(area.supported, name));
      for (const std::string& name : area.untested) CHECK(has(area.supported, name));
    }
}
