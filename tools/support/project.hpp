#pragma once

/// @file
/// Where this project keeps things: its chapters, their kernels, its prose.

#include <filesystem>
#include <string>
#include <vector>

namespace tools {

/// The project's root.
std::filesystem::path source_folder();

/// The folders below chapters/, in order.
std::vector<std::filesystem::path> chapter_folders();

/// The folder's name of chapter "09" of the project in `root`.
///
/// @throws std::runtime_error if there is none
std::string chapter_numbered(const std::filesystem::path& root, const std::string& number);

/// Where a chapter's kernels stand: kernels.cuh or, one step per file, steps/NN_NAME.cuh in order.
std::vector<std::filesystem::path> kernel_files(const std::filesystem::path& chapter);

/// What a chapter's program calls its kernels: as they are called or, in steps, step_name().
std::vector<std::string> kernel_names(const std::filesystem::path& chapter);

/// The Markdown files whose code and figures are checked.
std::vector<std::filesystem::path> prose_files();

}  // namespace tools
