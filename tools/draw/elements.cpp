#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr unsigned kLanesOfATint = 8;
constexpr unsigned kLabelledLanes = 4;  // label every fourth lane where cells are narrow
constexpr double kMostCell = 26, kTwoDigits = 14, kNumberHeight = 11, kBaseline = 4;
constexpr double kRowNumbers = 18, kColNumbers = 24;  // pixels between the numbers at the edges

/// The lane that touches an element.
struct Owner {
  std::size_t warp = 0;
  unsigned lane = 0;
  bool operator==(const Owner&) const = default;
};

using Owners = std::map<std::pair<unsigned, unsigned>, Owner>;  // by row and column

bool is_by_lane(const nlohmann::json& panel) { return panel.value("colour", "warp") == "lane"; }

/// Returns whether only the first warp has a colour.
bool is_first_warp_alone(const nlohmann::json& panel) {
  return panel.value("colour", "warp") == "first warp";
}

/// Returns the owners of the elements touched by the requests in the panel's "of".
Owners owners_of(const Scene& scene) {
  const nlohmann::json& panel = scene.panel;
  const unsigned element_bytes = panel.value("element_bytes", kWordBytes);
  const std::uint64_t stride = panel.at("stride");  // elements between rows, or columns
  const bool by_column = panel.value("column_major", false);
  Owners owners;
  const auto& warps = scene.launch().warps;
  for (std::size_t warp = 0; warp < warps.size(); ++warp) {
    if (panel.contains("warp") && panel.at("warp") != warp) continue;
    std::size_t number = 0;
    const std::size_t count = panel.value("count", warps[warp].requests.size());
    const std::size_t first = panel.value("first", std::size_t{0});
    for (const Request& request : warps[warp].requests) {
      if (!matches(request, panel)) continue;
      const std::size_t own = number++;
      if (own < first || own >= first + count) continue;
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

/// The picture of a matrix.
class ElementMap {
 public:
  ElementMap(Svg& svg, const nlohmann::json& panel, const Owners& owners)
      : svg_(svg), panel_(panel), owners_(owners) {
    for (const auto& [place, owner] : owners) {
      rows_ = std::max(rows_, place.first + 1);
      cols_ = std::max(cols_, place.second + 1);
    }
    rows_ = std::min(rows_, panel.value("rows", rows_));
    cell_width_ = panel.value("cell", std::min(kMostCell, kDrawnWidth / cols_));
    cell_height_ = panel.value("cell_height", cell_width_);
  }

  void draw() {
    svg_.y += kNumberHeight;
    number_edges();
    for (unsigned row = 0; row < rows_; ++row)
      for (unsigned col = 0; col < cols_; ++col) draw_from(row, col);
    for (const Label& label : labels_)
      svg_.text(label.x, label.y, std::to_string(label.lane),
                label.is_plain ? "small muted" : "small",
                label.overhangs ? Anchor::start : Anchor::middle);
    for (const Box& box : marked_) svg_.rect(box.x, box.y, box.width, box.height, "marked");
    svg_.y += rows_ * cell_height_ + 6;
    if (!is_by_lane(panel_)) draw_key();
  }

 private:
  struct Box {
    double x, y, width, height;
  };
  struct Label {
    double x, y;
    unsigned lane;
    bool overhangs;
    bool is_plain;  // the warp has no colour
  };

  void number_edges() {
    const auto step_of = [](double size, double distance) {
      unsigned step = 1;
      while (step * size < distance) step *= 2;
      return step;
    };
    for (unsigned col = 0; col < cols_; col += step_of(cell_width_, kColNumbers))
      svg_.text(kLeft + (col + 0.5) * cell_width_, svg_.y - 3, std::to_string(col), "small muted",
                Anchor::middle);
    for (unsigned row = 0; row < rows_; row += step_of(cell_height_, kRowNumbers))
      svg_.text(kLeft - 6, svg_.y + (row + 0.5) * cell_height_ + kBaseline, std::to_string(row),
                "small muted", Anchor::end);
  }

  const Owner* owner_at(unsigned row, unsigned col) const {
    const auto found = row < rows_ ? owners_.find({row, col}) : owners_.end();
    return found == owners_.end() ? nullptr : &found->second;
  }

  /// Returns whether `cols` elements from here on belong to this owner.
  bool owns(const Owner& owner, unsigned row, unsigned first_col, unsigned cols) const {
    for (unsigned col = first_col; col < first_col + cols; ++col)
      if (const Owner* other = owner_at(row, col); !other || *other != owner) return false;
    return true;
  }

  /// Draws the rectangle of one owner that begins here, unless an earlier rectangle covers it.
  void draw_from(unsigned row, unsigned col) {
    const Owner* const owner = owner_at(row, col);
    Box box{kLeft + col * cell_width_, svg_.y + row * cell_height_, cell_width_, cell_height_};
    if (!owner) svg_.rect(box.x, box.y, box.width, box.height, "idle");
    if (!owner || drawn_.contains({row, col})) return;
    unsigned cols = 1, rows = 1;
    while (owns(*owner, row, col + cols, 1)) ++cols;
    while (panel_.value("joined", false) && owns(*owner, row + rows, col, cols)) ++rows;
    for (unsigned i = 0; i < rows * cols; ++i) drawn_.insert({row + i / cols, col + i % cols});
    box.width *= cols;
    box.height *= rows;
    const bool is_plain = is_first_warp_alone(panel_) && owner->warp != 0;
    if (!is_plain) drawn_warps_.insert(owner->warp);
    const std::size_t colour = is_by_lane(panel_) ? owner->lane / kLanesOfATint : owner->warp;
    svg_.rect(box.x, box.y, box.width, box.height, is_plain ? "idle" : "tile " + tint(colour));
    const bool is_narrow = box.width < kTwoDigits;
    if (!is_narrow || owner->lane % kLabelledLanes == 0)
      labels_.push_back({box.x + (is_narrow ? 1 : box.width / 2),
                         box.y + box.height / 2 + kBaseline, owner->lane, is_narrow, is_plain});
    if (panel_.contains("mark") && panel_.at("mark") == owner->lane && owner->warp == 0)
      marked_.push_back(box);
  }

  void draw_key() {
    double x = kLeft;
    for (const std::size_t warp : drawn_warps_)
      draw_swatch(svg_, &x, "tile " + tint(warp), fmt::format("warp {}", warp));
    if (!marked_.empty())
      draw_swatch(svg_, &x, "marked", fmt::format("lane {} of warp 0", panel_.at("mark").dump()));
    svg_.y += kKeyHeight;
  }

  Svg& svg_;
  const nlohmann::json& panel_;
  const Owners& owners_;
  unsigned rows_ = 0, cols_ = 0;
  double cell_width_ = 0, cell_height_ = 0;
  std::set<std::pair<unsigned, unsigned>> drawn_;
  std::set<std::size_t> drawn_warps_;
  std::vector<Label> labels_;  // drawn above all cells
  std::vector<Box> marked_;
};

}  // namespace

void draw_elements(Svg& svg, const Scene& scene) {
  const Owners owners = owners_of(scene);
  if (owners.empty()) throw std::runtime_error("nothing touches the elements of a panel");
  draw_heading(svg, scene.heading(scene.launch().kernel), scene.panel.at("words"));
  ElementMap(svg, scene.panel, owners).draw();
}

void draw_elements_key(Svg& svg, const nlohmann::json& panels) {
  if (std::ranges::none_of(panels, [](const auto& panel) {
        return panel.at("kind") == "elements" && is_by_lane(panel);
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
