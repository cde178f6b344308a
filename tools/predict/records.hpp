#pragma once

/// @file
/// What the model reads and writes in docs/measurements.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "tools/predict/machine_code.hpp"
#include "tools/prose/measurements.hpp"

namespace predict {

std::filesystem::path measurements_folder();

/// machine_code.json: of every step's kernel what examine() finds.
///
/// @throws std::runtime_error if a step has no kernel among these
nlohmann::ordered_json record_of(std::span<const Kernel> kernels);

/// sgemm_model.json: every step at sizes that h200.json has times for.
nlohmann::ordered_json predictions(const prose::Measurements& measured);

void write(const std::filesystem::path& file, const nlohmann::ordered_json& record);

}  // namespace predict
