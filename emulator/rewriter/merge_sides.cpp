#include "merge_sides.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "items.hpp"

namespace emulator_nvcc {
namespace {

constexpr const char* kDiffers =
    " is not the same in host and device code (__CUDA_ARCH__); the emulator compiles both at once";

/// Suffix of a device name that means something else in host code.
constexpr std::string_view kOnDevice = "_on_device";

/// One side: its text, its declarations, and their names.
struct Side {
  const Source& s;
  Range tokens;
  std::vector<Item> items;

  Side(const Source& source, Range range)
      : s(source), tokens(range), items(read_items(source, range)) {}
};

/// Returns a hash that is equal for equal declarations at the same position.
std::size_t identity_of(const Source& s, Range tokens) {
  std::size_t hash = 0;
  const auto mix = [&hash](std::size_t value) { hash = hash * 1099511628211u + value; };
  for (std::size_t i = tokens.first; i < tokens.last; ++i) {
    mix(std::hash<std::string_view>()(s.spelling(i)));
    mix(s.tokens()[i].line);
    if (i == tokens.first) mix(std::hash<std::string>()(s.file(i)));
  }
  return hash;
}

bool is_qualifier_of_side(std::string_view word) {
  return word == "__host__" || word == "__device__" || word == "inline" || word == "__inline__";
}

/// Returns a function's head without what may differ between the sides.
std::string head_of(const Source& s, const Item& item) {
  const std::size_t end = item.body == kNoToken ? item.tokens.last : item.body;
  std::string head;
  for (std::size_t i = item.tokens.first; i < end; ++i) {
    if (const std::size_t after = skip_attribute(s, i); after != i) {
      i = after - 1;
    } else if (!is_qualifier_of_side(s.spelling(i))) {
      head += std::string(s.spelling(i)) + ' ';
    }
  }
  return head;
}

/// A lambda with one of CUDA's qualifiers.
struct Lambda {
  bool is_host = false, is_device = false;
  Range body;
};

/// Returns the outermost lambdas in a function's body. `rest` is set to the number of qualifiers
/// outside them.
std::vector<Lambda> lambdas_in(const Source& s, Range tokens, std::size_t* rest) {
  std::vector<Lambda> lambdas;
  for (std::size_t i = tokens.first; i < tokens.last; ++i) {
    if (!s.is(i, "__device__") && !s.is(i, "__host__")) continue;
    const bool is_lambda = i > 0 && (s.is(i - 1, "]") || s.is(i - 1, ">"));
    Lambda lambda;
    for (; s.is(i, "__device__") || s.is(i, "__host__"); ++i) {
      lambda.is_device |= s.is(i, "__device__");
      lambda.is_host |= s.is(i, "__host__");
    }
    while (i < tokens.last && !s.is(i, "{") && !s.is(i, ";")) {
      i = s.closing(i) == kNoToken ? i + 1 : s.closing(i) + 1;
    }
    if (!is_lambda || !s.is(i, "{") || s.closing(i) == kNoToken) {
      ++*rest;
      continue;
    }
    lambda.body = {i, s.closing(i) + 1};
    i = s.closing(i);
    lambdas.push_back(lambda);
  }
  return lambdas;
}

/// Returns the device's text, in which `names` have other names, except in system headers. A name
/// with another meaning is renamed as well: that is better than overlooking one.
std::string with_own_names(const Source& s, const std::set<std::string>& names) {
  std::string text;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Token& token = s.tokens()[i];
    if (token.system_header || !names.count(std::string(s.spelling(i)))) continue;
    text.append(s.text(), copied, token.end - copied);
    text += kOnDevice;
    copied = token.end;
  }
  return text.append(s.text(), copied);
}

/// Removes from line markers the flags for the begin and end of a file. With the begin of a header
/// from one text and its end from the other, they would contradict each other.
std::string without_nesting(const std::string& text) {
  std::istringstream in(text);
  std::string result;
  result.reserve(text.size());
  for (std::string line; std::getline(in, line); result += '\n') {
    const std::size_t name_end = line.rfind('"');
    const bool is_marker = line.size() > 2 && line.starts_with("# ") && line[2] >= '0' &&
                           line[2] <= '9' && name_end != line.npos &&
                           line.find_first_not_of(" 1234", name_end + 1) == line.npos;
    if (is_marker) {
      const bool is_system = line.find('3', name_end) != line.npos;
      line.resize(name_end + 1);
      if (is_system) line += " 3";
    }
    result += line;
  }
  return result;
}

class Merger {
 public:
  /// @param shares_members whether the members of a class other than its data are the device's on
  /// both sides
  Merger(const Source& host, const Source& device, bool shares_members)
      : h_(host), d_(device), shares_members_(shares_members) {}

