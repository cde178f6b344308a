#pragma once

/// @file
/// The ladder of a chapter, a step at a time: a page with the numbers of all steps, and the code
/// and the pictures that ladder.js shows there beside them.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/site/book.hpp"
#include "tools/site/coloured_code.hpp"
#include "tools/site/frame.hpp"
#include "tools/site/ladder.hpp"
#include "tools/site/reference.hpp"

namespace site {

/// Returns the name of the page of a chapter's steps: "ladder_09_sgemm".
std::string walk_id(const std::filesystem::path& chapter);

/// A line of a step's source.
struct StepLine {
  /// ' ' as in the step before, '+' new, '-' gone, '/' of what comparisons leave out: comments
  /// above functions, namespaces.
  char mark;
  std::string text;
};

/// Returns the lines of a step's source, and between them those of the step before that are gone.
std::vector<StepLine> step_lines(const std::vector<std::string>& before,
                                 const std::vector<std::string>& after);

/// The part of a picture that shows a step.
struct PicturePart {
  std::string name;   ///< of the picture, without folder and ending
  std::string words;  ///< all that is written in this part
  int top = 0, height = 0;
  int key = 0;    ///< where the picture's key begins; the picture's height if it has none
  int whole = 0;  ///< the picture's height
};

/// Returns the parts of the chapter's pictures that show the step with this number, the first two
/// letters of a part's heading: "07 conflict_free".
std::vector<PicturePart> picture_parts(const Book& book, const std::filesystem::path& chapter,
                                       const std::string& number);

/// A chapter's steps, ready to be shown.
class LadderWalk {
 public:
  LadderWalk(const Book& book, const std::filesystem::path& chapter);

  bool is_empty() const { return rungs_.empty(); }
  /// The sources of all steps, which have to be coloured.
  std::vector<std::string> code() const;
  /// Returns the page: a table of the steps and their numbers.
  Contents page(const Reference& reference) const;
  /// Returns the script that gives ladder.js the code and the pictures of the steps.
  /// @param figures  where each picture stands in a lesson: its address by its name
  std::string script(const Reference& reference, const ColouredCode& colours,
                     const std::map<std::string, std::string>& figures) const;

 private:
  std::filesystem::path file_of(const Rung& rung) const;

  const Book& book_;
  std::filesystem::path chapter_;
  std::vector<Rung> rungs_;
};

}  // namespace site
