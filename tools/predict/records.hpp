#pragma once

/// @file
/// Reads and writes the model's files in docs/measurements.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "tools/predict/machine_code.hpp"
#include "tools/prose/measurements.hpp"

namespace predict {

std::filesystem::path measurements_folder();

/// Returns machine_code.json: the results of examine() for every step's kernel.
///
/// @throws std::runtime_error if a step's kernel is missing
nlohmann::ordered_json record_of(std::span<const Kernel> kernels);

/// Returns sgemm_model.json: every step at the sizes that h200.json has times for.
nlohmann::ordered_json predictions(const prose::Measurements& measured);

void write(const std::filesystem::path& file, const nlohmann::ordered_json& record);

}  // namespace predict
