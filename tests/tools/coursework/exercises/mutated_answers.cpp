#include "mutated_answers.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "course/cpp_source.hpp"
#include "course/cpp_syntax.hpp"
#include "tools/coursework/exercises/kernel_signature.hpp"

namespace course_test {
namespace {

using course::cpp::kNoToken;
using course::cpp::Source;
using coursework::Exercise;

/// Replaces the characters from `begin` to `end`.
struct Edit {
  std::size_t begin, end;
  std::string text;
};

/// Applies edits, which must not overlap.
std::string edited(std::string text, std::vector<Edit> edits) {
  std::ranges::sort(edits, std::greater(), &Edit::begin);
  for (const Edit& one : edits) text.replace(one.begin, one.end - one.begin, one.text);
  return text;
}

std::size_t begin_of(const Source& s, std::size_t token) { return s.tokens()[token].begin; }
std::size_t end_of(const Source& s, std::size_t token) { return s.tokens()[token].end; }
std::string text_of(const Source& s, std::size_t first, std::size_t last) {
  return s.text().substr(begin_of(s, first), end_of(s, last) - begin_of(s, first));
}

/// A pointer parameter of a kernel: `const float* A`.
struct Pointer {
  std::string name, type;
};

struct Parameters {
  std::vector<Pointer> pointers;
  std::vector<std::string> integers;
};

Parameters parameters_of(const std::string& signature) {
  const Source s(signature);
  Parameters all;
  std::string type;
  bool is_pointer = false;
  for (std::size_t i = 3; i < s.size(); ++i) {
    if (s.is(i, "*")) {
      is_pointer = true;
    } else if (s.is(i, ",") || i + 1 == s.size()) {
      const std::string name(s.spelling(i - 1));
      if (is_pointer)
        all.pointers.push_back({name, type});
      else if (type == "int")
        all.integers.push_back(name);
      is_pointer = false;
    } else if (!s.is(i, "const") && !s.is(i, "unsigned")) {
      if (!is_pointer && !s.is(i + 1, ",") && i + 2 != s.size()) type = s.spelling(i);
    }
  }
  return all;
}

/// Returns the first and last tokens of each `name[...]`.
std::vector<std::pair<std::size_t, std::size_t>> elements_of(const Source& s,
                                                             const std::string& name) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i + 1 < s.size(); ++i)
    if (s.is(i, name) && s.is(i + 1, "[") && s.closing(i + 1) != kNoToken && !s.is(i - 1, "&") &&
        !s.is(i - 1, ".") && !s.is(i - 1, "*"))
      found.emplace_back(i, s.closing(i + 1));
  return found;
}

void add_atomics(const Source& s, const Pointer& pointer, std::vector<MutatedAnswer>& mutants) {
  static const std::set<std::string_view> kTypes = {"int", "float"};
  if (!kTypes.contains(pointer.type)) return;
  std::vector<Edit> loads, stores;
  for (const auto& [first, last] : elements_of(s, pointer.name)) {
    const std::string place = "const_cast<" + pointer.type + "*>(&" + text_of(s, first, last) + ")";
    if (!s.is(last + 1, "=")) {
      if (s.spelling(last + 1).size() < 2 || s.is(last + 1, "=="))
        loads.push_back({begin_of(s, first), end_of(s, last), "atomicAdd(" + place + ", 0)"});
      continue;
    }
    std::size_t end = last + 1;
    while (end < s.size() && !s.is(end, ";")) ++end;
    stores.push_back({begin_of(s, first), end_of(s, last + 1), "atomicExch(" + place + ", "});
    stores.push_back({begin_of(s, end), begin_of(s, end), ")"});
  }
  if (!loads.empty())
    mutants.push_back({"loads of " + pointer.name + " by atomics", edited(s.text(), loads)});
  if (!stores.empty())
    mutants.push_back({"stores to " + pointer.name + " by atomics", edited(s.text(), stores)});
}

/// Returns the name tokens of statements that call one of `names`.
std::vector<std::size_t> statements_of(const Source& s, const std::set<std::string_view>& names) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i + 1 < s.size(); ++i)
    if (names.contains(s.spelling(i)) && s.is(i + 1, "(") && s.closing(i + 1) != kNoToken &&
        s.is(s.closing(i + 1) + 1, ";"))
      found.push_back(i);
  return found;
}

void add_barriers(const Source& s, std::vector<MutatedAnswer>& mutants) {
  static const std::pair<const char*, const char*> kInstead[] = {
      {"missing", ""},
      {"a fence", "__threadfence_block()"},
      {"a pause", "__nanosleep(100000)"},
      {"for whoever is there", "__syncwarp(__activemask())"}};
  int number = 0;
  for (const std::size_t call : statements_of(s, {"__syncthreads", "__syncwarp"})) {
    ++number;
    for (const auto& [what, text] : kInstead) {
      const std::string name = "barrier " + std::to_string(number) + " is " + what;
      mutants.push_back(
          {name, edited(s.text(), {{begin_of(s, call), end_of(s, s.closing(call + 1)), text}})});
    }
  }
}

