/// Predicts how fast chapter 08's steps are on an H200, before they are timed.
///
///     cuobjdump -sass build/cuda/bin/08_sgemm | build/cuda/bin/predict --machine-code FILE
///     build/emulator/bin/predict docs/measurements/sgemm_model.json
///
/// The first one writes docs/measurements/machine_code.json: what the model needs to know of the
/// kernels' machine code. The second one writes the predictions, beside what was measured.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "tools/predict/machine_code.hpp"
#include "tools/predict/records.hpp"
#include "tools/support/project.hpp"

int main(int argc, char** argv) {
  CLI::App app("Predicts how fast chapter 08's steps are on an H200", "predict");
  std::string file;
  bool reads_sass = false;
  app.add_option("FILE", file, "where the predictions go, or the record of the machine code")
      ->required();
  app.add_flag("--machine-code", reads_sass,
               "read what cuobjdump -sass prints from standard input");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (reads_sass) {
      const std::string sass(std::istreambuf_iterator<char>(std::cin), {});
      predict::write(file, predict::record_of(predict::kernels_in(sass)));
    } else {
      predict::write(file,
                     predict::predictions(prose::Measurements(predict::measurements_folder())));
    }
  } catch (const std::exception& error) {
    std::cerr << "predict: " << error.what() << '\n';
    return 2;
  }
}
