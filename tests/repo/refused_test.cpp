/// Published listings that do not compile: nvcc refuses them, and so does the emulator's.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/side_by_side.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

using tools::CommandResult;

namespace {

using Words = std::vector<std::string>;

/// The text after "// KEY: " in a listing.
std::string field_of(const Words& listing, const std::string& key) {
  for (const std::string& line : listing)
    if (line.starts_with("// " + key + ": ")) return line.substr(key.size() + 5);
  return "";
}

std::vector<std::filesystem::path> listings() {
  std::vector<std::filesystem::path> all;
  for (const auto& chapter : tools::chapter_folders()) {
    const auto folder = tools::source_folder() / "tests/chapters" / chapter.filename() / "refused";
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      all.push_back(entry.path());
  }
  return all;
}

std::string text_of(const Words& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// What the compiler says of `text`.
CommandResult compile(const std::string& text) {
  const tools::TemporaryFolder work;
  const auto source = work.write("listing.cu", text);
  return tools::run_command(
      {COURSE_NVCC, "-c", source.string(), "-o", (work.path() / "object.o").string()});
}

/// `text` with the first OLD of "OLD -> NEW" replaced; nothing where there is none.
std::string mend(std::string text, const std::string& how) {
  constexpr std::string_view kArrow = " -> ";
  const std::size_t arrow = how.find(kArrow);
  if (arrow == std::string::npos) return {};
  const std::string from = how.substr(0, arrow), to = how.substr(arrow + kArrow.size());
  std::size_t begin = text.find('\n', text.find("// mended: ")), replaced = 0;
  for (; (begin = text.find(from, begin)) != std::string::npos; begin += to.size(), ++replaced)
    text.replace(begin, from.size(), to);
  return replaced == 0 ? std::string() : text;
}

}  // namespace

// A listing in tests/chapters/NN_name/refused says what the compiler must complain of, and how it
// is mended: "// refused: WORD" and "// mended: OLD -> NEW".
TEST_CASE("a published listing that does not compile is refused, and taken once it is mended") {
  const std::vector<std::filesystem::path> all = listings();
  REQUIRE(!all.empty());
  const auto results = test_support::side_by_side(2 * all.size(), [&](std::size_t i) {
    const Words listing = tools::read_lines(all[i / 2]);
    return compile(i % 2 == 0 ? text_of(listing)
                              : mend(text_of(listing), field_of(listing, "mended")));
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].string());
    const Words listing = tools::read_lines(all[i]);
    const std::string refused = field_of(listing, "refused");
    REQUIRE(!refused.empty());
    REQUIRE(!mend(text_of(listing), field_of(listing, "mended")).empty());
    const CommandResult &published = results[2 * i], &mended = results[2 * i + 1];
    CHECK(published.status != 0);
    CHECK_MESSAGE(published.err.find(refused) != std::string::npos, published.err);
    CHECK_MESSAGE(mended.status == 0, mended.err);
  }
}
