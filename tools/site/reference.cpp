#include "tools/site/reference.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "tools/site/output_folder.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

Reference::Reference(const std::filesystem::path& file) {
  const nlohmann::json all = tools::parse_json(tools::read_file(file));
  all.at("pages").get_to(pages_);
  all.at("members").get_to(members_);
}

void Reference::save(const std::filesystem::path& file) const {
  write_if_changed(file, nlohmann::json{{"pages", pages_}, {"members", members_}}.dump(1) + '\n');
}

void Reference::add_member(const std::string& file, const std::string& name,
                           const std::string& address) {
  members_[name][file] = address;
}

std::string Reference::page_of(const std::string& file) const {
  const auto page = pages_.find(file);
  if (page == pages_.end()) throw std::runtime_error("Doxygen does not list " + file);
  return page->second;
}

std::string Reference::file(const std::string& file) const { return page_of(file) + ".html"; }

std::string Reference::source(const std::string& file, int line) const {
  const std::string address = page_of(file) + "_source.html";
  if (line == 0) return address;
  const std::string number = std::to_string(line);
  constexpr std::size_t kDigits = 5;
  return address + "#l" + std::string(kDigits - number.size(), '0') + number;
}

std::string Reference::member(const std::string& file, const std::string& name) const {
  const auto member = members_.find(name);
  if (member != members_.end())
    if (const auto found = member->second.find(file); found != member->second.end())
      return found->second;
  throw std::runtime_error("Doxygen does not know " + file + "#" + name);
}

std::optional<std::string> Reference::meaning_of(const std::string& name, const std::string& file,
                                                 const std::string& folder) const {
  const auto member = members_.find(name);
  if (member == members_.end()) return {};
  for (const std::string& place : {file, folder + "/", std::string("common/")}) {
    std::set<std::string> found;
    if (place.empty()) continue;
    for (const auto& [where, address] : member->second)
      if (where.starts_with(place)) found.insert(address);
    if (found.size() == 1) return *found.begin();
    if (found.size() > 1) return {};
  }
  return {};
}

}  // namespace site