  /// Returns the names that would have two meanings in one text.
  const std::set<std::string>& conflicts() const { return conflicts_; }

  MergedSides merge_all() {
    merge({h_, {0, h_.size()}}, {d_, {0, d_.size()}}, /*in_class=*/false);
    copy_rest();
    return std::move(result_);
  }

 private:
  // Writing: copies the host's text, except where something else must stand.

  void copy_until(std::size_t token) {
    const std::size_t end = token < h_.size() ? h_.tokens()[token].begin : h_.text().size();
    if (end <= copied_) return;
    resume();
    result_.text.append(h_.text(), copied_, end - copied_);
    copied_ = end;
  }
  void copy_rest() { copy_until(h_.size()); }

  /// Leaves out tokens of the host.
  void leave_out(Range tokens) {
    if (tokens.empty()) return;
    copy_until(tokens.first);
    copied_ = h_.tokens()[tokens.last - 1].end;
    at_other_place_ = true;
  }

  void write(std::string_view text) { result_.text += text; }

  /// Writes tokens of either side, with their lines and columns.
  void write(const Source& s, Range tokens) {
    if (tokens.empty()) return;
    const Token& first = s.tokens()[tokens.first];
    write_place(s, tokens.first);
    result_.text.append(s.text(), first.begin, s.tokens()[tokens.last - 1].end - first.begin);
    at_other_place_ = true;
  }

  void write_place(const Source& s, std::size_t token) {
    const Token& t = s.tokens()[token];
    result_.text += "\n# " + std::to_string(t.line) + " \"" + s.file(token) + '"';
    if (t.system_header) result_.text += " 3";
    const std::size_t line_end = s.text().rfind('\n', t.begin);
    result_.text +=
        '\n' + std::string(t.begin - (line_end == std::string::npos ? 0 : line_end + 1), ' ');
  }

  /// Continues the host's text behind other text, at its position in the file.
  void resume() {
    if (!at_other_place_) return;
    at_other_place_ = false;
    const auto& tokens = h_.tokens();
    const auto next = std::lower_bound(
        tokens.begin(), tokens.end(), copied_,
        [](const Token& token, std::size_t offset) { return token.begin < offset; });
    if (next == tokens.end()) return;
    const auto index = static_cast<std::size_t>(next - tokens.begin());
    // Line markers in between set the line; without any, the next token's line does.
    const std::size_t lines = static_cast<std::size_t>(
        std::count(h_.text().begin() + static_cast<std::ptrdiff_t>(copied_),
                   h_.text().begin() + static_cast<std::ptrdiff_t>(next->begin), '\n'));
    const std::size_t line = next->line > lines ? next->line - lines : 1;
    result_.text += "\n# " + std::to_string(line) + " \"" + h_.file(index) + '"';
    if (next->system_header) result_.text += " 3";
    result_.text += '\n';
  }

  void error(const Source& s, std::size_t token, const std::string& message) {
    const Diagnostic error{s.file(token), s.tokens()[token].line, message};
    const bool is_said =
        std::any_of(result_.errors.begin(), result_.errors.end(), [&](const Diagnostic& other) {
          return other.file == error.file && other.line == error.line && other.message == message;
        });
    if (!is_said) result_.errors.push_back(error);
  }

  /// Reports a name with two meanings. It gets another name; if it has one already, the error is
  /// final.
  bool conflict(const Item& device, const std::string& name) {
    conflicts_.insert(name);
    error(d_, device.tokens.first, "'" + name + "'" + kDiffers);
    return true;
  }

  // Matching declarations of both sides.

