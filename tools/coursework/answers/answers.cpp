#include "tools/coursework/answers/answers.hpp"

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace coursework {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 1 << 20;

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw std::runtime_error(shown(file) + ": " + what);
}

std::string reason() { return std::generic_category().message(errno); }

/// At no moment is there half a file: an editor or a check may look at any.
void write_whole(const fs::path& file, const std::string& text) {
  const fs::path beside = file.parent_path() / ("." + file.filename().string() + ".new");
  std::ofstream stream(beside, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) fail(file, "cannot be written: " + reason());
  std::error_code error;
  fs::rename(beside, file, error);
  if (error) fail(file, "cannot be written: " + error.message());
}

fs::path free_name_beside(const fs::path& file) {
  for (int number = 1;; ++number) {
    fs::path name = file;
    name += ".bak" + (number == 1 ? std::string() : std::to_string(number));
    if (!fs::exists(fs::symlink_status(name))) return name;
  }
}

}  // namespace

fs::path Answers::file_of(const Exercise& exercise) const { return folder_ / exercise.file_name(); }

bool Answers::make(const Exercise& exercise) const {
  const fs::path file = file_of(exercise);
  if (fs::exists(fs::symlink_status(file))) return false;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) fail(folder_, "cannot be made: " + error.message());
  write_whole(file, starter_of(exercise));
  return true;
}

fs::path Answers::reset(const Exercise& exercise) const {
  const fs::path file = file_of(exercise);
  if (make(exercise)) return {};
  const fs::path kept = free_name_beside(file);
  std::error_code error;
  fs::rename(file, kept, error);
  if (error) fail(file, "cannot be moved: " + error.message());
  make(exercise);
  return kept;
}

std::string shown(const fs::path& file, const fs::path& base) {
  const fs::path near = file.lexically_proximate(base);
  return near.string().starts_with("..") ? file.string() : near.string();
}

std::string read_answer(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) fail(file, "there is no such file");
  if (error) fail(file, error.message());
  if (fs::is_directory(status)) fail(file, "this is a folder, not an answer");
  if (!fs::is_regular_file(status)) fail(file, "this is no ordinary file");
  if (const auto bytes = fs::file_size(file, error); !error && bytes > kMostBytes)
    fail(file, "has " + std::to_string(bytes >> 20) + " MiB; an answer has at most 1");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(file, "cannot be read: " + reason());
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (stream.bad()) fail(file, "cannot be read: " + reason());
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) fail(file, "is empty");
  if (text.find('\0') != std::string::npos) fail(file, "is binary, not CUDA C++");
  return text;
}

}  // namespace coursework
