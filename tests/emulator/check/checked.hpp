/// @file
/// Runs kernels under the hazard checks and compares the findings with the planted mistakes.
#pragma once

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "emulator/check.h"
#include "emulator/counters.h"
#include "emulator/memory.h"

namespace check_tests {

/// Returns "file.cu:12" for the line of `file` that ends with the comment `// @tag`.
inline std::string line_of(const std::string& file, const std::string& tag) {
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number)
    if (line.ends_with("// @" + tag))
      return file.substr(file.rfind('/') + 1) + ":" + std::to_string(number);
  return "no line has the tag " + tag;
}

struct Result {
  std::vector<emu::Finding> findings;
  cudaError_t error = cudaSuccess;  ///< of the device, after the kernels
};

/// Runs `launch` under `checks`, and restores the device afterwards.
template <class Launch>
Result run_checked(Launch&& launch, emu::Checks checks = emu::kAllChecks) {
  emu::set_checking(checks);
  emu::take_findings();
  launch();
  Result result;
  result.error = cudaDeviceSynchronize();
  emu::set_checking({});
  emu::set_sticky_error(cudaSuccess);
  cudaGetLastError();
  result.findings = emu::take_findings();
  return result;
}

/// Device memory for a kernel under test, initialised if a value is given.
template <class T>
class Device {
 public:
  explicit Device(std::size_t count) : bytes_(count * sizeof(T)) {
    REQUIRE(cudaMalloc(&data, bytes_) == cudaSuccess);
  }
  Device(std::size_t count, int byte) : Device(count) { cudaMemset(data, byte, bytes_); }
  ~Device() { cudaFree(data); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  operator T*() const { return data; }

  T* data = nullptr;

 private:
  std::size_t bytes_;
};

/// The parts that a finding must have; empty strings are not compared.
struct Expected {
  std::string kind = {};
  std::string line = {}, thread = {}, block = {};
  std::string other_line = {}, other_thread = {}, other_block = {};
  emu::Severity severity = emu::Severity::error;
  std::uint64_t count = 0;  ///< 0: not compared
};

inline void check_finding(const std::vector<emu::Finding>& findings, const Expected& expected) {
  std::string all;
  const emu::Finding* found = nullptr;
  for (const emu::Finding& f : findings) {
    all += "\n  " + f.kind + " " + f.first.line + " " + f.first.thread + " | " + f.second.line +
           " " + f.second.thread + " x" + std::to_string(f.count) + ": " + f.title + "; " +
           f.memory;
    if (f.kind == expected.kind && f.first.line == expected.line) found = &f;
  }
  CAPTURE(all);
  CAPTURE(expected.kind);
  CAPTURE(expected.line);
  REQUIRE(found != nullptr);
  CHECK(found->severity == expected.severity);
  const auto same = [](const std::string& is, const std::string& wanted) {
    if (!wanted.empty()) CHECK(is == wanted);
  };
  same(found->first.thread, expected.thread);
  same(found->first.block, expected.block);
  same(found->second.line, expected.other_line);
  same(found->second.thread, expected.other_thread);
  same(found->second.block, expected.other_block);
  if (expected.count != 0) CHECK(found->count == expected.count);
  // A race is reported in either direction, and its reader may have a finding too: all name the
  // same two lines.
  for (const emu::Finding& f : findings)
    for (const std::string& line : {f.first.line, f.second.line})
      CHECK((line.empty() || line == expected.line || line == expected.other_line ||
             expected.other_line.empty()));
  if (expected.other_line.empty()) CHECK(findings.size() == 1);
}

inline void check_silent(const Result& result) {
  std::string all;
  for (const emu::Finding& f : result.findings)
    all += "\n  " + f.kind + " " + f.first.line + " | " + f.second.line + ": " + f.title;
  CAPTURE(all);
  CHECK(result.findings.empty());
  CHECK(result.error == cudaSuccess);
}

}  // namespace check_tests
