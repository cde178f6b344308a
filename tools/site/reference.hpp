#pragma once

/// @file
/// Where the reference has what a page refers to.

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace site {

/// The addresses of sources, files, functions and types.
class Reference {
 public:
  Reference() = default;
  /// @param file  as save() wrote it
  explicit Reference(const std::filesystem::path& file);
  void save(const std::filesystem::path& file) const;

  void add_file(const std::string& file, const std::string& page) { pages_[file] = page; }
  /// @param file  where it is documented, and `name` what it is called there
  void add_member(const std::string& file, const std::string& name, const std::string& address);

  /// The files, and their pages' names without ".html": "chapters/.../kernels.cuh" to "x_8cuh".
  const std::map<std::string, std::string>& files() const { return pages_; }

  bool has(const std::string& file) const { return pages_.contains(file); }
  /// A file's documentation. @throws std::runtime_error if it has none
  std::string file(const std::string& file) const;
  /// The listing of a file, or a line of it. @throws std::runtime_error if it is not listed
  std::string source(const std::string& file, int line = 0) const;
  /// The documentation of a function, constant or type. @throws std::runtime_error if it has none
  std::string member(const std::string& file, const std::string& name) const;

  /// What a name means in a piece of code from `file` on a page of `folder`: the file's own, else
  /// that of another file of the folder, else of the library; nothing if two have that name.
  std::optional<std::string> meaning_of(const std::string& name, const std::string& file,
                                        const std::string& folder) const;

 private:
  std::string page_of(const std::string& file) const;

  std::map<std::string, std::string> pages_;
  std::map<std::string, std::map<std::string, std::string>> members_;  ///< address by name, file
};

}  // namespace site
