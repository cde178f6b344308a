#pragma once

/// @file
/// CUDA code in colours, with links from the names in it to the reference.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace site {

/// Colours code with Pygments, a program that takes longer to start than to colour all the code of
/// the course: it is called once, for code that was not coloured before.
class ColouredCode {
 public:
  /// @param lexer   theme/cuda_blocks.py
  /// @param memory  a file that keeps what was coloured
  ColouredCode(std::filesystem::path lexer, std::filesystem::path memory);

  /// Colours these pieces of code, and forgets all others.
  /// @throws std::runtime_error if Pygments is not there, or fails
  void prepare(const std::vector<std::string>& pieces);

  /// The lines of such a piece as HTML. `address_of` says where a name is documented.
  /// @throws std::out_of_range for code that was not prepared
  std::vector<std::string> lines_of(
      const std::string& piece,
      const std::function<std::optional<std::string>(const std::string& name)>& address_of) const;

 private:
  std::filesystem::path lexer_, memory_;
  std::map<std::string, std::string> coloured_;
};

}  // namespace site
