#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "course/divide_up.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_09_9 {

using coursework::Trial;

/// A piece as a block has written it down.
struct Piece {
  int block, tile, first, count, of;
};

std::string counted(std::int64_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// How the work of a case was dealt out.
class Deal {
 public:
  Deal(const Trial& trial, const std::vector<int4>& slots, int room)
      : trial_(trial),
        tiles_(trial["tiles"]),
        panels_(trial["panels"]),
        blocks_(trial["blocks"]),
        lengths_(static_cast<std::size_t>(blocks_)) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const int4 slot = slots[i];
      if (slot.x == -1 && slot.y == -1 && slot.z == -1 && slot.w == -1) continue;  // not written
      pieces_.push_back({static_cast<int>(i) / room, slot.x, slot.y, slot.z, slot.w});
    }
    expect(!pieces_.empty(), "No block has written down a piece.");
    for (const Piece& piece : pieces_) expect_possible(piece);
    for (const Piece& piece : pieces_)
      lengths_[static_cast<std::size_t>(piece.block)] += piece.count;
    // A block may write its pieces down in any order.
    std::ranges::sort(pieces_, {},
                      [&](const Piece& one) { return std::tuple(begin(one), one.block); });
  }

  /// Ends the trial unless every panel is dealt once.
  void expect_every_panel() const {
    std::int64_t dealt = 0;  // panels of the row up to here
    int block = 0;           // that has the last of them
    for (const Piece& piece : pieces_) {
      expect(begin(piece) <= dealt, panel_name(dealt) + " is nobody's.");
      if (begin(piece) < dealt && piece.block == block)
        expect(false,
               "Block " + std::to_string(block) + " has " + panel_name(begin(piece)) + " twice.");
      expect(begin(piece) == dealt, panel_name(begin(piece)) + " is dealt twice: to block " +
                                        std::to_string(block) + " and to block " +
                                        std::to_string(piece.block) + ".");
      dealt = begin(piece) + piece.count;
      block = piece.block;
    }
    expect(dealt == std::int64_t{tiles_} * panels_, panel_name(dealt) + " is nobody's.");
  }

  /// Ends the trial unless shares are even, and runs in the order of the blocks.
  /// @pre every panel is dealt once
  void expect_even_runs() const {
    const auto [least, most] = std::ranges::minmax_element(lengths_);
    expect(*most - *least <= 1, "Block " + std::to_string(most - lengths_.begin()) + " has " +
                                    counted(*most, "panel") + ", and block " +
                                    std::to_string(least - lengths_.begin()) + " has " +
                                    std::to_string(*least) + "." + why_uneven());
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
      const Piece &before = pieces_[i - 1], &piece = pieces_[i];
      expect(before.block <= piece.block,
             "Shares are not in the order of the blocks: " + panel_name(begin(piece)) +
                 " is block " + std::to_string(piece.block) + "'s, and the panel before is block " +
                 std::to_string(before.block) + "'s.");
      expect(before.block != piece.block || before.tile != piece.tile,
             "Block " + std::to_string(piece.block) + " has two pieces of tile " +
                 std::to_string(piece.tile) + " that lie side by side. They are one.");
    }
  }

  /// Ends the trial unless every piece knows how many its tile has.
  /// @pre shares are even, and runs
  void expect_counts() const {
    for (auto first = pieces_.begin(); first != pieces_.end();) {
      const auto last = std::find_if(first, pieces_.end(),
                                     [&](const Piece& one) { return one.tile != first->tile; });
      const int found = static_cast<int>(last - first);
      const int span = (last - 1)->block - first->block + 1;
      for (; first != last; ++first)
        expect(first->of == found,
               "Block " + std::to_string(first->block) + " says that tile " +
                   std::to_string(first->tile) + " has " + counted(first->of, "piece") +
                   ". You have dealt it out in " + std::to_string(found) + "." +
                   (first->of == span ? " Some blocks between the first and the last of them have "
                                        "nothing: there are more blocks than panels."
                                      : ""));
    }
  }

 private:
  void expect(bool holds, const std::string& complaint) const {
    if (holds) return;
    const bool large = trial_.group() == "large";
    trial_.expect(false, complaint + (large ? " If smaller rows are right: which of your products "
                                              "and sums are larger than an int can be?"
                                            : ""));
  }

  /// Where a piece begins in the row of all panels.
  std::int64_t begin(const Piece& piece) const {
    return std::int64_t{piece.tile} * panels_ + piece.first;
  }
  std::string panel_name(std::int64_t panel) const {
    return "Panel " + std::to_string(panel % panels_) + " of tile " +
           std::to_string(panel / panels_);
  }

  void expect_possible(const Piece& piece) const {
    const std::string block = "Block " + std::to_string(piece.block);
    const std::string tile = "tile " + std::to_string(piece.tile);
    expect(piece.tile >= 0 && piece.tile < tiles_, block + " has a piece of " + tile +
                                                       ". Tiles go from 0 to " +
                                                       std::to_string(tiles_ - 1) + ".");
    expect(piece.count > 0, block + " has a piece of " + tile + " with " +
                                counted(piece.count, "panel") +
                                ". Where there is nothing to do, there is no piece.");
    expect(piece.first >= 0 && std::int64_t{piece.first} + piece.count <= panels_,
           block + " has a piece of " + tile + " that begins at panel " +
               std::to_string(piece.first) + " and has " + counted(piece.count, "panel") +
               ". A tile's panels go from 0 to " + std::to_string(panels_ - 1) +
               ", and a piece ends where its tile ends.");
  }

  /// What led to some of the uneven shares.
  std::string why_uneven() const {
    const int all = tiles_ * panels_, down = all / blocks_, up = course::divide_up(all, blocks_);
    const auto all_but_last = [&](std::int64_t length) {
      return std::all_of(lengths_.begin(), lengths_.end() - 1,
                         [&](std::int64_t one) { return one == length; });
    };
    const auto from_the_front = [&] {  // full shares, then a rest, then nothing
      return std::ranges::is_sorted(lengths_, std::ranges::greater()) && lengths_.front() == up;
    };
    if (all_but_last(down)) return " The last block gets all that is left over. Can they share it?";
    if (from_the_front()) return " Every share is rounded up, so the last blocks get too little.";
    if (std::ranges::all_of(lengths_, [&](std::int64_t one) { return one % panels_ == 0; }))
      return " Whole tiles are too coarse: a share may begin in the middle of one.";
    return "";
  }

  const Trial& trial_;
  int tiles_, panels_, blocks_;
  std::vector<Piece> pieces_;          // as they lie in the row
  std::vector<std::int64_t> lengths_;  // of the blocks' shares, in panels
};

void judge(Trial& trial) {
  const int tiles = trial["tiles"], panels = trial["panels"], blocks = trial["blocks"];
  const int longest = course::divide_up(tiles * panels, blocks);  // share
  const int least = course::divide_up(longest, panels);
  const int room = least + 1;  // a share that begins in the middle of a tile has one more
  trial.set("room", room);
  trial.set("least_pieces", least);

  const auto slots = trial.output<int4>(static_cast<std::size_t>(blocks) * room);
  trial.launch("deal", {blocks, 1}, tiles, panels, room, slots);

  const Deal deal(trial, trial.read(slots), room);
  deal.expect_every_panel();
  if (trial.group() == "panels") return;
  deal.expect_even_runs();
  if (trial.group() == "shares") return;
  deal.expect_counts();
}

const coursework::Registered registered("09_9", judge);

}  // namespace exercise_09_9
