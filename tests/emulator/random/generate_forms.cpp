/// @file
/// Builds a program at random from the forms in a file, oddly formatted, as CUDA and as plain C++:
///
///     generate_forms forms.txt SEED program.cu program.cpp
///
/// Both programs print the same numbers. A seed gives the same programs everywhere.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace {

using Word = unsigned long long;

class Random {
 public:
  explicit Random(Word seed) : state_(seed * 0x2545f4914f6cdd1du + 1) { next(); }
  Word next() {
    Word x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }
  int below(int n) { return static_cast<int>((next() >> 11) % static_cast<Word>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  const std::string& of(const std::vector<std::string>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  Word state_;
};

using Forms = std::map<std::string, std::vector<std::string>>;

Forms read_forms(std::istream& in) {
  Forms forms;
  std::string kind, text;
  const auto keep = [&] {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (!kind.empty() && !text.empty()) forms[kind].push_back(text);
    text.clear();
  };
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("== ", 0) == 0) {
      keep();
      kind = line.substr(3);
    } else if (!kind.empty()) {
      text += line + "\n";
    }
  }
  keep();
  return forms;
}

/// Fills in forms.
class Builder {
 public:
  Builder(const Forms& forms, Random& random, std::string letters)
      : forms_(forms), r_(random), letters_(std::move(letters)) {}

  std::string program() {
    std::string text = forms_.at("prelude").front() + "\n";
    std::string calls, host;
    const int devices = 4 + r_.below(8), launches = 1 + r_.below(4);
    for (int i = 0; i < devices; ++i) {
      text += fill(r_.of(forms_.at("device")), kDepth, "") + "\n";
      functions_.push_back("f" + last_name_);
      calls += "  out[" + std::to_string(i) + "u * kThreads + i] = " + functions_.back() +
               "(seed + i * 77u);\n";
    }
    std::string definitions;
    for (int i = 0; i < launches; ++i) {
      const std::string filled = fill(r_.of(forms_.at("launch")), kDepth, "");
      const std::size_t cut = filled.find("\n--\n");
      definitions += filled.substr(0, cut) + "\n";
      host += "  { memset(out, 0, kBytes); " + filled.substr(cut + 4) +
              " if (finish()) return 1; show(out, 1, 8); }\n";
    }
    text +=
        "__global__ void run_all(unsigned* out, unsigned seed) {\n"
        "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
        calls + "}\n";
    text += definitions;
    text += "int main() {\n  unsigned* out = allocate();\n";
    text +=
        "  for (unsigned seed = 0; seed < 3; ++seed) { @{run_all<<<2, kBlock>>>(out, seed * 12345u)"
        "@|plain_launch(2, kBlock, [&] { run_all(out, seed * 12345u); })@}; "
        "if (finish()) return 1; show(out, " +
        std::to_string(devices) + ", kThreads); }\n";
    return text + host + "  release(out);\n  return 0;\n}\n";
  }

 private:
  static constexpr int kDepth = 3;

  /// Fills in a form. Generated names begin with `letters`; outside of functions, nvcc wants ASCII.
  std::string fill(const std::string& form, int depth, const std::string& letters) {
    const std::string name = letters + std::to_string(++names_);
    std::string text = form[0] == '#' ? "\n" : "";
    for (std::size_t i = 0; i < form.size(); ++i) {
      if (form[i] != '@') {
        text += form[i];
        continue;
      }
      static const std::vector<std::string> kTypes = {"unsigned", "unsigned char", "unsigned short",
                                                      "unsigned long long", "unsigned int"};
      switch (form[++i]) {
        case 'n':
          text += name;
          break;
        case 'e':
          if (depth > 0)
            text += "(" + fill(r_.of(forms_.at("expression")), depth - 1, letters_) + ")";
          else
            text += r_.chance(50) ? "x" : "r";
          break;
        case 's':
          text += depth > 0 ? "{ " + fill(r_.of(forms_.at("statement")), depth - 1, letters_) + " }"
                            : "r++;";
          break;
        case 'k':
          text += std::to_string(1 + r_.below(9));
          break;
        case 't':
          text += r_.of(kTypes);
          break;
        case 'p':
          text += r_.of(functions_).substr(1);
          break;
        default:
          text += std::string("@") + form[i];
      }
    }
    last_name_ = name;
    return text;
  }

  const Forms& forms_;
  Random& r_;
  std::string letters_, last_name_;
  std::vector<std::string> functions_ = {"f0"};
  int names_ = 0;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Formats a text oddly: comments, line ends and splices instead of blanks, digraphs, one long
/// line. Literals, directives and the text between @{ and @} are not changed.
class Layout {
 public:
  explicit Layout(Random& random)
      : r_(random),
        blanks_(r_.chance(60) ? r_.below(30) : 0),
        digraphs_(r_.chance(30) ? r_.below(100) : 0),
        splices_(r_.chance(30) ? 1 + r_.below(4) : 0),
        long_lines_(r_.chance(20)) {}

