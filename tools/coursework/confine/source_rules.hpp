/// @file
/// The first gate: what a submission's text may hold. The rules are for people: most of what they
/// refuse, the gates behind would refuse as well, but not in the words of the source.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_signature.hpp"
#include "refusal.hpp"

namespace coursework::confine {

struct Rule {
  std::string_view name;
  std::string_view refuses;
  std::string_view why;
};

/// Every rule by which a submission may be refused, those of the later gates included.
const std::vector<Rule>& rules();

/// The file as it was handed in: only text, and only directives that cannot pretend to be another
/// file.
std::optional<Refusal> check_text(const std::string& text);

/// What the preprocessor opened, as `-MD` lists it.
/// @param includes  the emulator's folders of headers
std::optional<Refusal> check_opened(const std::string& dependencies,
                                    const std::filesystem::path& source,
                                    const std::vector<std::string>& includes);

/// Which headers the submission itself asks for, by the line markers of the preprocessed text.
std::optional<Refusal> check_includes(const std::string& preprocessed,
                                      const std::filesystem::path& source,
                                      const std::vector<std::string>& includes);

/// The submission's own tokens in the preprocessed text.
/// @param name  of the submission in line markers
std::optional<Refusal> check_tokens(const std::string& preprocessed, const std::string& name,
                                    const std::vector<std::string>& includes,
                                    const std::vector<KernelSignature>& kernels);

}  // namespace coursework::confine
