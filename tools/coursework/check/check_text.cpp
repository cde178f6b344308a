#include "tools/coursework/check/check_text.hpp"

#include "tools/coursework/judging/compile.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

Verdict check_in(const std::filesystem::path& folder, const Exercise& exercise,
                 const std::filesystem::path& file, const JudgeOptions& options,
                 std::stop_token stop) {
  try {
    const Compiled compiled = compile_plain(exercise, file, folder, stop);
    if (!compiled.ok)
      return verdict_without_trials(exercise, Outcome::does_not_compile, compiled.output);
    Verdict verdict = judge(
        exercise, [&] { return start_runner(compiled.program, stop); }, options);
    verdict.compiler_output = compiled.output;
    return verdict;
  } catch (const tools::TooSlow&) {
    return verdict_without_trials(exercise, Outcome::does_not_compile,
                                  "The compiler has not ended after a minute.\n");
  }
}

}  // namespace

Verdict check_text(const Exercise& exercise, const std::string& text, const std::string& name,
                   const JudgeOptions& options, std::stop_token stop) {
  const tools::TemporaryFolder folder("course check");
  const std::filesystem::path file =
      folder.write(name.ends_with(".cu") ? name : name + ".cu", text);
  Verdict verdict = check_in(folder.path(), exercise, file, options, stop);
  if (stop.stop_requested()) throw tools::Cancelled();
  return verdict;
}

}  // namespace coursework
