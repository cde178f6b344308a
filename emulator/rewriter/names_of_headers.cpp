/// Refuses names of headers that the source does not include.
///
/// The emulator's headers include some of the standard library that nvcc's do not: `printf`,
/// `assert` and `uint32_t` would be there without an include.
#include <algorithm>
#include <array>

#include "context.hpp"

namespace emulator_nvcc {
namespace {

using Names = std::unordered_set<std::string_view>;

struct Header {
  std::string_view shown;  // in the message
  Names given_by;          // headers
  Names names;
  bool only_in_std = false;  // as std::NAME
};

const std::array<Header, 5>& headers() {
  // Headers of CUDA that include one of the library's on nvcc's side, too, are among `given_by`.
  static const std::array<Header, 5> all = {{
      {"<cstdio>",
       {"cstdio", "stdio.h", "cusparse.h"},
       {"printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf",
        "scanf",  "fscanf",  "sscanf",  "puts",     "fputs",   "putchar",  "fputc",    "getchar",
        "fgetc",  "fgets",   "fopen",   "fclose",   "fread",   "fwrite",   "fflush",   "fseek",
        "ftell",  "perror",  "stdin",   "stdout",   "stderr",  "FILE"}},
      {"<cstdint>",
       {"cstdint", "stdint.h", "cuda.h", "cublas_v2.h", "cusparse.h", "cudaProfiler.h",
        "cudaTypedefs.h", "cuda_pipeline.h", "cuda_pipeline_primitives.h", "cuda_stdint.h"},
       {"uint8_t", "uint16_t", "uint32_t", "uint64_t", "uintptr_t", "intptr_t", "uintmax_t",
        "intmax_t"}},
      {"<cassert>",
       {"cassert", "assert.h", "cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h"},
       {"__assert_fail", "__assert"}},
      {"<exception>",
       {"exception", "new", "typeinfo", "bits/exception.h", "bits/exception_ptr.h"},
       {"exception"},
       true},
      {"<new>", {"new"}, {"bad_alloc", "nothrow"}, true},
  }};
  return all;
}

/// Returns whether a name is declared at a token, as a function, a type or a member of the
/// program's own.
bool is_declared_at(const Source& s, std::size_t token) {
  static const Names kNoTypes = {"return",   "else", "do", "case", "throw", "co_return",
                                 "co_yield", "and",  "or", "not",  "sizeof"};
  if (token == 0) return false;
  if (s.is(token + 1, "=") && s.is(token - 1, "using")) return true;
  if (s.is(token + 1, ";") && !s.is(token - 1, "(") && !s.is(token - 1, ",") &&
      s.is_identifier(token - 1) && !kNoTypes.count(s.spelling(token - 1)))
    return true;  // at the end of a typedef
  const bool follows_type = s.is_identifier(token - 1) && !kNoTypes.count(s.spelling(token - 1));
  return s.is(token + 1, "(") && follows_type;
}

/// Returns whether a token that follows `::`, `.` or `->` can be the library's name.
bool is_of_library(const Source& s, std::size_t token, bool only_in_std) {
  if (token == 0 || !s.is(token - 1, "::"))
    return !only_in_std && (token == 0 || (!s.is(token - 1, ".") && !s.is(token - 1, "->")));
  return token > 1 && (s.is(token - 2, "std") || (!only_in_std && !s.is_identifier(token - 2)));
}

}  // namespace

void check_names_of_headers(Context& c) {
  if (!c.options.knows_includes) return;
  // What a macro of a system header expands to counts as that header's, but is in the file.
  std::unordered_set<std::uint32_t> own_files;
  for (const Token& token : c.s.tokens())
    if (!token.system_header) own_files.insert(token.file);
  for (const Header& header : headers()) {
    const std::set<std::string>& includes = c.options.includes;
    const bool is_there =
        std::any_of(includes.begin(), includes.end(), [&](const std::string& name) {
          return header.given_by.count(name) || name.starts_with("cuda/") ||
                 name.starts_with("nvtx3/") || name.starts_with("cooperative_groups");
        });
    if (is_there) continue;
    std::vector<std::size_t> uses;
    Names declared;
    for (std::size_t i = 0; i < c.s.size(); ++i) {
      if (!c.s.is_identifier(i) || !header.names.count(c.s.spelling(i)) ||
          !own_files.count(c.s.tokens()[i].file))
        continue;
      if (is_declared_at(c.s, i))
        declared.insert(c.s.spelling(i));
      else if (is_of_library(c.s, i, header.only_in_std))
        uses.push_back(i);
    }
    unsigned last = 0;
    for (const std::size_t use : uses) {
      const std::string_view name = c.s.spelling(use);
      if (declared.count(name) || c.s.tokens()[use].line == last) continue;
      last = c.s.tokens()[use].line;
      const std::string shown = name.starts_with("__assert") ? "assert" : std::string(name);
      c.error(use, "'" + shown + "' is not declared: include " + std::string(header.shown));
    }
  }
}

}  // namespace emulator_nvcc
