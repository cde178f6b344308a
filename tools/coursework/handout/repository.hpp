#pragma once

/// @file
/// Git operations for handouts and bundles.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace coursework {

/// Returns the files tracked by git in the clone with root `root`; nothing if `root` is not a
/// clone's root.
std::optional<std::vector<std::string>> known_to_git(const std::filesystem::path& root);

/// Makes `folder` a repository with a single commit of all files. Author and date are constant, so
/// that the same files give the same commit everywhere.
/// @throws std::runtime_error if git fails
void commit_everything(const std::filesystem::path& folder, const std::string& message);

/// Packs the commit of `folder` into a ZIP file; the same commit gives the same bytes.
/// @throws std::runtime_error if git fails
void archive_commit(const std::filesystem::path& folder, const std::filesystem::path& zip);

}  // namespace coursework
