#include "host_code.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace coursework::confine {
namespace {

using namespace course::cpp;

/// Returns whether the token calls a function by its plain name, not a member of something.
bool may_call(const Source& s, std::size_t i) {
  const bool is_called = s.is(i + 1, "(");
  const bool is_others = i > 0 && (s.is(i - 1, ".") || s.is(i - 1, "->") ||
                                   (s.is(i - 1, "::") && i > 1 && s.is_identifier(i - 2)));
  const bool is_declared = i > 0 && s.is_identifier(i - 1) && !s.is(i - 1, "return");
  return is_called && !is_others && !is_declared;
}

}  // namespace

HostCode find_host_code(const Source& s, const std::vector<bool>& own, const Functions& functions) {
  std::set<std::string_view> promised, device;  // names declared, and names defined, for the device
  for (const Declaration& one : functions.declarations)
    if (one.is_for_device) promised.insert(s.spelling(one.name));
  for (const Definition& one : functions.definitions)
    if (one.is_for_device) device.insert(s.spelling(one.name));
  HostCode result;
  std::set<std::string_view> names;  // names that only host functions have
  for (const Definition& one : functions.definitions) {
    const std::string_view name = s.spelling(one.name);
    if (one.is_for_device || promised.count(name)) continue;
    result.definitions.push_back(&one);
    if (!one.is_member && !device.count(name)) names.insert(name);
  }
  if (names.empty()) return result;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (!own[i] && s.is(i + 1, "(")) names.erase(s.spelling(i));
  for (const Definition& caller : functions.definitions) {
    if (!caller.is_for_device) continue;
    for (std::size_t i = caller.body; i < caller.last && result.called == nullptr; ++i) {
      if (!s.is_identifier(i) || !names.count(s.spelling(i)) || !may_call(s, i)) continue;
      result.where = i;
      result.called = *std::find_if(
          result.definitions.begin(), result.definitions.end(),
          [&](const Definition* one) { return s.spelling(one->name) == s.spelling(i); });
    }
  }
  return result;
}

}  // namespace coursework::confine
