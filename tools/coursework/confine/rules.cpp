#include "source_rules.hpp"

namespace coursework::confine {

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"text", "control characters, and brackets without a partner",
       "what people read and what the compiler reads have to be the same"},
      {"include",
       "headers other than CUDA's and the usual ones of C++; any other file; a header that a "
       "#define before it could change",
       "a compiler opens files for whoever asks, solutions and other people's work too"},
      {"directive", "#line, #import, #ident and the like",
       "they can make a line look as if it came from another file"},
      {"pragma", "pragmas other than unroll, nvcc's own, and those without effect",
       "g++ has pragmas that switch the counting off"},
      {"assembly",
       "assembly but for the inline PTX that the emulator makes C++ of; locals whose size or "
       "alignment cannot be checked",
       "it reads and writes without being counted"},
      {"attribute", "attributes other than CUDA's and a few harmless ones",
       "some switch the counting off, run before main, or rename functions"},
      {"builtin", "the compiler's built-in functions but for a few", "some access memory"},
      {"reserved-name", "names with __ or _Capital that are not CUDA's, and the grader's own names",
       "they belong to the compiler, to the library, and to the grader"},
      {"main", "main", "a submission is a part of a program, not one itself"},
      {"host-function",
       "calls of functions that are neither __global__, __device__ nor constexpr, from those that "
       "are; the others are left out",
       "a device could not call them"},
      {"extern", "extern but for extern __shared__ and extern \"C\"",
       "there is nothing outside to refer to"},
      {"thread-local", "thread_local variables", "a CUDA thread has none"},
      {"namespace", "namespaces of the library opened again", "they are not the submission's"},
      {"specialisation", "explicit specialisations of templates of others",
       "they change what others' code does"},
      {"launch", "kernel launches in device code", "the grader launches the kernels"},
      {"runtime", "calls of the CUDA runtime in device code", "they are host code"},
      {"standard-library", "names of std:: other than types, limits, arithmetic in device code",
       "the rest is not for it"},
      {"language", "exceptions, new and delete, run-time types, coroutines in what is compiled",
       "device code here has none of them"},
      {"virtual", "virtual functions", "they are called by addresses that lie in memory"},
      {"function-pointer", "calls by address", "an address can be forged"},
      {"call", "calls of functions outside of the submission and of CUDA",
       "they could do anything"},
      {"constructor", "initialisers that would run before a kernel that misses their work",
       "only kernels are run; every other initialiser is left out"},
      {"variable",
       "uses, in device code, of variables that are neither __device__, __constant__, __shared__ "
       "nor "
       "constant",
       "they would lie in the memory of the grader"},
      {"built-in", "changes of threadIdx and the like", "they belong to the device"},
      {"kernel-missing", "submissions without a kernel of the exercise", "nothing can be graded"},
      {"kernel-not-global", "a function with a kernel's name that is not __global__",
       "the grader launches a kernel"},
      {"object", "object files with anything else in them",
       "the object file is looked at again before it is linked"},
  };
  return all;
}

}  // namespace coursework::confine