  void merge(const Side& host, const Side& device, bool in_class) {
    std::unordered_map<std::size_t, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < device.items.size(); ++i)
      places[identity_of(d_, device.items[i].tokens)].push_back(i);
    std::size_t h_done = 0, d_done = 0;
    for (std::size_t i = 0; i < host.items.size(); ++i) {
      const auto found = places.find(identity_of(h_, host.items[i].tokens));
      if (found == places.end()) continue;
      const auto place = std::lower_bound(found->second.begin(), found->second.end(), d_done);
      if (place == found->second.end()) continue;
      merge_gap(host, {h_done, i}, device, {d_done, *place}, in_class);
      h_done = i + 1;
      d_done = *place + 1;
    }
    merge_gap(host, {h_done, host.items.size()}, device, {d_done, device.items.size()}, in_class);
  }

  /// Returns, for each of the host's declarations in a gap, the matching declaration of the device:
  /// the one at the same position of the same file, or else the next with the same name.
  std::vector<std::optional<std::size_t>> partners_in(const Side& host, Range h, const Side& device,
                                                      Range d, bool in_class) const {
    std::vector<std::optional<std::size_t>> partners(h.last - h.first);
    for (const bool at_same_place : {true, false}) {
      std::size_t after = d.first;
      for (std::size_t i = h.first; i < h.last; ++i) {
        const Item& item = host.items[i];
        auto& partner = partners[i - h.first];
        const std::string key = partner ? "" : key_of(h_, item);
        std::size_t end = d.last;
        for (std::size_t later = i + 1 - h.first; later < partners.size() && end == d.last; ++later)
          if (partners[later]) end = *partners[later];
        for (std::size_t k = after; k < end && !partner; ++k) {
          const Item& candidate = device.items[k];
          if (candidate.kind != item.kind) continue;
          if (at_same_place
                  ? is_at_same_place(item, candidate) && key_of(d_, candidate) == key
                  : key_of(d_, candidate) == key || are_variants(item, candidate, in_class))
            partner = k;
        }
        if (partner) after = *partner + 1;
      }
    }
    return partners;
  }
  bool is_at_same_place(const Item& host, const Item& device) const {
    return h_.tokens()[host.tokens.first].line == d_.tokens()[device.tokens.first].line &&
           h_.file(host.tokens.first) == d_.file(device.tokens.first);
  }

  /// Merges the declarations between two that both sides have.
  void merge_gap(const Side& host, Range h, const Side& device, Range d, bool in_class) {
    if (h.empty() && d.empty()) return;
    const std::vector<std::optional<std::size_t>> partners =
        partners_in(host, h, device, d, in_class);
    std::set<std::string> host_names;
    for (std::size_t i = h.first; i < h.last; ++i) {
      const Item& item = host.items[i];
      if (partners[i - h.first] || !item.runs_on_host()) continue;
      for (const std::string& name : names_of(h_, item)) host_names.insert(name);
    }

    std::size_t next = d.first;
    for (std::size_t i = h.first; i < h.last; ++i) {
      const Item& item = host.items[i];
      const auto partner = partners[i - h.first];
      if (!partner) {
        add_host(item, in_class);
        continue;
      }
      // Declarations that only the device has keep their position before this one.
      if (next < *partner) copy_until(item.tokens.first);
      for (; next < *partner; ++next) add_device(device.items[next], host_names, in_class);
      next = *partner + 1;
      merge_pair(item, device.items[*partner]);
    }
    if (next < d.last)
      copy_until(h.last < host.items.size() ? host.items[h.last].tokens.first : host.tokens.last);
    for (; next < d.last; ++next) add_device(device.items[next], host_names, in_class);
  }

