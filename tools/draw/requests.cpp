#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kCell = kDrawnWidth / kLanes;
constexpr double kCellHeight = 19;
constexpr double kFan = 36;          // between the lanes and the bytes
constexpr double kStripHeight = 22;  // height of the bytes
constexpr double kRowHeight = 24;    // height of a line in a row of its own
constexpr double kTextWidth = 7;     // width of a digit, rounded up
constexpr double kBaseline = 4;      // below the middle of a text
constexpr unsigned kLinesInAStrip = 3;
constexpr std::size_t kRowsAtFirst = 4, kRowsAtLast = 1;  // rows shown if there are too many
constexpr std::size_t kMostRows = 8;
constexpr std::array kFill = {"used", "second", "third"};

/// Bytes that some lanes of one request access.
struct Span {
  std::uint64_t address = 0;  ///< relative to the line in which the array begins
  unsigned bytes = 0;
  std::size_t request = 0;
  std::vector<unsigned> lanes;
};

struct Picture {
  std::vector<const Request*> requests;
  std::vector<Span> spans;
  std::set<std::uint64_t> sectors;  ///< touched by any request
  std::set<std::uint64_t> bytes;
  std::set<std::uint64_t> lines;
  unsigned active_lanes = 0;  ///< lanes in the first request
  unsigned needed_bytes = 0;  ///< of the bytes that a lane accesses

  bool uses_all_of(std::uint64_t sector) const {
    const auto first = bytes.find(sector * kSectorBytes);
    return first != bytes.end() &&
           std::distance(first, bytes.lower_bound((sector + 1) * kSectorBytes)) == kSectorBytes;
  }
};

Picture picture_of(const Scene& scene) {
  Picture picture;
  std::set<std::size_t> objects;
  for (const auto& which : scene.panel.at("of")) {
    const Request& request = scene.request(which);
    if (request.is_shared) throw std::runtime_error(request.line + " is no global access");
    std::map<std::uint64_t, std::vector<unsigned>> by_address;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!request.lanes[lane]) continue;
      objects.insert(request.lanes[lane]->object);
      by_address[scene.launches()[0]->address_of(request, lane)].push_back(lane);
    }
    for (const auto& [address, lanes] : by_address) {
      picture.spans.push_back({address, request.access_bytes, picture.requests.size(), lanes});
      for (unsigned byte = 0; byte < request.access_bytes; ++byte) {
        picture.bytes.insert(address + byte);
        picture.sectors.insert((address + byte) / kSectorBytes);
        picture.lines.insert((address + byte) / kLineBytes);
      }
      if (picture.requests.empty()) picture.active_lanes += static_cast<unsigned>(lanes.size());
    }
    picture.requests.push_back(&request);
  }
  if (objects.size() != 1) throw std::runtime_error("a panel shows one array");
  picture.needed_bytes = scene.panel.value("needed_bytes", picture.requests.at(0)->access_bytes);
  // The key explains either what is not needed or what is not accessed.
  if (scene.panel.contains("needed_bytes") &&
      picture.bytes.size() != kSectorBytes * picture.sectors.size())
    throw std::runtime_error("\"needed_bytes\" is for requests that access whole sectors");
  return picture;
}

std::string lanes_label(const Span& span, unsigned active_lanes) {
  if (span.lanes.size() == 1) return std::to_string(span.lanes[0]);
  return span.lanes.size() == active_lanes ? "all" : std::to_string(span.lanes[0]) + "+";
}

unsigned used_bytes(const Picture& picture, std::uint64_t sector) {
  return static_cast<unsigned>(
      std::distance(picture.bytes.lower_bound(sector * kSectorBytes),
                    picture.bytes.lower_bound((sector + 1) * kSectorBytes)));
}

