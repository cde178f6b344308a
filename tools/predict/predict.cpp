/// Predicts how fast chapter 09's steps are on an H200, before they are timed.
///
///     cuobjdump -sass build/cuda/bin/09_sgemm | build/cuda/bin/predict --machine-code FILE
///     build/emulator/bin/predict docs/measurements/sgemm_model.json
///
///     build/cuda/bin/09_sgemm --kernel ways --way M,N,K,... --json REPORT
///     build/emulator/bin/predict --costs docs/measurements/tile_costs.json < REPORT
///
/// The first command writes docs/measurements/machine_code.json, which holds what the model needs
/// from the kernels' machine code. The second writes the predictions together with the measured
/// times. The last two fit the costs of step 17's tiles, which its source contains. If the report
/// has too few runs of a tile, costs already in the file are kept.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "tools/predict/costs.hpp"
#include "tools/predict/machine_code.hpp"
#include "tools/predict/records.hpp"
#include "tools/support/subprocess.hpp"

namespace {

std::string standard_input() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

/// Fits the costs to the report on standard input, and writes them to `file`.
void fit_costs(const std::string& file) {
  const predict::MeasuredWays report = predict::report_of(standard_input());
  predict::KnownCosts known;
  if (std::filesystem::exists(file)) known = predict::known_costs(tools::read_file(file));
  const predict::CostReport costs = predict::fit_report(report, known);
  predict::write(file, predict::record_of(costs));
  std::cout << predict::table_of(costs);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Predicts how fast chapter 09's steps are on an H200", "predict");
  std::string file;
  bool reads_sass = false, reads_report = false;
  app.add_option("FILE", file,
                 "where the predictions go, or the record of the machine code or the costs")
      ->required();
  CLI::Option* const sass = app.add_flag("--machine-code", reads_sass,
                                         "read what cuobjdump -sass prints from standard input");
  app.add_flag("--costs", reads_report,
               "read a report of 09_sgemm --kernel ways from standard input")
      ->excludes(sass);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (reads_sass) {
      predict::write(file, predict::record_of(predict::kernels_in(standard_input())));
    } else if (reads_report) {
      fit_costs(file);
    } else {
      predict::write(file,
                     predict::predictions(prose::Measurements(predict::measurements_folder())));
    }
  } catch (const std::exception& error) {
    std::cerr << "predict: " << error.what() << '\n';
    return 2;
  }
}
