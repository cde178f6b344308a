#include "tools/site/output_folder.hpp"

#include <fstream>
#include <stdexcept>

#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;

void write_if_changed(const fs::path& file, const std::string& text) {
  if (fs::exists(file) && tools::read_file(file) == text) return;
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

OutputFolder::OutputFolder(fs::path folder, fs::path record)
    : folder_(std::move(folder)), record_(std::move(record)) {}

void OutputFolder::write(const std::string& name, const std::string& text) {
  write_if_changed(folder_ / name, text);
  names_.insert(name);
}

void OutputFolder::copy(const fs::path& file, const std::string& name) {
  if (!names_.contains(name)) write(name, tools::read_file(file));
}

void OutputFolder::finish() const {
  std::string list;
  for (const std::string& name : names_in(record_))
    if (!names_.contains(name)) fs::remove(folder_ / name);
  for (const std::string& name : names_) list += name + '\n';
  write_if_changed(record_, list);
}

std::set<std::string> names_in(const fs::path& record) {
  if (!fs::exists(record)) return {};
  const std::vector<std::string> lines = tools::read_lines(record);
  return {lines.begin(), lines.end()};
}

}  // namespace site
