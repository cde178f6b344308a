#include "tools/coursework/check/check_file.hpp"

#include "tools/coursework/judging/compile.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {

Verdict check_file(const Exercise& exercise, const std::filesystem::path& file,
                   const JudgeOptions& options) {
  const tools::TemporaryFolder folder("course check");
  const Compiled compiled = compile_plain(exercise, file, folder.path());
  if (!compiled.ok)
    return verdict_without_trials(exercise, Outcome::does_not_compile, compiled.output);
  Verdict verdict = judge(exercise, [&] { return start_runner(compiled.program); }, options);
  verdict.compiler_output = compiled.output;
  return verdict;
}

}  // namespace coursework