  std::string of(const std::string& text) {
    std::string result;
    bool line_begins = true;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i + 1;
      if (line_begins && text[i] == '#') {
        end = text.find('\n', i) + 1;
        if (!result.empty() && result.back() != '\n') result += '\n';
        result += text.substr(i, end - i);
        i = end;
        continue;
      }
      const bool after_word = i > 0 && is_word(text[i - 1]);
      if (text.compare(i, 2, "@{") == 0) {
        end = text.find("@}", i) + 2;
      } else if (text[i] == 'R' && i + 1 < text.size() && text[i + 1] == '"') {
        const std::size_t open = text.find('(', i);
        const std::string close = ")" + text.substr(i + 2, open - i - 2) + "\"";
        end = text.find(close, open) + close.size();
      } else if (text[i] == '"' || (text[i] == '\'' && !(after_word && is_number(text, i)))) {
        while (text[end] != text[i]) end += text[end] == '\\' ? 2 : 1;
        ++end;
      }
      if (end > i + 1) {
        result += text.substr(i, end - i);
        line_begins = false;
        i = end;
        continue;
      }
      const char c = text[i];
      line_begins = c == '\n' || (line_begins && c == ' ');
      if (c == '\n' && long_lines_ && text[i + 1] != '#')
        result += ' ';
      else if (c == ' ' && !line_begins && r_.chance(blanks_))
        result += text[i - 1] == '/' || text[i + 1] == '/' ? "\n" : blank();
      else if (std::string("{}[]").find(c) != std::string::npos && result.back() != '<' &&
               r_.chance(digraphs_))
        result += c == '{' ? "<%" : c == '}' ? "%>" : c == '[' ? "<:" : ":>";
      else
        result += c;
      if (is_word(c) && after_word && is_word(text[i + 1]) && r_.chance(splices_)) result += "\\\n";
      ++i;
    }
    return result;
  }

 private:
  static bool is_number(const std::string& text, std::size_t quote) {
    std::size_t first = quote;
    while (first > 0 && (is_word(text[first - 1]) || text[first - 1] == '\'')) --first;
    return text[first] >= '0' && text[first] <= '9';
  }

  std::string blank() {
    static const std::vector<std::string> kBlanks = {"\n",
                                                     "\n\n",
                                                     "\t",
                                                     "  ",
                                                     " \\\n ",
                                                     " /**/ ",
                                                     "/* } { ) <<< \" ' R\"( */",
                                                     " // \" { <<<\n",
                                                     " /* __global__ void k() { */ ",
                                                     " // #define X \\\n still a comment\n",
                                                     "\f",
                                                     "\v",
                                                     "/* // */",
                                                     "\n/*\n*/\n",
                                                     " // '\n"};
    return r_.of(kBlanks);
  }

  Random& r_;
  int blanks_, digraphs_, splices_;
  bool long_lines_;
};

/// Returns a part of the text between @{ and @}: before @| for CUDA, after it for plain C++.
std::string side(const std::string& text, bool plain) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t open = text.find("@{", i);
    result += text.substr(i, open - i);
    if (open == std::string::npos) break;
    const std::size_t middle = text.find("@|", open), close = text.find("@}", middle);
    result += plain ? text.substr(middle + 2, close - middle - 2)
                    : text.substr(open + 2, middle - open - 2);
    i = close + 2;
  }
  return result;
}

const char* const kCommon = R"(#define kBlock 8u
#define kThreads (2u * kBlock)
#define kBytes (64 * kThreads * sizeof(unsigned))
static void show(const unsigned* out, unsigned rows, unsigned columns) {
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned i = 0; i < columns; ++i) printf("%x ", out[row * columns + i]);
    printf("\n");
  }
}
)";
// C++ leaves a device's conversions and shifts undefined, so plain_cuda.hpp writes them out.
const char* const kCuda = R"(#include <cuda_runtime.h>
#include <compare>
#include <concepts>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#define TO_UNSIGNED(x) ((unsigned)(x))
#define TO_INT(x) ((int)(x))
#define SHIFT_LEFT(x, n) ((x) << (n))
#define SHIFT_RIGHT(x, n) ((x) >> (n))
#define SHIFT_RIGHT_SIGNED(x, n) ((x) >> (n))
static unsigned* allocate() { unsigned* p = nullptr; cudaMallocManaged(&p, 64 * 64 * 4); return p; }
static void release(unsigned* p) { cudaFree(p); }
static int finish() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error) printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
)";
const char* const kPlain = R"(#include "plain_cuda.hpp"
static unsigned* allocate() { return new unsigned[64 * 64]; }
static void release(unsigned* p) { delete[] p; }
static int finish() { return 0; }
)";

}  // namespace

int main(int argc, char** argv) {
  std::ifstream in(argc == 5 ? argv[1] : "");
  if (!in) {
    std::cerr << "usage: generate_forms FORMS SEED CUDA PLAIN\n";
    return 2;
  }
  Random random(std::strtoull(argv[2], nullptr, 10));
  const std::string letters = random.chance(20) ? "\u00e9_\u6570" : "";
  const std::string text = Layout(random).of(Builder(read_forms(in), random, letters).program());
  std::ofstream(argv[3]) << kCuda << kCommon << side(text, false);
  std::ofstream(argv[4]) << kPlain << kCommon << side(text, true);
}
