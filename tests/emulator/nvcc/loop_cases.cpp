#include "cases.hpp"

namespace nvcc_tests {

std::vector<Case> loop_cases() {
  return {
      {"loops that branch or call tell their rounds",
       "__device__ int f(int i) {\n"
       "  int n = 0;\n"
       "  for (int j = 0; j < i; ++j)\n    if (j % 3) ++n;\n"
       "  while (n > 5) n -= n > 7 ? 2 : 1;\n"
       "  do {\n    if (n == 3) continue;\n    ++n;\n  } while (n < 4);\n"
       "  return n;\n}\n"
       "__global__ void k(int* p) { for (int i = 0; i < 4; ++i) p[i] = f(i); }\n",
       {"switch (::emu::Rounds emu_rounds_13(14); 0) default: # 3 \"<source>\" for (int j = 0; "
        "emu_rounds_13.next(), # 3 \"<source>\" j < i; ++j) if (j % 3) ++n;",
        "default: # 5 \"<source>\" while (emu_rounds_36.next(), # 5 \"<source>\" n > 5) n -=",
        "default: # 6 \"<source>\" do { if (n == 3) continue; ++n; } while (emu_rounds_52.next(), "
        "# 9 \"<source>\" n < 4);",
        "default: # 12 \"<source>\" for (int i = 0; emu_rounds_86.next(),"}},
      {"loops that end only from inside",
       "__device__ int f(int i) { for (;;) { if (i > 9) return i; i = 3 * i + 1; } }\n"
       "__device__ int g(int i) { while (true) { if (++i > 9) return i; } }\n"
       "__device__ int h(int i) { do { if (++i > 9) return i; } while (1); }\n"
       "__device__ int bare(int i) { while (true) if (++i > 9) return i; }\n",
       {"for (;;) { emu_rounds_", ".next(); # 1 \"<source>\" if (i > 9) return i;",
        "while (true) {", ".next(); # 3 \"<source>\" if (++i > 9) return i; } while (1);",
        "{ while (true) if (++i > 9)"}},
      {"an else belongs to the if that it belonged to",
       "__device__ int f(int i, bool a) {\n  if (a)\n    for (int j = 0; j < i; ++j) i -= f(j, "
       "a);\n"
       "  else\n    i = 1;\n  return i;\n}\n",
       {"if (a) switch (::emu::Rounds", "i -= f(j, a); else i = 1;"}},
      {"loops in loops, in lambdas and after labels",
       "__device__ int f(int n) {\n"
       "  auto g = [&](int i) { while (i > n) if (i-- % 2) --i; return i; };\n"
       "  switch (n) {\n    case 1: for (int i = 0; i < n; ++i) n = g(n);\n    [[fallthrough]];\n"
       "    default: for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) n -= j;\n  }\n"
       "  return n;\n}\n",
       {"case 1: switch (::emu::Rounds", "default: switch (::emu::Rounds",
        "{ switch (::emu::Rounds"}},
      {"loops whose rounds are alike, or in which a place cannot be told, stay",
       "__device__ int n[4];\n"
       "__device__ void plain(int* p) { for (int i = 0; i < 4; ++i) p[i] += n[i]; }\n"
       "__device__ void range(int* p) { for (int& one : n) if (one) ++*p; }\n"
       "__device__ void waiting(volatile int* p) { while (*p && p[1]) ; }\n"
       "__device__ constexpr int constant(int i) { while (i > 9) i = i % 2 ? i / 2 : 0; return i; "
       "}\n"
       "__device__ void declares(int i) { while (int j = i ? i - 1 : 0) { i = j; } }\n"
       "__device__ int jumps(int i) { while (i) { if (i > 9) goto end; ++i; } end: return i; }\n"
       "__device__ int labels(int i) { if (i > 5) goto in; while (i) { if (i < 3) --i; in: --i; } "
       "return i; }\n"
       "__device__ void device(int i, int* p) {\n"
       "  switch (i % 2) { case 0: do { p[i] = i ? 1 : 2;\n"
       "    case 1: p[0] = 1; } while (--i > 0); }\n}\n"
       "__device__ void asked(int* p, int m) {\n#pragma GCC ivdep\n"
       "  for (int i = 0; i < m; ++i) p[i] = m ? i : 1;\n}\n"
       "void host(int* p, int m) { for (int i = 0; i < m; ++i) if (i % 2) p[i] = 1; }\n",
       {"while (int j = i ? i - 1 : 0)"},
       {"emu_rounds"}},
  };
}

}  // namespace nvcc_tests
