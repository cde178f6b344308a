#pragma once

/// @file
/// Finds the project's chapters, kernels and prose.

#include <filesystem>
#include <string>
#include <vector>

namespace tools {

/// Returns the project's root.
std::filesystem::path source_folder();

/// Returns the folders below chapters/, in order.
std::vector<std::filesystem::path> chapter_folders();

/// Returns the folder name of chapter "09" in the project at `root`.
///
/// @throws std::runtime_error if there is none
std::string chapter_numbered(const std::filesystem::path& root, const std::string& number);

/// Returns the files with a chapter's kernels: kernels.cuh, or steps/NN_NAME.cuh in order.
std::vector<std::filesystem::path> kernel_files(const std::filesystem::path& chapter);

/// Returns the kernels' names in the chapter's program: the functions' names or, for steps,
/// step_name().
std::vector<std::string> kernel_names(const std::filesystem::path& chapter);

/// Returns the Markdown files whose code and figures are checked.
std::vector<std::filesystem::path> prose_files();

}  // namespace tools
