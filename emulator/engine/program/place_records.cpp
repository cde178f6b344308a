#include "engine/program/place_records.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "engine/report/source_text.hpp"

// The bounds of the section, defined by the linker. A program without device code does not have
// them.
extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_emu_places[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_emu_places[];
}

namespace emu {

namespace {

/// Returns the text up to `end`, and removes both from `text`.
std::string_view take_until(std::string_view& text, char end) {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

int number(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::string normal(const std::filesystem::path& file) { return file.lexically_normal().string(); }

}  // namespace

void PlaceRecords::add(std::string_view section) {
  while (!section.empty())
    if (const std::string_view object = take_until(section, '\0'); !object.empty())
      read_object(object);
}

void PlaceRecords::read_object(std::string_view records) {
  std::string folder;
  File* file = nullptr;
  while (!records.empty()) {
    std::string_view line = take_until(records, '\n');
    const std::string_view first = take_until(line, ' ');
    if (first == "D") {
      folder = line;
    } else if (first == "H") {
      if (!line.empty()) headers_.insert(normal(std::filesystem::path(line) / ""));
    } else if (first == "F") {
      file = &files_[normal(std::filesystem::path(folder) / line)];
    } else if (!file) {
      continue;
    } else if (first == "R") {
      const int begin = number(take_until(line, ' '));
      file->functions.push_back({begin, number(line)});
    } else {
      const std::size_t colon = first.find(':');
      if (colon == first.npos) continue;
      Expression& expression =
          file->expressions[{number(first.substr(0, colon)), number(first.substr(colon + 1))}];
      const std::string_view kinds = take_until(line, ' ');
      if (kinds != "s") expression.loaded = printable(line);
      if (kinds != "l") expression.stored = printable(line);
    }
  }
}

const PlaceRecords::File* PlaceRecords::find(const std::string& file) const {
  const auto found = files_.find(normal(file));
  return found == files_.end() ? nullptr : &found->second;
}

std::string PlaceRecords::expression(const std::string& file, int line, int column,
                                     AccessKind kind) const {
  const File* const records = find(file);
  if (!records) return {};
  const auto found = records->expressions.find({line, column});
  if (found == records->expressions.end()) return {};
  return kind == AccessKind::load ? found->second.loaded : found->second.stored;
}

bool PlaceRecords::is_header(const std::string& file) const {
  const std::string name = normal(file);
  if (headers_.empty()) return name.find("/emulator/include/") != name.npos;
  return std::any_of(headers_.begin(), headers_.end(),
                     [&](const std::string& folder) { return name.starts_with(folder); });
}

LineRange PlaceRecords::function(const std::string& file, int line) const {
  LineRange smallest{line, line};
  bool is_found = false;
  if (const File* const records = find(file)) {
    for (const LineRange& one : records->functions) {
      if (line < one.first || line > one.last) continue;
      if (is_found && one.last - one.first >= smallest.last - smallest.first) continue;
      smallest = one;
      is_found = true;
    }
  }
  return smallest;
}

namespace {

PlaceRecords& all_records() {
  // Never freed: reports are written at exit.
  static auto& records = *new PlaceRecords(
      __start_emu_places
          ? std::string_view(__start_emu_places,
                             static_cast<std::size_t>(__stop_emu_places - __start_emu_places))
          : std::string_view());
  return records;
}

}  // namespace

const PlaceRecords& place_records() { return all_records(); }

void add_place_records(std::string_view section) { all_records().add(section); }

}  // namespace emu
