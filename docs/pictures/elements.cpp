#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "panels.hpp"

namespace pictures {

namespace {

constexpr double kMostCell = 26;
constexpr double kBaseline = 4, kTextWidth = 7, kTwoDigits = 14;
constexpr unsigned kLanesOfATint = 8, kLabelledLanes = 4;
constexpr double kRowLabels = 18, kColLabels = 24;  // pixels between the numbers at the edges

/// Who touches an element.
struct Owner {
  std::size_t warp = 0;
  unsigned lane = 0;
  bool operator==(const Owner&) const = default;
};

/// A part of a matrix, or all of it.
struct Window {
  unsigned first_row = 0, first_col = 0, rows = 0, cols = 0;
};

using Owners = std::map<std::pair<unsigned, unsigned>, Owner>;  // by row and column

bool matches(const Request& request, const nlohmann::json& which) {
  return request.kind == which.at("kind_of_request") &&
         request.is_shared == (which.at("space") == "shared");
}

/// The owners of the elements that the requests named by the panel's "of" touch.
Owners owners_of(const Scene& scene) {
  const nlohmann::json& panel = scene.panel;
  const unsigned element_bytes = panel.value("element_bytes", kWordBytes);
  const std::uint64_t stride = panel.at("stride");  // elements from one row, or column, to the next
  const bool by_column = panel.value("column_major", false);
  Owners owners;
  const auto& warps = scene.launch().warps;
  for (std::size_t warp = 0; warp < warps.size(); ++warp) {
    if (panel.contains("warp") && panel.at("warp") != warp) continue;
    std::size_t number = 0;
    const std::size_t count = panel.value("count", warps[warp].requests.size());
    for (const Request& request : warps[warp].requests) {
      if (!matches(request, panel) || number++ >= count) continue;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (!request.lanes[lane]) continue;
        for (unsigned part = 0; part < request.access_bytes / element_bytes; ++part) {
          const std::uint64_t element = request.lanes[lane]->offset / element_bytes + part;
          auto row = static_cast<unsigned>(element / stride);
          auto col = static_cast<unsigned>(element % stride);
          if (by_column) std::swap(row, col);
          const auto [known, is_new] = owners.try_emplace({row, col}, Owner{warp, lane});
          if (!is_new && known->second != Owner{warp, lane})
            throw std::runtime_error("an element has two owners");
        }
      }
    }
  }
  return owners;
}

Window window_of(const nlohmann::json& panel, const Owners& owners) {
  Window window;
  if (panel.contains("window")) {
    window.first_row = panel.at("window").at(0);
    window.first_col = panel.at("window").at(1);
    window.rows = panel.at("window").at(2);
    window.cols = panel.at("window").at(3);
    return window;
  }
  for (const auto& [place, owner] : owners) {
    window.rows = std::max(window.rows, place.first + 1);
    window.cols = std::max(window.cols, place.second + 1);
  }
  return window;
}

}  // namespace

