#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kColumnGap = 16;
constexpr double kTitleHeight = 15, kLabelHeight = 13, kBoxHeight = 13, kLineHeight = 9;
constexpr double kWideBox = 36, kNarrowBox = 17;
constexpr double kBoxGap = 2;  // between sectors that are not adjacent
constexpr double kCodeLetter = 7.3, kStrongLetter = 6.8, kLetter = 5.9, kNamesHeight = 16;
constexpr std::uint64_t kSectorsOfALine = kLineBytes / kSectorBytes;
constexpr std::size_t kWideInARow = 8, kNarrowInARow = 16, kMostSectors = 32;

const std::map<std::string, const char*> kFill = {
    {"load", "used"}, {"store", "second"}, {"atomic", "third"}};

/// A request, and the arrays to which the warp makes the same request.
struct Item {
  const Request* request;
  Pattern pattern;
  std::vector<std::string> arrays;
};

/// Returns the names of objects; the panel names those without a name of their own.
std::vector<std::string> names_of(const Launch& launch, const nlohmann::json& arrays) {
  std::vector<std::string> names;
  std::size_t allocations = 0;
  for (const std::string& name : launch.object_names)
    names.push_back(name.empty() ? arrays.at(allocations++).get<std::string>() : name);
  return names;
}

/// Returns whether `one` is further from its ideal; ties go to more wavefronts, then to more lanes.
bool is_further_from_ideal(const Request& one, const Request& other) {
  const auto lanes_of = [](const Request& request) {
    return std::ranges::count_if(request.lanes, [](auto& lane) { return lane.has_value(); });
  };
  return std::tuple(one.wavefronts * other.wavefronts_ideal, one.wavefronts, lanes_of(one)) >
         std::tuple(other.wavefronts * one.wavefronts_ideal, other.wavefronts, lanes_of(other));
}

/// Returns the requests to draw: for global memory one for each item, for shared memory at most
/// one, at the end.
std::vector<Item> items_of(const Launch& launch, const nlohmann::json& panel) {
  const std::vector<std::string> names = names_of(launch, panel.at("arrays"));
  std::vector<Item> items;
  std::set<std::pair<std::string, std::size_t>> known;
  const Request* shared = nullptr;
  std::size_t shared_object = 0;
  for (const Request& request : launch.warps.at(0).requests) {
    const auto active =
        std::ranges::find_if(request.lanes, [](auto& lane) { return lane.has_value(); });
    const std::size_t object = (*active)->object;
    if (request.is_shared) {
      if (!panel.value("shared", true)) continue;
      if (shared && !is_further_from_ideal(request, *shared)) continue;
      shared = &request;
      shared_object = object;
      continue;
    }
    if (!known.insert({request.kind, object}).second) continue;
    const Pattern pattern = pattern_of(launch, request);
    const auto alike = std::ranges::find(items, pattern, &Item::pattern);
    if (alike == items.end())
      items.push_back({&request, pattern, {names.at(object)}});
    else
      alike->arrays.push_back(names.at(object));
  }
  if (shared) items.push_back({shared, pattern_of(launch, *shared), {names.at(shared_object)}});
  return items;
}

/// Bytes that the lanes of a request touch, relative to its first line.
struct Touched {
  std::map<std::uint64_t, std::set<unsigned>> lanes_of;    ///< by sector
  std::map<std::uint64_t, std::set<std::uint64_t>> bytes;  ///< by sector, relative to the sector
};

Touched touched_by(const Pattern& pattern) {
  Touched touched;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!pattern.lanes[lane]) continue;
    for (unsigned i = 0; i < pattern.access_bytes; ++i) {
      const std::uint64_t byte = *pattern.lanes[lane] + i;
      touched.lanes_of[byte / kSectorBytes].insert(lane);
      touched.bytes[byte / kSectorBytes].insert(byte % kSectorBytes);
    }
  }
  return touched;
}

/// Returns "0-7", "all", or the first few lanes if they are not adjacent or there is no room.
std::string lanes_label(const std::set<unsigned>& lanes, bool is_wide) {
  const unsigned first = *lanes.begin(), last = *lanes.rbegin();
  if (lanes.size() == kLanes) return "all";
  if (lanes.size() == 1 || !is_wide) return std::to_string(first);
  return last - first + 1 == lanes.size() ? fmt::format("{}-{}", first, last)
                                          : fmt::format("{}+", first);
}

