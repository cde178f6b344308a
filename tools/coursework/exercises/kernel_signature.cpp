#include "tools/coursework/exercises/kernel_signature.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "course/cpp_source.hpp"
#include "course/cpp_syntax.hpp"

namespace coursework {
namespace {

using namespace course::cpp;

enum class Class { integer, floating };

Class class_of(const Source& s, course::cpp::Range parameter, const std::string& text) {
  static const std::set<std::string_view> numbers = {
      "bool",     "char",     "short",    "int",      "long",    "signed",
      "unsigned", "size_t",   "int8_t",   "int16_t",  "int32_t", "int64_t",
      "uint8_t",  "uint16_t", "uint32_t", "uint64_t", "float",   "double"};
  bool is_floating = false;
  int numbers_seen = 0;
  for (std::size_t i = parameter.first; i < parameter.last; ++i) {
    if (s.is(i, "*")) return Class::integer;
    is_floating |= s.is(i, "float") || s.is(i, "double");
    numbers_seen += static_cast<int>(numbers.count(s.spelling(i)));
  }
  if (numbers_seen == 0)
    throw std::invalid_argument("a kernel's parameters are numbers and pointers: " + text);
  return is_floating ? Class::floating : Class::integer;
}

}  // namespace

KernelSignature read_signature(const std::string& text) {
  constexpr int kIntegerRegisters = 6, kFloatRegisters = 8;
  const Source s(text);
  std::size_t open = 0;
  while (open < s.size() && !s.is(open, "(")) ++open;
  const bool is_function = open >= 2 && s.is(0, "void") && is_name(s, open - 1) &&
                           s.closing(open) != kNoToken && s.closing(open) + 1 == s.size();
  if (!is_function) throw std::invalid_argument("no declaration of a kernel: " + text);
  KernelSignature result;
  result.text = text;
  result.name = s.spelling(open - 1);
  const Token& name = s.tokens()[open - 1];
  result.pointer = text.substr(0, name.begin) + "(*const NAME)" + text.substr(name.end);
  int integers = 0, floats = 0;
  const course::cpp::Range parameters{open + 1, s.closing(open)};
  if (parameters.empty() || (s.is(open + 1, "void") && s.closing(open) == open + 2)) return result;
  for (const course::cpp::Range& parameter : split_at_commas(s, parameters))
    ++(class_of(s, parameter, text) == Class::floating ? floats : integers);
  result.stack_words = static_cast<unsigned>(std::max(0, integers - kIntegerRegisters) +
                                             std::max(0, floats - kFloatRegisters));
  return result;
}

}  // namespace coursework
