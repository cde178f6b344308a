#include "tools/coursework/grade/search.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include "tools/coursework/grade/names.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

constexpr int kNoMatch = kWithAdditions + 1;
constexpr int kMostDepth = 16;
constexpr int kMostEntries = 20'000;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Returns the name without ".cu" and without ".txt", which platforms and editors append.
std::string stem_of_source(std::string_view name) {
  for (const std::string_view ending : {".txt", ".cu"}) {
    if (!name.ends_with(ending)) continue;
    name.remove_suffix(ending.size());
    if (ending == ".cu") return std::string(name);
  }
  return {};
}

/// Reads at most `most_bytes` of a regular file below the folder `at`.
void read_plain(int at, const std::string& name, std::size_t most_bytes, FoundFile& file) {
  // Without O_NONBLOCK, opening a named pipe would wait for its other end.
  const int descriptor =
      openat(at, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat about {};
  if (descriptor < 0) {
    file.fault = errno == ELOOP ? "it is a symbolic link, and links are not followed"
                                : std::string("it cannot be read: ") + std::strerror(errno);
    return;
  }
  if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
    file.is_folder = S_ISDIR(about.st_mode);
    file.fault = file.is_folder ? "it is a folder" : "it is no plain file";
  } else if (static_cast<std::size_t>(about.st_size) > most_bytes) {
    file.fault = "it has more than " + std::to_string(most_bytes >> 10) + " KiB";
  } else {
    std::string bytes(most_bytes + 1, '\0');
    std::size_t have = 0;
    ssize_t count = 0;
    while (have < bytes.size() &&
           (count = read(descriptor, bytes.data() + have, bytes.size() - have)) > 0)
      have += static_cast<std::size_t>(count);
    if (count < 0) file.fault = std::string("it cannot be read: ") + std::strerror(errno);
    if (have > most_bytes)
      file.fault = "it has more than " + std::to_string(most_bytes >> 10) + " KiB";
    bytes.resize(have);
    if (file.fault.empty()) file.bytes = std::move(bytes);
  }
  close(descriptor);
}

/// Searches one student's folder.
class Search {
 public:
  Search(const std::vector<Exercise>& exercises, std::size_t most_bytes)
      : exercises_(exercises), most_bytes_(most_bytes) {}

  /// Searches a folder and closes its descriptor; `path` leads there from the student's folder.
  void folder(int descriptor, const std::string& path, const std::string& name, int depth) {
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(descriptor), &closedir);
    if (!entries) {
      close(descriptor);
      return;
    }
    std::vector<std::string> names;
    while (const dirent* entry = readdir(entries.get())) {
      if (++entries_ > kMostEntries) break;
      const std::string one = entry->d_name;
      // Folders of version control and macOS contain no answers.
      if (one == "." || one == ".." || one == ".git" || one == "__MACOSX" || one.starts_with("._"))
        continue;
      names.push_back(one);
    }
    std::ranges::sort(names);
    for (const std::string& one : names) look_at(dirfd(entries.get()), path, name, one, depth);
  }

  Found found;

 private:
  void look_at(int at, const std::string& path, const std::string& parent, const std::string& name,
               int depth) {
    bool fits = false;
    for (const Exercise& exercise : exercises_) {
      const int rank = rank_of(name, parent, exercise);
      if (rank == kNoMatch) continue;
      FoundFile file{path + name, rank, {}, {}, false};
      read_plain(at, name, most_bytes_, file);
      fits = fits || !file.is_folder;
      found.files[exercise.id].push_back(std::move(file));
    }
    if (fits) return;
    if (!stem_of_source(lower(name)).empty()) found.other_sources.push_back(printable(path + name));
    if (depth >= kMostDepth) return;
    const int inner = openat(at, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0) folder(inner, path + name + "/", name, depth + 1);
  }

  const std::vector<Exercise>& exercises_;
  std::size_t most_bytes_;
  int entries_ = 0;
};

}  // namespace

int rank_of(const std::string& name, const std::string& parent, const Exercise& exercise) {
  const std::string wanted = exercise.file_name();
  if (name == wanted) return parent == "answers" ? kInAnswers : kExactName;
  const std::string stem = stem_of_source(lower(name));
  const std::string wanted_stem = stem_of_source(lower(wanted));
  if (stem == wanted_stem) return kOtherCase;
  for (std::size_t at = stem.find(wanted_stem); at != std::string::npos;
       at = stem.find(wanted_stem, at + 1)) {
    const std::size_t end = at + wanted_stem.size();
    if ((at == 0 || !is_word(stem[at - 1])) && (end == stem.size() || !is_word(stem[end])))
      return kWithAdditions;
  }
  return kNoMatch;
}

Found search_folder(const fs::path& root, const std::string& name,
                    const std::vector<Exercise>& exercises, std::size_t most_bytes) {
  Search search(exercises, most_bytes);
  const int descriptor =
      open((root / name).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor >= 0) {
    search.folder(descriptor, "", name, 0);
  } else if (errno == ELOOP || errno == ENOTDIR) {
    search.found.fault = "The student's folder is a symbolic link, and links are not followed.";
  } else {
    search.found.fault =
        std::string("The student's folder cannot be read: ") + std::strerror(errno) + ".";
  }
  return std::move(search.found);
}

FoundFile read_file_in(const fs::path& folder, const std::string& name, std::size_t most_bytes) {
  FoundFile file{name, kExactName, {}, {}, false};
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    file.fault = std::string("it cannot be read: ") + std::strerror(errno);
    return file;
  }
  read_plain(descriptor, name, most_bytes, file);
  close(descriptor);
  return file;
}

}  // namespace coursework