  /// Returns whether both sides declare the same thing, for which the device's declaration may
  /// serve: members of a class other than its data, library code that host code does not use, and
  /// constants that differ only in position.
  bool are_variants(const Item& host, const Item& device, bool in_class) const {
    if (host.kind != device.kind) return false;
    if (host.kind != ItemKind::other && host.kind != ItemKind::type) return false;
    const std::vector<std::string> names = names_of(h_, host);
    if (names.empty() || names != names_of(d_, device)) return false;
    if (is_same_constant(host, device)) return true;
    if (in_class && shares_members_ && host.kind == ItemKind::other && !is_data_member(h_, host))
      return true;
    return are_of_library(host, device);
  }
  /// Returns whether both are in library headers. What differs there is mostly a default for the
  /// architecture, which the host does not have; so it may have the device's.
  bool are_of_library(const Item& host, const Item& device) const {
    return h_.tokens()[host.tokens.first].system_header &&
           d_.tokens()[device.tokens.first].system_header;
  }
  bool is_same_constant(const Item& host, const Item& device) const {
    return host.kind == ItemKind::other && host.is_constexpr && device.is_constexpr &&
           words_of_constant(h_, host) == words_of_constant(d_, device);
  }
  static std::string words_of_constant(const Source& s, const Item& item) {
    std::string words;
    for (std::size_t i = item.tokens.first; i < item.tokens.last; ++i)
      if (!is_qualifier_of_side(s.spelling(i)) && !s.is(i, "static") && !s.is(i, "const"))
        words += std::string(s.spelling(i)) + ' ';
    return words;
  }

  // Declarations of one side alone.

  /// Returns whether this is the first occurrence. A header that one side includes earlier serves
  /// both. Inside a namespace, a file may be included several times on purpose.
  bool is_first(const Source& s, const Item& item) {
    return depth_ > 0 || written_.insert(identity_of(s, item.tokens)).second;
  }

  void add_host(const Item& item, bool in_class) {
    if (!is_first(h_, item)) return leave_out(item.tokens);
    const bool is_of_device = !item.runs_on_host();
    if (is_of_device) return leave_out(item.tokens);
    if (in_class && is_data_member(h_, item))
      error(h_, item.tokens.first, "a member of the class" + std::string(kDiffers));
    copy_until(item.tokens.last);
  }

  void add_device(const Item& item, const std::set<std::string>& host_names, bool in_class) {
    // Functions of CUDA and of C++ libraries need not be marked for the device.
    const bool is_of_host = item.kind == ItemKind::function && !item.runs_on_device() &&
                            !d_.tokens()[item.tokens.first].system_header;
    if (is_of_host) return;
    bool is_conflict = false;
    for (const std::string& name : names_of(d_, item))
      if (host_names.count(name)) is_conflict = conflict(item, name);
    if (is_conflict) return;
    if (in_class && is_data_member(d_, item))
      return error(d_, item.tokens.first, "a member of the class" + std::string(kDiffers));
    if (is_first(d_, item)) write(d_, item.tokens);
  }

  static bool is_data_member(const Source& s, const Item& item) {
    if (item.kind != ItemKind::other) return false;
    const std::string_view first = s.spelling(item.tokens.first);
    if (first == "using" || first == "typedef" || first == "static_assert" || first == "friend" ||
        first == "enum" || first == "template" || first == "public" || first == "protected" ||
        first == "private" || first == ";")
      return false;
    for (std::size_t i = item.tokens.first; i < item.tokens.last; ++i)
      if (s.is(i, "static")) return false;
    return true;
  }

  // Declarations of both sides that differ.

  void merge_pair(const Item& host, const Item& device) {
    // The host's declaration serves both.
    if (host.kind == ItemKind::other && is_same_constant(host, device)) return;
    if (host.kind == ItemKind::type && key_of(h_, host) != key_of(d_, device)) {
      leave_out({host.tokens.first, host.body});
      write(d_, {device.tokens.first, device.body});
    }
    switch (host.kind) {
      case ItemKind::group:
      case ItemKind::type:
        ++depth_;
        merge({h_, {host.body + 1, h_.closing(host.body)}},
              {d_, {device.body + 1, d_.closing(device.body)}}, host.kind == ItemKind::type);
        --depth_;
        return;
      case ItemKind::function:
        return merge_function(host, device);
      default:
        if (key_of(h_, host) != key_of(d_, device)) take_device(host, device);
        return;  // else the same words on different lines
    }
  }

  void take_device(const Item& host, const Item& device) {
    leave_out(host.tokens);
    write(d_, device.tokens);
  }