void add_masks(const Source& s, std::vector<MutatedAnswer>& mutants) {
  int number = 0;
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    if (!s.spelling(i).ends_with("_sync") || !s.is(i + 1, "(")) continue;
    const std::size_t close = s.closing(i + 1);
    if (close == kNoToken) continue;
    const auto arguments = course::cpp::split_at_commas(s, {i + 2, close});
    if (arguments.empty()) continue;
    const auto& mask = arguments.front();
    mutants.push_back({"mask " + std::to_string(++number) + " names whoever is there",
                       edited(s.text(), {{begin_of(s, mask.first), end_of(s, mask.last - 1),
                                          "__activemask()"}})});
  }
}

/// Returns the largest visible value of a size if the grader draws larger ones.
std::int64_t largest_seen(const Exercise& exercise, const std::string& size) {
  std::int64_t seen = -1, drawn = -1;
  for (const auto& [name, group] : exercise.groups) {
    for (const auto& one : group.cases)
      if (one.contains(size)) seen = std::max(seen, one.at(size));
    if (group.drawn == 0 || !group.ranges.contains(size)) continue;
    const coursework::Range& range = group.ranges.at(size);
    drawn = std::max(drawn, range.to);
    for (const std::int64_t choice : range.choices) drawn = std::max(drawn, choice);
  }
  return drawn > seen ? seen : -1;
}

/// Returns the token after the `{` of a kernel's body.
std::size_t body_of(const Source& s, const std::string& kernel) {
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    if (!s.is(i, kernel) || !s.is(i + 1, "(") || !s.is(i - 1, "void")) continue;
    const std::size_t close = s.closing(i + 1);
    if (close != kNoToken && s.is(close + 1, "{")) return end_of(s, close + 1);
  }
  return std::string::npos;
}

}  // namespace

std::vector<MutatedAnswer> without_the_lesson(const Exercise& exercise,
                                              const std::string& solution) {
  const Source s(solution);
  std::vector<MutatedAnswer> mutants;
  std::set<std::string> done;
  for (const std::string& signature : exercise.kernels) {
    const Parameters parameters = parameters_of(signature);
    for (const Pointer& pointer : parameters.pointers)
      if (done.insert(pointer.name).second) add_atomics(s, pointer, mutants);
    const std::string kernel = coursework::read_signature(signature).name;
    for (const std::string& size : parameters.integers) {
      const std::int64_t largest = largest_seen(exercise, size);
      const std::size_t body = body_of(s, kernel);
      if (largest < 0 || body == std::string::npos) continue;
      mutants.push_back(
          {"nothing for a larger " + size + " in " + kernel,
           edited(solution, {{body, body,
                              " if (" + size + " > " + std::to_string(largest) + ") return; "}})});
    }
  }
  add_barriers(s, mutants);
  add_masks(s, mutants);
  return mutants;
}

std::vector<MutatedAnswer> with_work_for_show(const Exercise& exercise, const std::string& answer) {
  struct Show {
    const char* name;
    std::string text;
  };
  const std::string thread =
      " const unsigned show = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);";
  std::vector<Show> shows = {{"barriers", "__syncthreads();"}};
  for (const char* times : {"1", "5", "10"}) {
    shows.push_back({"shuffles", " for (int k = 0; k < " + std::string(times) +
                                     "; ++k) __shfl_sync(0xffffffff, k, 0); "});
    shows.push_back({"votes", " for (int k = 0; k < " + std::string(times) +
                                  "; ++k) __ballot_sync(0xffffffff, 1); "});
  }
  for (const char* times : {"1", "4", "16"})
    shows.push_back({"shared reads", thread +
                                         " __shared__ volatile int shown[1024]; shown[show] = 0; "
                                         "__syncwarp(); for (int k = 0; k < " +
                                         std::string(times) + "; ++k) (void)shown[show]; "});
  shows.push_back({"shared stores", thread + " __shared__ volatile float4 shown[1024];"
                                             " *(float4*)&shown[show] = float4{}; "});
  const Source s(answer);
  std::vector<MutatedAnswer> mutants;
  for (const Show& show : shows) {
    std::vector<Edit> edits;
    for (const std::string& signature : exercise.kernels) {
      const std::size_t body = body_of(s, coursework::read_signature(signature).name);
      if (body != std::string::npos) edits.push_back({body, body, " { " + show.text + " } "});
    }
    if (!edits.empty())
      mutants.push_back({std::string("for show: ") + show.name, edited(answer, edits)});
  }
  return mutants;
}

}  // namespace course_test
