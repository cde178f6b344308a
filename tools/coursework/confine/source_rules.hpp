/// @file
/// The first gate: checks a submission's text. Later gates would refuse most of the same code, but
/// only these rules explain it in terms of the source.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "refusal.hpp"
#include "tools/coursework/exercises/kernel_signature.hpp"

namespace coursework::confine {

struct Rule {
  std::string_view name;
  std::string_view refuses;
  std::string_view why;
};

/// Returns all rules that can refuse a submission, including those of later gates.
const std::vector<Rule>& rules();

/// Returns the preprocessor's messages about the submission, and about the preprocessor itself,
/// such as that a signal ended it. Text of other files is left out: a submission must not read
/// them.
std::string messages_about(const std::string& name, const std::string& errors);

/// Facts about the text that matter to headers.
struct TextReport {
  int first_macro = 0;                    ///< line of the first #define or #undef; 0: none
  std::vector<std::string> late_headers;  ///< names in #include lines after first_macro
};

/// Checks the file as handed in: it must be text, and its directives must not claim to belong to
/// another file.
std::optional<Refusal> check_text(const std::string& text, TextReport* report = nullptr);

/// Returns the late headers that a submission may include, to be passed to `-include`. They are
/// then read before the submission's macros exist, and including them again has no effect.
std::vector<std::string> headers_to_include_first(const TextReport& text,
                                                  const std::vector<std::string>& includes);

/// Checks the files that the preprocessor opened, as listed by `-MD`.
/// @param includes  the emulator's include folders
std::optional<Refusal> check_opened(const std::string& dependencies,
                                    const std::filesystem::path& source,
                                    const std::vector<std::string>& includes);

/// Checks, by line markers of the preprocessed text, which headers the submission itself includes,
/// and that no header has content after a macro of the submission could change it.
/// @param first_macro  line of the submission's first macro; 0: none
std::optional<Refusal> check_includes(const std::string& preprocessed,
                                      const std::filesystem::path& source,
                                      const std::vector<std::string>& includes, int first_macro);

struct TokenReport {
  std::optional<Refusal> refusal;
  /// Byte ranges [first, second) of host functions' bodies, which g++ does not need.
  std::vector<std::pair<std::size_t, std::size_t>> host_bodies;
};

/// Checks the submission's own tokens in the preprocessed text.
/// @param name  the submission's name in line markers
TokenReport check_tokens(const std::string& preprocessed, const std::string& name,
                         const std::vector<std::string>& includes,
                         const std::vector<KernelSignature>& kernels);

/// Checks that no assembly of the submission is left: the rewriter turns inline PTX into C++.
std::optional<Refusal> check_rewritten(const std::string& rewritten, const std::string& name);

}  // namespace coursework::confine
