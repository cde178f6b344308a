#include "support/markup.hpp"

#include <cctype>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace test_support {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  void read_document() {
    skip_space();
    if (next_is("<!DOCTYPE html>")) at_ += std::string_view("<!DOCTYPE html>").size();
    skip_space();
    if (at_ == text_.size()) fail("nothing is there");
    while (at_ < text_.size()) {
      if (next_is("<!--")) {
        read_comment();
      } else if (next_is("</")) {
        read_end();
      } else if (text_[at_] == '<') {
        if (open_.empty() && has_root_) fail("a second element behind the first");
        read_start();
      } else {
        if (open_.empty() && !is_space()) fail("text outside of elements");
        read_character('<');
      }
    }
    if (!open_.empty()) fail("<" + open_.back() + "> is not closed");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    std::size_t line = 1;
    for (const char c : text_.substr(0, at_)) line += c == '\n';
    throw std::runtime_error("line " + std::to_string(line) + ": " + what);
  }
  bool next_is(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool is_space() const {
    return at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0;
  }
  void skip_space() {
    while (is_space()) ++at_;
  }
  void expect(std::string_view what) {
    if (!next_is(what)) fail("expected " + std::string(what));
    at_ += what.size();
  }

  std::string read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '-' || text_[at_] == ':'))
      ++at_;
    if (at_ == begin) fail("a name is missing");
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// One character of text or of an attribute's value, where `forbidden` must be written otherwise.
  void read_character(char forbidden) {
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (text_[at_] == forbidden || text_[at_] == '<') fail("a bare character");
    if (c < ' ' && !is_space()) fail("a control character");
    if (text_[at_] == '&') {
      for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
        if (!next_is(entity)) continue;
        at_ += entity.size();
        return;
      }
      fail("& that begins no entity");
    }
    ++at_;
  }

  void read_comment() {
    const std::size_t end = text_.find("-->", at_);
    if (end == text_.npos) fail("a comment is not closed");
    at_ = end + 3;
  }

  void read_start() {
    expect("<");
    const std::string name = read_name();
    std::set<std::string> attributes;
    while (is_space()) {
      skip_space();
      if (next_is("/") || next_is(">")) break;
      const std::string attribute = read_name();
      if (!attributes.insert(attribute).second) fail(attribute + " stands there twice");
      expect("=\"");
      const std::size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != '"') read_character('"');
      const std::string value(text_.substr(begin, at_ - begin));
      expect("\"");
      if (attribute == "id" && !ids_.insert(value).second) fail("a second id " + value);
    }
    has_root_ = true;
    if (next_is("/>")) {
      at_ += 2;
      return;
    }
    expect(">");
    open_.push_back(name);
  }

  void read_end() {
    expect("</");
    const std::string name = read_name();
    if (open_.empty() || open_.back() != name) fail("</" + name + "> closes nothing");
    open_.pop_back();
    skip_space();
    expect(">");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  std::set<std::string> ids_;
  bool has_root_ = false;
};

}  // namespace

std::string markup_fault(const std::string& text) {
  try {
    Reader(text).read_document();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace test_support
