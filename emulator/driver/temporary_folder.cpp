#include "temporary_folder.hpp"

#include <system_error>

#include "failure.hpp"

namespace emulator_nvcc {

TemporaryFolder::TemporaryFolder() try : course
  ::TemporaryFolder(course::folder_of_temporary_files(), "emulator-nvcc-") {}
catch (const std::system_error& error) {
  throw Failure(2, "emulator-nvcc: cannot make a temporary folder in " +
                       course::folder_of_temporary_files().string() + ": " +
                       error.code().message());
}

}  // namespace emulator_nvcc
