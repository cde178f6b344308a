#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kBank = kDrawnWidth / kBanks;
constexpr double kPassHeight = 20, kGroupGap = 6;
constexpr double kBaseline = 4;
constexpr std::uint64_t kMostRows = 12, kRowsAtFirst = 8;  // of memory

/// One pass: for each bank, the lanes that its word serves.
using Pass = std::array<std::vector<unsigned>, kBanks>;

/// Returns the passes of `lanes` lanes beginning at `first`. Each bank delivers one word per pass.
std::vector<Pass> passes_of(const Request& request, unsigned first, unsigned lanes) {
  std::array<std::vector<std::uint64_t>, kBanks> words;  // [bank] words it has to deliver
  std::vector<Pass> passes;
  for (unsigned lane = first; lane < first + lanes; ++lane) {
    if (!request.lanes[lane]) continue;
    const std::uint64_t address = request.lanes[lane]->offset;
    for (std::uint64_t word = address / kWordBytes;
         word <= (address + request.access_bytes - 1) / kWordBytes; ++word) {
      auto& of_bank = words[word % kBanks];
      // Atomic updates of one word are executed one after the other.
      const auto known =
          request.kind == "atomic" ? of_bank.end() : std::ranges::find(of_bank, word);
      const auto pass = static_cast<std::size_t>(known - of_bank.begin());
      if (known == of_bank.end()) of_bank.push_back(word);
      if (pass == passes.size()) passes.emplace_back();
      passes[pass][word % kBanks].push_back(lane);
    }
  }
  return passes;
}

/// Returns the passes of each group of lanes that the banks serve together. For accesses of 8 and
/// 16 bytes, a group is a half or a quarter of a warp, or twice that where the counted wavefronts
/// say so.
std::vector<std::vector<Pass>> groups_of(const Request& request) {
  for (unsigned groups = std::max(1u, request.access_bytes / kWordBytes); groups > 0; groups /= 2) {
    std::vector<std::vector<Pass>> all;
    std::size_t wavefronts = 0;
    for (unsigned group = 0; group < groups; ++group) {
      all.push_back(passes_of(request, group * kLanes / groups, kLanes / groups));
      wavefronts += all.back().size();
    }
    if (wavefronts == request.wavefronts) return all;
  }
  throw std::runtime_error("the wavefronts of " + request.line + " cannot be drawn");
}

void draw_pass(Svg& svg, const Pass& pass, const char* fill) {
  for (unsigned bank = 0; bank < kBanks;) {
    unsigned end = bank + 1;
    while (end < kBanks && !pass[bank].empty() && pass[end] == pass[bank]) ++end;
    const double x = kLeft + bank * kBank, width = (end - bank) * kBank;
    svg.rect(x, svg.y, width, kPassHeight, pass[bank].empty() ? "idle" : fill);
    if (!pass[bank].empty())
      svg.text(x + width / 2, svg.y + kPassHeight / 2 + kBaseline, std::to_string(pass[bank][0]),
               pass[bank].size() > 1 ? "small on many" : "small on", Anchor::middle);
    bank = end;
  }
  svg.y += kPassHeight;
}

/// For each bank, the word that it delivers first.
using FirstWords = std::array<std::optional<std::uint64_t>, kBanks>;

/// Draws a row of shared memory, a word in each bank: the lanes that want its words, and the words
/// with which a row of the array is longer than 32.
void draw_row(Svg& svg, std::uint64_t row, std::uint64_t pitch,
              const std::map<std::uint64_t, unsigned>& lane_of_word,
              const FirstWords& first_of_bank) {
  svg.text(kLeft - 6, svg.y + kPassHeight / 2 + kBaseline, fmt::format("[{}]", row * kBanks),
           "small muted", Anchor::end);
  for (unsigned bank = 0; bank < kBanks; ++bank) {
    const std::uint64_t word = row * kBanks + bank;
    const double x = kLeft + bank * kBank;
    const auto lane = lane_of_word.find(word);
    if (word % pitch >= kBanks) svg.rect(x, svg.y, kBank, kPassHeight, "unused");
    if (lane == lane_of_word.end()) {
      svg.rect(x, svg.y, kBank, kPassHeight, "idle");
      continue;
    }
    svg.rect(x, svg.y, kBank, kPassHeight, first_of_bank[bank] == word ? "used" : "conflict");
    svg.text(x + kBank / 2, svg.y + kPassHeight / 2 + kBaseline, std::to_string(lane->second),
             "small on", Anchor::middle);
  }
  svg.y += kPassHeight;
}

