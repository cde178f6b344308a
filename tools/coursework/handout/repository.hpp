#pragma once

/// @file
/// What handouts and bundles need of git.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace coursework {

/// The files that git knows in the clone whose root is `root`; nothing where it is no such root.
std::optional<std::vector<std::string>> known_to_git(const std::filesystem::path& root);

/// Makes `folder` a repository whose only commit has everything in it. Author and date are always
/// the same, so that the same files are the same commit on every machine.
/// @throws std::runtime_error where git fails
void commit_everything(const std::filesystem::path& folder, const std::string& message);

/// Packs what is committed in `folder` into a ZIP file, the same bytes for the same commit.
/// @throws std::runtime_error where git fails
void archive_commit(const std::filesystem::path& folder, const std::filesystem::path& zip);

}  // namespace coursework
