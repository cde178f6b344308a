/// @file
/// The first gate: what a submission's text may hold. The rules are for people: most of what they
/// refuse, the gates behind would refuse as well, but not in the words of the source.
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

/// Every rule by which a submission may be refused, those of the later gates included.
const std::vector<Rule>& rules();

/// What the preprocessor says of the submission, and of itself, as that it was ended by a signal.
/// Other files are not for a submission to read.
std::string messages_about(const std::string& name, const std::string& errors);

/// What the text has that matters to headers.
struct TextReport {
  int first_macro = 0;                    ///< line of the first #define or #undef; 0: there is none
  std::vector<std::string> late_headers;  ///< as they are named in #include lines behind it
};

/// The file as it was handed in: only text, and only directives that cannot pretend to be another
/// file.
std::optional<Refusal> check_text(const std::string& text, TextReport* report = nullptr);

/// The late headers that a submission may include, as files for `-include`. No macro of the
/// submission is there yet when they are read, and they leave nothing to read a second time.
std::vector<std::string> headers_to_include_first(const TextReport& text,
                                                  const std::vector<std::string>& includes);

/// What the preprocessor opened, as `-MD` lists it.
/// @param includes  the emulator's folders of headers
std::optional<Refusal> check_opened(const std::string& dependencies,
                                    const std::filesystem::path& source,
                                    const std::vector<std::string>& includes);

/// Which headers the submission itself asks for, by the line markers of the preprocessed text; and
/// that none of them has anything to say once macros of the submission could change it.
/// @param first_macro  line of the submission's first; 0: it has none
std::optional<Refusal> check_includes(const std::string& preprocessed,
                                      const std::filesystem::path& source,
                                      const std::vector<std::string>& includes, int first_macro);

struct TokenReport {
  std::optional<Refusal> refusal;
  /// Bytes [first, second) of the bodies of functions that are no device code: g++ does without.
  std::vector<std::pair<std::size_t, std::size_t>> host_bodies;
};

/// The submission's own tokens in the preprocessed text.
/// @param name  of the submission in line markers
TokenReport check_tokens(const std::string& preprocessed, const std::string& name,
                         const std::vector<std::string>& includes,
                         const std::vector<KernelSignature>& kernels);

/// That the rewriter left none of the submission's assembly: it makes C++ of inline PTX.
std::optional<Refusal> check_rewritten(const std::string& rewritten, const std::string& name);

}  // namespace coursework::confine
