#include "tools/predict/records.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "tools/predict/model.hpp"
#include "tools/support/project.hpp"

namespace predict {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr int kSizes[] = {1024, 2048, 4096, 8192};

/// Returns whether a step launches this kernel. The chapter's namespaces also contain kernels for
/// experiments, in unnamed namespaces or with other shapes.
bool is_kernel_of(const Kernel& kernel, const Step& step) {
  const std::string prefix = "_ZN" + std::to_string(step.name.size()) + step.name + "5sgemm";
  return kernel.name.starts_with(prefix) && kernel.name.find("_GLOBAL__N_") == std::string::npos &&
         kernel.name.find(step.shape) != std::string::npos;
}

json of_chapter(const char* about, const json& runs) {
  json result;
  result["about"] = about;
  result["chapters"][kChapter] = runs;
  return result;
}

/// Rounds to three decimals; a model is not more precise.
double rounded(double value) { return std::round(value * 1000.0) / 1000.0; }

}  // namespace

fs::path measurements_folder() { return tools::source_folder() / "docs/measurements"; }

json record_of(std::span<const Kernel> kernels) {
  json runs = json::array();
  for (const Step& step : steps()) {
    const auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& candidate) {
      return is_kernel_of(candidate, step);
    });
    if (kernel == kernels.end()) throw std::runtime_error("no kernel of the step " + step.name);
    const MachineCode code = examine(*kernel);
    json run = {{"kernel", step.name}, {"parameters", json::object()}};
    run["loop_instructions"] = code.loop_instructions;
    run["loop_ffma"] = code.loop_ffma;
    run["loop_slots"] = code.loop_slots;
    run["rest_instructions"] = code.rest_instructions;
    run["batches"] = code.batches;
    run["batch_loads"] = code.batch_loads;
    run["repeated_batches"] = code.repeated_batches;
    run["repeated_loads"] = code.repeated_loads;
    runs.push_back(run);
  }
  return of_chapter(
      "What tools/predict needs to know of the kernels' machine code for an H200 "
      "(nvcc 13.0): tools/predict/machine_code.hpp names the fields.",
      runs);
}

json predictions(const prose::Measurements& measured) {
  json runs = json::array();
  for (const Step& step : steps())
    for (const int size : kSizes) {
      const Prediction prediction = predict_step(measured, step, size);
      runs.push_back({{"kernel", step.name},
                      {"parameters", {{"m", size}}},
                      {"issue_cycles", rounded(prediction.costs.issue)},
                      {"wavefront_cycles", rounded(prediction.costs.wavefronts)},
                      {"wait_cycles", rounded(prediction.waits)},
                      {"rounds", prediction.rounds},
                      {"gflop_per_s", rounded(prediction.tflop_per_s * 1000.0)}});
    }
  return of_chapter(
      "What tools/predict says that the steps of chapter 09 reach on an H200, m = n = "
      "k: predictions, not measurements.",
      runs);
}

void write(const fs::path& file, const json& record) {
  std::ofstream stream(file);
  stream << record.dump(2) << '\n';
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace predict
