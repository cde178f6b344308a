/// @file
/// Runs conversion_cases.cuh and prints the results as lines, to be stored and compared.
#pragma once

#include <cinttypes>
#include <sstream>
#include <string>
#include <vector>

#include "conversion_cases.cuh"
#include "record.hpp"

namespace conversions {

using record::require;

template <class T>
class DeviceValues {
 public:
  explicit DeviceValues(const std::vector<T>& values) : size_(values.size()) {
    require(cudaMalloc(&data_, size_ * sizeof(T)));
    require(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceValues() { cudaFree(data_); }
  DeviceValues(const DeviceValues&) = delete;
  DeviceValues& operator=(const DeviceValues&) = delete;

  T* data() const { return data_; }
  std::vector<T> to_host() const {
    std::vector<T> copy(size_);
    require(cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

inline std::size_t columns_of(const char* names) {
  std::istringstream in(names);
  std::size_t count = 0;
  for (std::string word; in >> word;) ++count;
  return count;
}

/// Appends a title and a line for each number: its meaning, and the bits of each result.
inline void append_table(std::vector<std::string>& lines, const std::string& title,
                         const char* columns, const std::vector<std::string>& numbers,
                         const std::vector<Bits>& results) {
  lines.push_back("[" + title + "] " + columns);
  const std::size_t count = columns_of(columns);
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    std::string line = numbers[row] + ":";
    for (std::size_t column = 0; column < count; ++column) {
      char text[20];
      std::snprintf(text, sizeof text, " %" PRIx64, results[row * kColumns + column]);
      line += text;
    }
    lines.push_back(line);
  }
}

/// Launches with room for the results of `rows` numbers.
template <class Launch>
std::vector<Bits> results_of(std::size_t rows, Launch&& launch) {
  const DeviceValues<Bits> results(std::vector<Bits>(rows * kColumns));
  launch(results.data());
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());
  return results.to_host();
}

template <class Real>
void run_reals(std::vector<std::string>& lines, const std::string& name) {
  std::vector<Real> values;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < kReals; ++i) {
    values.push_back(static_cast<Real>(real_at(i)));
    char text[40];
    std::snprintf(text, sizeof text, "%a", static_cast<double>(values.back()));
    numbers.push_back(text);
  }
  const DeviceValues<Real> in(values);
  append_table(
      lines, name + " from memory", kRealColumns, numbers,
      results_of(kReals, [&](Bits* to) { convert_reals<Real><<<1, 128>>>(in.data(), to); }));
  append_table(lines, name + " as a constant", kRealColumns, numbers,
               results_of(kReals, [&](Bits* to) {
                 convert_constant_reals<Real><<<1, 1>>>(to, std::make_index_sequence<kReals>());
               }));
}

inline void run_integers(std::vector<std::string>& lines) {
  std::vector<long long> values;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < kIntegers; ++i) {
    values.push_back(integer_at(i));
    numbers.push_back(std::to_string(values.back()));
  }
  const DeviceValues<long long> in(values);
  append_table(
      lines, "integer from memory", kIntegerColumns, numbers,
      results_of(kIntegers, [&](Bits* to) { convert_integers<<<1, 64>>>(in.data(), to); }));
  append_table(lines, "integer as a constant", kIntegerColumns, numbers,
               results_of(kIntegers, [&](Bits* to) {
                 convert_constant_integers<<<1, 1>>>(to, std::make_index_sequence<kIntegers>());
               }));
}

template <std::size_t... number>
void launch_constant_shifts(Bits* to, std::index_sequence<number...>) {
  (shift_constant<number><<<1, 1>>>(to, std::make_index_sequence<kCounts>()), ...);
}

inline void run_shifts(std::vector<std::string>& lines) {
  std::vector<long long> values, counts;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < kShifted; ++i) values.push_back(shifted_at(i));
  for (std::size_t i = 0; i < kCounts; ++i) counts.push_back(count_at(i));
  for (const long long value : values)
    for (const long long count : counts)
      numbers.push_back(std::to_string(value) + " by " + std::to_string(count));
  const DeviceValues<long long> in(values), by(counts);
  append_table(lines, "shift from memory", kShiftColumns, numbers,
               results_of(numbers.size(), [&](Bits* to) {
                 shift_numbers<<<kShifted, 64>>>(in.data(), by.data(), to);
               }));
  append_table(lines, "shift by a constant", kShiftColumns, numbers,
               results_of(numbers.size(), [&](Bits* to) {
                 shift_by_constants<<<1, 1>>>(in.data(), to, std::make_index_sequence<kCounts>());
               }));
  append_table(lines, "shift as a constant", kShiftColumns, numbers,
               results_of(numbers.size(), [&](Bits* to) {
                 launch_constant_shifts(to, std::make_index_sequence<kShifted>());
               }));
}

/// Returns all tables in the order of the record.
inline std::vector<std::string> run() {
  std::vector<std::string> lines;
  run_reals<float>(lines, "float");
  run_reals<double>(lines, "double");
  run_integers(lines);
  run_shifts(lines);
  return lines;
}

}  // namespace conversions