void draw_elements(Svg& svg, const Scene& scene) {
  const Owners owners = owners_of(scene);
  if (owners.empty()) throw std::runtime_error("nothing touches the elements of a panel");
  const Window window = window_of(scene.panel, owners);
  const double cell = scene.panel.value("cell", std::min(kMostCell, kDrawnWidth / window.cols));
  const double cell_height = scene.panel.value("cell_height", cell);
  const bool by_lane = scene.panel.value("colour", "warp") == "lane";
  draw_heading(svg, scene.launch().kernel, scene.panel.at("words"));

  svg.y += 11;
  const auto label_step = [](double size, double distance) {
    unsigned step = 1;
    while (step * size < distance) step *= 2;
    return step;
  };
  for (unsigned col = 0; col < window.cols; col += label_step(cell, kColLabels))
    svg.text(kLeft + (col + 0.5) * cell, svg.y - 3, std::to_string(window.first_col + col),
             "small muted", Anchor::middle);
  for (unsigned row = 0; row < window.rows; row += label_step(cell_height, kRowLabels))
    svg.text(kLeft - 6, svg.y + (row + 0.5) * cell_height + kBaseline,
             std::to_string(window.first_row + row), "small muted", Anchor::end);

  const auto owner_at = [&](unsigned row, unsigned col) -> const Owner* {
    const auto found = owners.find({window.first_row + row, window.first_col + col});
    return row < window.rows && col < window.cols && found != owners.end() ? &found->second
                                                                           : nullptr;
  };
  const auto same = [&](unsigned row, unsigned col, const Owner& owner) {
    const Owner* const other = owner_at(row, col);
    return other && *other == owner;
  };
  std::set<std::pair<unsigned, unsigned>> drawn;
  std::vector<std::array<double, 4>> marked;
  struct Label {
    double x, y;
    unsigned lane;
    bool overhangs;
  };
  std::vector<Label> labels;  // on top of all cells
  for (unsigned row = 0; row < window.rows; ++row) {
    for (unsigned col = 0; col < window.cols; ++col) {
      const Owner* const owner = owner_at(row, col);
      const double x = kLeft + col * cell, y = svg.y + row * cell_height;
      if (!owner) svg.rect(x, y, cell, cell_height, "idle");
      if (!owner || drawn.contains({row, col})) continue;
      unsigned width = 1, height = 1;
      while (same(row, col + width, *owner)) ++width;
      const auto whole_row = [&] {
        for (unsigned i = 0; i < width; ++i)
          if (!same(row + height, col + i, *owner)) return false;
        return true;
      };
      while (scene.panel.value("joined", false) && whole_row()) ++height;
      for (unsigned i = 0; i < width * height; ++i)
        drawn.insert({row + i / width, col + i % width});
      svg.rect(x, y, width * cell, height * cell_height,
               "tile " + tint(by_lane ? owner->lane / kLanesOfATint : owner->warp));
      const bool is_narrow = width * cell < kTwoDigits;
      if (!is_narrow || owner->lane % kLabelledLanes == 0)
        labels.push_back({x + (is_narrow ? 1 : width * cell / 2),
                          y + height * cell_height / 2 + kBaseline, owner->lane, is_narrow});
      if (scene.panel.contains("mark") && scene.panel.at("mark") == owner->lane && owner->warp == 0)
        marked.push_back({x, y, width * cell, height * cell_height});
    }
  }
  for (const Label& label : labels)
    svg.text(label.x, label.y, std::to_string(label.lane), "small",
             label.overhangs ? Anchor::start : Anchor::middle);
  for (const auto& [x, y, width, height] : marked) svg.rect(x, y, width, height, "marked");
  svg.y += window.rows * cell_height + 6;

  if (by_lane) return;
  double x = kLeft;
  std::set<std::size_t> warps;
  for (const auto& [place, owner] : owners) warps.insert(owner.warp);
  for (const std::size_t warp : warps)
    draw_swatch(svg, &x, "tile " + tint(warp), fmt::format("warp {}", warp));
  if (!marked.empty())
    draw_swatch(svg, &x, "marked", fmt::format("lane {} of warp 0", scene.panel.at("mark").dump()));
  svg.y += kKeyHeight;
}

void draw_elements_key(Svg& svg, const nlohmann::json& panels) {
  if (std::ranges::none_of(panels, [](const auto& panel) {
        return panel.at("kind") == "elements" && panel.value("colour", "warp") == "lane";
      }))
    return;
  svg.y += kAboveKey;
  double x = kLeft;
  for (unsigned first = 0; first < kLanes; first += kLanesOfATint)
    draw_swatch(svg, &x, "tile " + tint(first / kLanesOfATint),
                fmt::format("lanes {} to {}", first, first + kLanesOfATint - 1));
  svg.y += kKeyHeight;
}

}  // namespace pictures