std::string cost_of(const Request& request, const Touched& touched) {
  const std::size_t sectors = touched.bytes.size();
  const std::size_t unused = kSectorBytes * sectors - request.bytes;
  std::string cost = counted(sectors, "sector");
  if (request.sectors != sectors) cost += fmt::format(", counted as {}", request.sectors);
  if (request.lines > 1) cost += fmt::format(", {}", counted(request.lines, "line"));
  return unused == 0 ? cost : cost + fmt::format(", {} B unused", unused);
}

/// The drawing of a request, as wide as necessary.
class Strip {
 public:
  explicit Strip(const Item& item)
      : item_(item),
        touched_(touched_by(item.pattern)),
        title_(fmt::format("{} {}", item.request->kind, fmt::join(item.arrays, ", "))),
        cost_(cost_of(*item.request, touched_)) {
    if (touched_.bytes.size() > kMostSectors) throw std::runtime_error("too many: " + cost_);
  }

  double width() const {
    const double boxes = static_cast<double>(std::min(touched_.bytes.size(), in_a_row()));
    return std::max(boxes * (box() + kBoxGap) - kBoxGap,
                    kStrongLetter * static_cast<double>(title_.size()) +
                        kLetter * static_cast<double>(cost_.size()));
  }

  /// Draws at (`left`, svg.y) and returns the height.
  double draw(Svg& svg, double left, double column) const {
    svg.text(left, svg.y + 11, title_, "small strong");
    svg.text(left + column, svg.y + 11, cost_, "small muted", Anchor::end);
    double x = left, y = svg.y + kTitleHeight + kLabelHeight, line_from = left;
    const auto end_line = [&] {
      svg.line(line_from, y + kBoxHeight + 3, x, y + kBoxHeight + 3, "border");
    };
    std::size_t drawn = 0;
    std::uint64_t before = touched_.bytes.begin()->first;
    for (const auto& [sector, bytes] : touched_.bytes) {
      const bool is_new_row = drawn > 0 && drawn % in_a_row() == 0;
      const bool is_new_line = before / kSectorsOfALine != sector / kSectorsOfALine;
      if (is_new_row || is_new_line) end_line();
      if (is_new_row) {
        x = left;
        y += kBoxHeight + kLineHeight + kLabelHeight;
      } else if (is_new_line || sector > before + 1) {
        x += kBoxGap;
      }
      if (is_new_row || is_new_line) line_from = x;
      draw_sector(svg, x, y, sector, bytes);
      x += box();
      before = sector;
      ++drawn;
    }
    end_line();
    return y + kBoxHeight + kLineHeight - svg.y;
  }

 private:
  bool is_wide() const { return touched_.bytes.size() <= kWideInARow; }
  double box() const { return is_wide() ? kWideBox : kNarrowBox; }
  std::size_t in_a_row() const { return is_wide() ? kWideInARow : kNarrowInARow; }

  void draw_sector(Svg& svg, double x, double y, std::uint64_t sector,
                   const std::set<std::uint64_t>& bytes) const {
    const double byte_width = box() / kSectorBytes;
    svg.text(x + box() / 2, y - 3, lanes_label(touched_.lanes_of.at(sector), is_wide()),
             "small muted", Anchor::middle);
    if (bytes.size() < kSectorBytes) svg.rect(x, y, box(), kBoxHeight, "unused");
    for (auto byte = bytes.begin(); byte != bytes.end();) {
      const std::uint64_t from = *byte;
      std::uint64_t to = from;
      for (; byte != bytes.end() && *byte == to; ++byte) ++to;
      svg.rect(x + byte_width * static_cast<double>(from), y,
               byte_width * static_cast<double>(to - from), kBoxHeight,
               kFill.at(item_.request->kind));
    }
    svg.rect(x, y, box(), kBoxHeight, "sector");
  }

  const Item& item_;
  Touched touched_;
  std::string title_, cost_;
};