  void merge_function(const Item& host, const Item& device) {
    if (!device.runs_on_device()) return merge_host_function(host, device);
    if (device.is_kernel || !host.runs_on_host()) return take_device(host, device);
    const bool is_one_head =
        are_of_library(host, device) || head_of(h_, host) == head_of(d_, device);
    if (!is_one_head || (host.body == kNoToken) != (device.body == kNoToken)) {
      conflict(device, name_of(d_, device));
      return;
    }

    leave_out(host.tokens);
    const std::size_t end = device.body == kNoToken ? device.tokens.last : device.body;
    std::size_t qualifier = device.tokens.first;
    while (qualifier < end && !d_.is(qualifier, "__device__")) ++qualifier;
    if (!device.is_host && qualifier < end) {
      write(d_, {device.tokens.first, qualifier});
      write("__host__ ");
      write(d_, {qualifier, end});
    } else {
      write(d_, {device.tokens.first, end});
    }
    if (device.body == kNoToken) return;
    write_bodies(Range{host.body, host.tokens.last}, Range{device.body, device.tokens.last},
                 device.is_constexpr || host.is_constexpr);
  }

  /// Writes the device's body if both are equal, else both with a test of where the function runs.
  void write_bodies(Range host, Range device, bool is_constexpr) {
    if (spelled(h_, host) == spelled(d_, device)) return write(d_, device);
    write(is_constexpr ? "{ if (!__builtin_is_constant_evaluated() && ::emu::in_kernel()) "
                       : "{ if (::emu::in_kernel()) ");
    write(d_, device);
    write(" else __host__ ");
    write(h_, host);
    write(" }");
  }

  /// Merges a host function whose lambdas may run on the device.
  void merge_host_function(const Item& host, const Item& device) {
    if (host.body == kNoToken || device.body == kNoToken) return;
    const Range h_body{host.body, host.tokens.last}, d_body{device.body, device.tokens.last};
    std::size_t rest = 0;
    const std::vector<Lambda> h = lambdas_in(h_, h_body, &rest), d = lambdas_in(d_, d_body, &rest);
    if (h.size() != d.size() || rest > 0)
      return error(d_, device.tokens.first,
                   "the device code in '" + name_of(d_, device) + "'" + kDiffers);
    for (std::size_t i = 0; i < h.size(); ++i) {
      if (!d[i].is_device || spelled(h_, h[i].body) == spelled(d_, d[i].body)) continue;
      leave_out(h[i].body);
      if (h[i].is_host) {
        write_bodies(h[i].body, d[i].body, /*is_constexpr=*/false);
      } else {
        write(d_, d[i].body);
      }
    }
  }

  const Source& h_;
  const Source& d_;
  bool shares_members_;
  MergedSides result_;
  std::set<std::string> conflicts_;
  std::unordered_set<std::size_t> written_;  // identities of declarations that one side alone has
  unsigned depth_ = 0;                       // nesting of groups and classes
  std::size_t copied_ = 0;                   // end of the host's text that is written
  bool at_other_place_ = false;
};

MergedSides merge(const Source& host, const Source& device, const std::string& file,
                  bool shares_members) {
  std::set<std::string> renamed;
  for (;;) {
    const Source own_names(with_own_names(device, renamed), file);
    Merger merger(host, own_names, shares_members);
    MergedSides merged = merger.merge_all();
    const std::size_t before = renamed.size();
    // What depends on a renamed name may have two meanings next.
    for (const std::string& name : merger.conflicts())
      if (!name.empty() && !name.ends_with(kOnDevice)) renamed.insert(name);
    if (renamed.size() != before) continue;
    merged.text = without_nesting(merged.text);
    return merged;
  }
}

}  // namespace

MergedSides merge_sides(const std::string& host, const std::string& device,
                        const std::string& file) {
  if (host == device) return {host, {}};
  const Source host_source(host, file), device_source(device, file);
  MergedSides merged = merge(host_source, device_source, file, /*shares_members=*/false);
  if (merged.errors.empty()) return merged;
  // If the data of a class depend on what differs, the device's class serves both sides.
  MergedSides shared = merge(host_source, device_source, file, /*shares_members=*/true);
  return shared.errors.empty() ? shared : merged;
}

}  // namespace emulator_nvcc
