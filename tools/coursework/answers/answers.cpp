#include "tools/coursework/answers/answers.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace coursework {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 1 << 20;

[[noreturn]] void throw_file_error(const fs::path& file, const std::string& what) {
  throw std::runtime_error(shown(file) + ": " + what);
}

std::string reason() { return std::generic_category().message(errno); }

/// Writes a file atomically: an editor or a check that reads it never sees half a file.
void write_whole(const fs::path& file, const std::string& text) {
  const fs::path beside = file.parent_path() / ("." + file.filename().string() + ".new");
  std::ofstream stream(beside, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw_file_error(file, "cannot be written: " + reason());
  std::error_code error;
  fs::rename(beside, file, error);
  if (error) throw_file_error(file, "cannot be written: " + error.message());
}

fs::path free_name_beside(const fs::path& file) {
  for (int number = 1;; ++number) {
    fs::path name = file;
    name += ".bak" + (number == 1 ? std::string() : std::to_string(number));
    if (!fs::exists(fs::symlink_status(name))) return name;
  }
}

bool consists_of_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Returns "05_3" of "05_3_name.cu" if `name` is the exercise's name; otherwise nothing.
std::string number_before(const std::string& file, const std::string& name) {
  const std::string end = "_" + name + ".cu";
  if (!file.ends_with(end)) return {};
  const std::string number = file.substr(0, file.size() - end.size());
  const std::size_t between = std::min(number.find('_'), number.size());
  const bool is_number = consists_of_digits(number.substr(0, between)) && between < number.size() &&
                         consists_of_digits(number.substr(between + 1));
  return is_number ? number : std::string();
}

}  // namespace

fs::path Answers::file_of(const Exercise& exercise) const { return folder_ / exercise.file_name(); }

bool Answers::make(const Exercise& exercise) const {
  const fs::path file = file_of(exercise);
  if (fs::exists(fs::symlink_status(file))) return false;
  if (const auto before = renumbered({exercise}); !before.empty())
    throw std::runtime_error(before.front());
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw_file_error(folder_, "cannot be made: " + error.message());
  write_whole(file, starter_of(exercise));
  return true;
}

fs::path Answers::reset(const Exercise& exercise) const {
  const fs::path file = file_of(exercise);
  if (make(exercise)) return {};
  const fs::path kept = free_name_beside(file);
  std::error_code error;
  fs::rename(file, kept, error);
  if (error) throw_file_error(file, "cannot be moved: " + error.message());
  make(exercise);
  return kept;
}

std::vector<std::string> Answers::renumbered(const std::vector<Exercise>& exercises,
                                             const std::string& id) const {
  std::vector<std::string> names, lines;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    for (const Exercise& exercise : exercises) {
      const std::string number = number_before(name, exercise.name);
      if (number.empty() || number == exercise.id || (!id.empty() && number != id)) continue;
      if (fs::exists(fs::symlink_status(file_of(exercise)))) continue;
      std::string now = exercise.id;
      std::replace(now.begin(), now.end(), '_', '.');
      lines.push_back(shown(folder_ / name) + ": this exercise is " + now +
                      " now; rename the file to " + shown(file_of(exercise)));
    }
  }
  return lines;
}

std::string shown(const fs::path& file, const fs::path& base) {
  const fs::path near = file.lexically_proximate(base);
  return near.string().starts_with("..") ? file.string() : near.string();
}

std::string read_answer(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) throw_file_error(file, "there is no such file");
  if (error) throw_file_error(file, error.message());
  if (fs::is_directory(status)) throw_file_error(file, "this is a folder, not an answer");
  if (!fs::is_regular_file(status)) throw_file_error(file, "this is no ordinary file");
  if (const auto bytes = fs::file_size(file, error); !error && bytes > kMostBytes)
    throw_file_error(file, "has " + std::to_string(bytes >> 20) + " MiB; an answer has at most 1");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw_file_error(file, "cannot be read: " + reason());
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (stream.bad()) throw_file_error(file, "cannot be read: " + reason());
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw_file_error(file, "is empty");
  if (text.find('\0') != std::string::npos) throw_file_error(file, "is binary, not CUDA C++");
  return text;
}

}  // namespace coursework