/// Draws strips in three columns; in two if there are fewer strips or one is too wide.
void draw_strips(Svg& svg, const std::vector<Item>& items) {
  std::vector<Strip> strips;
  for (const Item& item : items)
    if (!item.request->is_shared) strips.emplace_back(item);
  const auto width_in = [](std::size_t columns) {
    return (kDrawnWidth + kColumnGap) / static_cast<double>(columns) - kColumnGap;
  };
  const auto fit = [&](std::size_t columns) {
    return std::ranges::all_of(
        strips, [&](const Strip& strip) { return strip.width() <= width_in(columns); });
  };
  const std::size_t columns = strips.size() > 2 && fit(3) ? 3 : 2;
  if (!fit(columns)) throw std::runtime_error("a strip is too wide");
  double height = 0;
  for (std::size_t i = 0; i < strips.size(); ++i) {
    if (i % columns == 0) svg.y += std::exchange(height, 0);
    const double left = kLeft + static_cast<double>(i % columns) * (width_in(columns) + kColumnGap);
    height = std::max(height, strips[i].draw(svg, left, width_in(columns)));
  }
  svg.y += height;
}

/// Draws the panel's heading or the kernels' names in as many rows as necessary, and words to the
/// right of the last row.
void draw_names(Svg& svg, const Scene& scene) {
  std::vector<std::string> names;
  for (const Launch* launch : scene.launches()) names.push_back(launch->kernel);
  if (scene.panel.contains("heading")) names = {scene.heading("")};
  std::string row;
  for (const std::string& name : names) {
    const std::string next = row.empty() ? name : row + ", " + name;
    if (kCodeLetter * static_cast<double>(next.size() + 1) > kDrawnWidth) {
      svg.text(kLeft, svg.y + 12, row + ",", "code strong");
      svg.y += kNamesHeight;
      row = name;
    } else {
      row = next;
    }
  }
  draw_heading(svg, row, scene.panel.value("words", ""));
}

}  // namespace

void draw_overview(Svg& svg, const Scene& scene) {
  const auto launches = scene.launches();
  const std::vector<Item> items = items_of(*launches[0], scene.panel);
  for (const Launch* launch : launches)
    if (!std::ranges::is_permutation(items, items_of(*launch, scene.panel), {}, &Item::pattern,
                                     &Item::pattern))
      throw std::runtime_error(launch->kernel + " makes other requests than " +
                               launches[0]->kernel);
  draw_names(svg, scene);
  draw_strips(svg, items);
  if (items.empty() || !items.back().request->is_shared) return;
  const Item& shared = items.back();
  const double title_y = svg.y + 15;
  svg.y += kTitleHeight + 7;
  const std::string cost = draw_wavefronts(svg, *shared.request, kFill.at(shared.request->kind));
  svg.text(kLeft, title_y,
           fmt::format("shared memory: {} {}", shared.request->kind, shared.arrays[0]),
           "small strong");
  svg.text(kRight, title_y, cost, "small muted", Anchor::end);
  svg.y += 4;
}

void draw_overview_key(Svg& svg, const nlohmann::json& panels) {
  if (std::ranges::none_of(panels,
                           [](const auto& panel) { return panel.at("kind") == "overview"; }))
    return;
  svg.y += kAboveKey;
  double x = kLeft;
  if (svg.shows("used")) draw_swatch(svg, &x, "used", "loaded");
  if (svg.shows("second")) draw_swatch(svg, &x, "second", "stored");
  if (svg.shows("third")) draw_swatch(svg, &x, "third", "changed atomically");
  if (svg.shows("unused")) draw_swatch(svg, &x, "unused", "in a touched sector, not used");
  if (svg.shows("conflict")) draw_swatch(svg, &x, "conflict", "later, for its banks were busy");
  svg.y += kKeyHeight;
  x = kLeft;
  draw_swatch(svg, &x, "sector", "sector of 32 bytes; above, its lanes or the first of them");
  const std::string line = "a line of 128 bytes";
  make_room(svg, &x, line);
  svg.line(x, svg.y + 10, x + 14, svg.y + 10, "border");
  draw_swatch(svg, &x, "", line);
  svg.y += kKeyHeight;
}

}  // namespace pictures
