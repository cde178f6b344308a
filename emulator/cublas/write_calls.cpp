/// @file
/// Writes calls.txt as C++: the declarations of cuBLAS's calls, and their definitions, which hand
/// the arguments to the function templates of `routines.hpp`.
///
///     write_calls calls.txt CALLS.h CALLS.cpp

#include <array>
#include <cctype>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

/// What a word of calls.txt means in a declaration.
using Meanings = std::vector<std::pair<std::string, std::string>>;

/// A type of numbers: cuBLAS's names, and the one that the templates have for it.
struct Number {
  const char* type;
  const char* real;
  const char* own;
};
constexpr std::array<Number, 4> kNumbers = {
    {{"float", "float", "float"},
     {"double", "double", "double"},
     {"cuComplex", "float", "std::complex<float>"},
     {"cuDoubleComplex", "double", "std::complex<double>"}}};

struct Routine {
  std::vector<std::string> names;  // one, or one for each type of numbers
  std::string work;                // the function that does it
  std::string parameters;
  bool is_narrow = false;  // has no form for larger sizes
};

/// @throws std::runtime_error naming the file and the line
std::vector<Routine> read_routines(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::vector<Routine> all;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const auto throw_at_line = [&](const std::string& what) {
      throw std::runtime_error(file + ":" + std::to_string(number) + ": " + what);
    };
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == ' ') {
      if (all.empty()) throw_at_line("no name stands above it");
      all.back().parameters += line.substr(1);
      continue;
    }
    Routine routine;
    std::istringstream words(line);
    for (std::string word; words >> word && word != "=";) routine.names.push_back(word);
    if (!(words >> routine.work)) throw_at_line("it does not say what does the work");
    std::string more;
    routine.is_narrow = static_cast<bool>(words >> more);
    if (routine.is_narrow && more != "narrow") throw_at_line("what is " + more + "?");
    if (routine.names.size() != 1 && routine.names.size() != kNumbers.size())
      throw_at_line("it names neither one call nor one for each type");
    all.push_back(routine);
  }
  return all;
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// `text` with each whole word for which there is a meaning replaced. The last word of a parameter
/// is its name and stays.
std::string replaced(const std::string& text, const Meanings& meanings) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    std::string word = text.substr(i, end == i ? 1 : end - i);
    i += word.size();
    const bool is_name = i == text.size() || text[i] == ',';
    for (const auto& [from, to] : meanings)
      if (!is_name && word == from) {
        word = to;
        break;
      }
    result += word;
  }
  return result;
}

/// The names of the parameters, each of them handed on in the templates' own types.
std::string arguments(const std::string& parameters) {
  std::string result;
  std::string word;
  for (const char c : parameters + ',') {
    if (is_letter(c)) {
      word += c;
    } else if (c == ',') {
      result += ", number(" + word + ")";
      word.clear();
    } else {
      word.clear();
    }
  }
  return result;
}

struct Texts {
  std::string declarations, definitions;
};

void add_call(Texts& texts, const std::string& name, const Routine& routine, const Number* number,
              bool is_wide) {
  Meanings meanings = {{"op", "cublasOperation_t"},
                       {"fill", "cublasFillMode_t"},
                       {"side", "cublasSideMode_t"},
                       {"diag", "cublasDiagType_t"},
                       {"stride", "long long int"}};
  if (number) meanings.insert(meanings.end(), {{"T", number->type}, {"R", number->real}});
  if (is_wide) meanings.emplace_back("int", "int64_t");
  const std::string call = "cublas" + name + (is_wide ? "_64" : "");
  const std::string head = "cublasStatus_t " + call + "(cublasHandle_t handle," +
                           replaced(routine.parameters, meanings) + ")";
  texts.declarations +=
      head + ";\n#define cublas" + name + "_v2" + (is_wide ? "_64 " : " ") + call + "\n";
  texts.definitions += "extern \"C\" " + head + " {\n  return run(\"" + call +
                       "\", handle, __builtin_return_address(0), [&](Call& call) {\n    " +
                       routine.work + (number ? std::string("<") + number->own + ">" : "") +
                       "(call" + arguments(routine.parameters) + ");\n  });\n}\n";
}

void write(const std::string& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw std::runtime_error("usage: write_calls calls.txt CALLS.h CALLS.cpp");
  Texts texts;
  for (const Routine& routine : read_routines(argv[1])) {
    for (const bool is_wide : {false, true})
      for (std::size_t i = 0; i < routine.names.size(); ++i)
        if (routine.names[i] != "-" && !(is_wide && routine.is_narrow))
          add_call(texts, routine.names[i], routine,
                   routine.names.size() == 1 ? nullptr : &kNumbers[i], is_wide);
  }
  const std::string head = "// Written by write_calls from calls.txt.\n";
  write(argv[2], head + "#pragma once\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" +
                     texts.declarations + "\n#ifdef __cplusplus\n}  // extern \"C\"\n#endif\n");
  write(argv[3],
        head + "#include \"routines.hpp\"\n\nusing namespace emu::cublas;\n\n" + texts.definitions);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