std::string percent(std::size_t part, std::size_t whole) {
  std::string text =
      fmt::format("{:.1f}", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text + " %";
}

std::string caption_of(const Picture& picture) {
  const Request& first = *picture.requests[0];
  if (picture.needed_bytes < first.access_bytes)
    return fmt::format("1 request: {} in {}; {} of {} bytes asked for, {} needed",
                       counted(first.sectors, "sector"), counted(first.lines, "line"), first.bytes,
                       kSectorBytes * first.sectors,
                       first.bytes / first.access_bytes * picture.needed_bytes);
  if (picture.requests.size() == 1)
    return fmt::format("1 request: {} in {}; {} of {} bytes used, {}",
                       counted(first.sectors, "sector"), counted(first.lines, "line"), first.bytes,
                       kSectorBytes * first.sectors,
                       percent(first.bytes, kSectorBytes * first.sectors));
  for (const Request* request : picture.requests)
    if (request->sectors != first.sectors || request->bytes != first.bytes)
      throw std::runtime_error("the requests of a panel cost the same");
  return fmt::format("{} requests of {} each, {} used; together {} different sectors, {} used",
                     picture.requests.size(), counted(first.sectors, "sector"),
                     percent(first.bytes, kSectorBytes * first.sectors), picture.sectors.size(),
                     percent(picture.bytes.size(), kSectorBytes * picture.sectors.size()));
}

/// Draws a row of 32 lanes.
void draw_lanes(Svg& svg, double y, const Request& request, const char* fill) {
  svg.text(kLeft - 6, y + kCellHeight / 2 + kBaseline, "lane", "small muted", Anchor::end);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool is_active = request.lanes[lane].has_value();
    const double x = kLeft + lane * kCell;
    svg.rect(x, y, kCell, kCellHeight, is_active ? fill : "idle", 2);
    svg.text(x + kCell / 2, y + kCellHeight / 2 + kBaseline, std::to_string(lane),
             is_active ? "small on" : "small muted", Anchor::middle);
  }
}

/// Draws a range of memory; `x_of` returns the position of an address.
template <class XOf>
void draw_memory(Svg& svg, const Picture& picture, std::uint64_t first_byte, std::uint64_t end_byte,
                 double y, double height, bool with_lanes, XOf x_of) {
  for (std::uint64_t sector = first_byte / kSectorBytes; sector < end_byte / kSectorBytes; ++sector)
    if (picture.sectors.contains(sector) && !picture.uses_all_of(sector))
      svg.rect(x_of(sector * kSectorBytes), y,
               x_of((sector + 1) * kSectorBytes) - x_of(sector * kSectorBytes), height, "unused");
  for (const Span& span : picture.spans) {
    if (span.address < first_byte || span.address >= end_byte) continue;
    const unsigned needed = std::min(span.bytes, picture.needed_bytes);
    const double x = x_of(span.address), width = x_of(span.address + needed) - x;
    svg.rect(x, y, width, height, kFill.at(span.request));
    if (needed < span.bytes)
      svg.rect(x + width, y, x_of(span.address + span.bytes) - x - width, height, "padding");
    const std::string label = lanes_label(span, picture.active_lanes);
    if (with_lanes && static_cast<double>(label.size()) * kTextWidth <= width)
      svg.text(x + width / 2, y + height / 2 + kBaseline, label, "small on", Anchor::middle);
  }
  for (std::uint64_t sector = first_byte / kSectorBytes; sector < end_byte / kSectorBytes; ++sector)
    svg.rect(x_of(sector * kSectorBytes), y,
             x_of((sector + 1) * kSectorBytes) - x_of(sector * kSectorBytes), height,
             picture.sectors.contains(sector) ? "sector" : "idle");
}

/// Draws all lines side by side, with the lanes above and a second request's lanes below.
void draw_strip(Svg& svg, const Picture& picture, std::uint64_t first_line, std::uint64_t lines,
                const nlohmann::json& panel, unsigned element_bytes) {
  const std::uint64_t first_element = panel.value("array_begins", std::uint64_t{0});
  const std::uint64_t begin = first_line * kLineBytes, end = begin + lines * kLineBytes;
  const auto x_of = [&](std::uint64_t address) {
    return kLeft +
           kDrawnWidth * static_cast<double>(address - begin) / static_cast<double>(end - begin);
  };
  const double lanes_y = svg.y, strip_y = lanes_y + kCellHeight + kFan;
  const auto fan = [&](std::size_t request, double from, double to, const char* marks) {
    for (const Span& span : picture.spans)
      if (span.request == request)
        for (const unsigned lane : span.lanes)
          svg.line(kLeft + (lane + 0.5) * kCell, from,
                   (x_of(span.address) + x_of(span.address + span.bytes)) / 2, to, marks);
  };
  draw_lanes(svg, lanes_y, *picture.requests[0], kFill[0]);
  fan(0, lanes_y + kCellHeight, strip_y, "to-used");
  draw_memory(svg, picture, begin, end, strip_y, kStripHeight, false, x_of);
  for (std::uint64_t line = 0; line <= lines; ++line)
    svg.line(x_of(begin + line * kLineBytes), strip_y - 5, x_of(begin + line * kLineBytes),
             strip_y + kStripHeight + 5, "border");
  svg.text(kLeft - 6, strip_y + kStripHeight / 2 + kBaseline, panel.at("array").get<std::string>(),
           "small code", Anchor::end);
  svg.y = strip_y + kStripHeight;
  if (picture.requests.size() == 2) {
    fan(1, svg.y + kFan, svg.y, "to-second");
    draw_lanes(svg, svg.y + kFan, *picture.requests[1], kFill[1]);
    svg.y += kFan + kCellHeight + 2;
    return;
  }
  svg.y += 14;
  for (std::uint64_t address = begin; address < end; address += kSectorBytes) {
    svg.text(x_of(address) + 3, svg.y, fmt::format("[{}]", address / element_bytes - first_element),
             "small muted");
    const std::uint64_t sector = address / kSectorBytes;
    const unsigned used = used_bytes(picture, sector);
    if (picture.sectors.contains(sector) && used < kSectorBytes)
      svg.text(x_of(address + kSectorBytes) - 5, svg.y, fmt::format("{} B", used),
               "small strong waste", Anchor::end);
  }
  svg.y += 4;
}