/// Draws shared memory in rows of 32 words, one in each bank, and which lane wants which word.
/// `pitch` is the distance in words from a row of the array to the next.
void draw_rows_of_banks(Svg& svg, const Request& request, std::uint64_t pitch) {
  if (request.access_bytes != kWordBytes || request.kind == "atomic")
    throw std::runtime_error("\"pitch\" is for loads and stores of one word");
  std::map<std::uint64_t, unsigned> lane_of_word;
  FirstWords first_of_bank;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!request.lanes[lane]) continue;
    const std::uint64_t word = request.lanes[lane]->offset / kWordBytes;
    lane_of_word.try_emplace(word, lane);
    auto& first = first_of_bank[word % kBanks];
    first = first.value_or(word);
  }
  draw_column_numbers(svg, "bank");
  const std::uint64_t last = lane_of_word.rbegin()->first / kBanks;
  for (std::uint64_t row = 0; row <= last; ++row) {
    if (row == kRowsAtFirst && last >= kMostRows) {
      svg.text(kLeft + kDrawnWidth / 2, svg.y + 13,
               fmt::format("{} more rows in between", last - row), "small muted", Anchor::middle);
      svg.y += 18;
      row = last;
    }
    draw_row(svg, row, pitch, lane_of_word, first_of_bank);
  }
}

}  // namespace

void draw_column_numbers(Svg& svg, const std::string& name) {
  svg.text(kLeft - 6, svg.y + 9, name, "small muted", Anchor::end);
  for (unsigned column = 0; column < kBanks; ++column)
    svg.text(kLeft + (column + 0.5) * kBank, svg.y + 9, std::to_string(column), "small muted",
             Anchor::middle);
  svg.y += 15;
}

std::string draw_wavefronts(Svg& svg, const Request& request, const char* fill) {
  draw_column_numbers(svg, "bank");
  const auto groups = groups_of(request);
  unsigned wavefront = 0;
  for (const auto& passes : groups) {
    for (std::size_t i = 0; i < passes.size(); ++i) {
      svg.text(kLeft - 6, svg.y + kPassHeight / 2 + kBaseline, std::to_string(++wavefront),
               "small muted", Anchor::end);
      draw_pass(svg, passes[i], i == 0 ? fill : "conflict");
    }
    svg.y += groups.size() > 1 ? kGroupGap : 0;
  }
  const bool any_common = std::ranges::any_of(groups, [](const auto& passes) {
    return std::ranges::any_of(passes, [](const Pass& pass) {
      return std::ranges::any_of(pass, [](const auto& of_word) { return of_word.size() > 1; });
    });
  });
  return fmt::format("{}, at best {}{}", counted(request.wavefronts, "wavefront"),
                     request.wavefronts_ideal,
                     any_common ? "; underlined: other lanes want the same" : "");
}

void draw_banks(Svg& svg, const Scene& scene) {
  const Request& request = scene.request(scene.panel);
  if (!request.is_shared) throw std::runtime_error(request.line + " is no shared access");
  draw_heading(svg, scene.heading(source_text(scene.chapter, request.line)),
               scene.panel.at("words"));
  const std::string cost = [&] {
    if (!scene.panel.contains("pitch")) return draw_wavefronts(svg, request, "used");
    draw_rows_of_banks(svg, request, scene.panel["pitch"]);
    return fmt::format("{}, at best {}", counted(request.wavefronts, "wavefront"),
                       request.wavefronts_ideal);
  }();
  const auto lanes =
      std::ranges::count_if(request.lanes, [](const auto& place) { return place.has_value(); });
  draw_caption(svg, fmt::format("1 request of {} bytes: {}", lanes * request.access_bytes, cost));
}

void draw_banks_key(Svg& svg, const nlohmann::json& panels) {
  if (std::ranges::none_of(panels, [](const auto& panel) { return panel.at("kind") == "banks"; }))
    return;
  svg.y += kAboveKey;
  double x = kLeft;
  draw_swatch(svg, &x, "used", "lane served");
  if (svg.shows("conflict")) draw_swatch(svg, &x, "conflict", "served later: its banks were busy");
  if (svg.shows("unused")) draw_swatch(svg, &x, "unused", "a word that nobody uses");
  const bool is_of_memory =
      std::ranges::any_of(panels, [](const auto& panel) { return panel.contains("pitch"); });
  draw_swatch(svg, &x, "", is_of_memory ? "a row is 32 words" : "a row is a wavefront");
  svg.y += kKeyHeight;
}

}  // namespace pictures