/// Draws a row for each touched line.
void draw_rows(Svg& svg, const Picture& picture, unsigned element_bytes) {
  const std::vector<std::uint64_t> lines(picture.lines.begin(), picture.lines.end());
  const bool too_many = lines.size() > kMostRows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (too_many && i == kRowsAtFirst) {
      i = lines.size() - kRowsAtLast;
      svg.text(kLeft + kDrawnWidth / 2, svg.y + 11,
               fmt::format("{} more lines in between", i - kRowsAtFirst), "small muted",
               Anchor::middle);
      svg.y += 18;
    }
    const std::uint64_t begin = lines[i] * kLineBytes;
    svg.text(kLeft - 6, svg.y + kCellHeight / 2 + kBaseline,
             fmt::format("[{}]", begin / element_bytes), "small muted", Anchor::end);
    draw_memory(svg, picture, begin, begin + kLineBytes, svg.y, kCellHeight, true,
                [&](std::uint64_t address) {
                  return kLeft + kDrawnWidth * static_cast<double>(address - begin) / kLineBytes;
                });
    svg.y += kRowHeight;
  }
}

/// Returns whether the layout is a row for each line, not all lines side by side.
bool is_in_rows(const nlohmann::json& panel) { return panel.value("layout", "strip") == "rows"; }

/// Draws the key of the colours if there are several.
void draw_names(Svg& svg, const nlohmann::json& requests) {
  if (requests.size() == 1) return;
  double x = kLeft;
  for (std::size_t i = 0; i < requests.size(); ++i)
    draw_swatch(svg, &x, kFill.at(i), requests[i].at("name"));
  svg.y += kKeyHeight;
}

}  // namespace

void draw_requests_key(Svg& svg, const nlohmann::json& panels) {
  bool any_strip = false, any_rows = false;
  for (const auto& panel : panels)
    if (panel.at("kind") == "requests") (is_in_rows(panel) ? any_rows : any_strip) = true;
  if (!any_strip && !any_rows) return;
  svg.y += kAboveKey;
  double x = kLeft;
  draw_swatch(svg, &x, "used", "accessed");
  if (svg.shows("padding")) {
    svg.style(".padding{fill:url(#waste);stroke:var(--used);stroke-width:1.5}\n");
    draw_swatch(svg, &x, "padding", "accessed, but not needed");
  } else if (svg.shows("unused")) {
    draw_swatch(svg, &x, "unused", "in a touched sector, not used");
  }
  draw_swatch(svg, &x, "sector", "sector of 32 bytes");
  const std::string line = any_strip ? "line of 128 bytes begins" : "a row is a line of 128 bytes";
  make_room(svg, &x, line);
  if (any_strip) svg.line(x + 7, svg.y - 2, x + 7, svg.y + 13, "border");
  draw_swatch(svg, &x, "", line);
  svg.y += kKeyHeight;
}

void draw_requests(Svg& svg, const Scene& scene) {
  const Picture picture = picture_of(scene);
  const Request& first = *picture.requests[0];
  draw_heading(svg, scene.heading(source_text(scene.chapter, first.line)), scene.panel.at("words"));
  const unsigned element_bytes = scene.panel.value("element_bytes", first.access_bytes);
  const std::uint64_t span = *picture.lines.rbegin() - *picture.lines.begin() + 1;
  draw_names(svg, scene.panel.at("of"));
  if (is_in_rows(scene.panel)) {
    if (scene.panel.contains("columns")) draw_column_numbers(svg, scene.panel["columns"]);
    draw_rows(svg, picture, element_bytes);
  } else {
    const std::uint64_t lines = std::max(span, scene.panel.value("lines", std::uint64_t{1}));
    if (lines > kLinesInAStrip || picture.requests.size() > 2)
      throw std::runtime_error("too much for a strip");
    draw_strip(svg, picture, *picture.lines.begin(), lines, scene.panel, element_bytes);
  }
  draw_caption(svg, caption_of(picture));
}

}  // namespace pictures
