/// Attacks are refused, or end, with the reason named; honest submissions give the results and the
/// counters that they give unconfined. A file's first comment says what is expected of it:
///
///     // kind: uncounted access       of attack
///     // rule: include                it is refused by this rule ...
///     // says: passwd                 ... with this in the message
///     // run: a load that is not      it compiles; its run says this
///     // shared: 1024                 bytes of dynamic shared memory
///
/// Runs, which take the most, are a few of each kind unless COURSE_LONG_TESTS is 1.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "tools/coursework/confine/confine.hpp"
#include "tools/support/subprocess.hpp"

namespace {

namespace fs = std::filesystem;
using namespace coursework::confine;

const fs::path kCorpus = fs::path(COURSE_SOURCE_DIR) / "tests" / "tools" / "coursework";
constexpr const char* kKernel = "void kernel(int n, const float* in, float* out)";

/// What stands behind `// word: ` in the file's first lines.
std::string said(const std::string& text, const std::string& word) {
  const std::string mark = "// " + word + ": ";
  const std::size_t begin = text.find(mark);
  if (begin == text.npos) return {};
  return text.substr(begin + mark.size(), text.find('\n', begin) - begin - mark.size());
}

struct Outcome {
  ConfinedObject compiled;
  std::string confined, plain;  ///< what the runs said
};

class Trial {
 public:
  explicit Trial(const fs::path& file) : name_(file.filename()) {
    text_ = tools::read_file(file);
    const std::string here = "@COURSE@";
    if (const std::size_t at = text_.find(here); at != text_.npos)
      text_.replace(at, here.size(), COURSE_SOURCE_DIR);
    folder_.write(name_, text_);
  }
  const std::string& text() const { return text_; }

  ConfinedObject compile() const {
    return compile_confined({folder_.path() / name_, {kKernel}, folder_.path() / "confined", {}});
  }
  std::string run_confined(const ConfinedObject& compiled) const {
    std::vector<std::string> inputs = {compiled.object.string()};
    for (const fs::path& library : link_inputs()) inputs.push_back(library.string());
    return run("confined_program", inputs);
  }
  std::string run_plain() const {
    const std::string object = (folder_.path() / "plain.o").string();
    const auto compiled =
        tools::run_command({COURSE_NVCC, "-c", (folder_.path() / name_).string(), "-o", object});
    if (compiled.status != 0) return compiled.err;
    return run("plain_program", {object, link_inputs().front().string()});
  }

 private:
  std::string run(const std::string& name, const std::vector<std::string>& inputs) const {
    const std::string program = (folder_.path() / name).string();
    std::vector<std::string> link = {COURSE_NVCC, COURSE_TRIAL_OBJECT};
    link.insert(link.end(), inputs.begin(), inputs.end());
    link.insert(link.end(), {"-o", program});
    const auto linked = tools::run_command(link);
    if (linked.status != 0) return linked.err;
    const std::string shared = said(text_, "shared");
    const auto ran =
        tools::run_command({program, "1000", "8", "128", shared.empty() ? "0" : shared, "1"});
    // What the kernel itself prints comes first, and is not printed by a confined one.
    const std::size_t begin = ran.out.find("error ");
    return begin == ran.out.npos ? ran.out + ran.err : ran.out.substr(begin);
  }

  fs::path name_;
  std::string text_;
  tools::TemporaryFolder folder_;
};

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kCorpus / folder))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Results in the order of the files; two at a time.
template <class Result>
std::vector<Result> for_all(const std::vector<fs::path>& files,
                            const std::function<Result(const fs::path&)>& work) {
  std::vector<Result> results(files.size());
  std::atomic<std::size_t> next{0};
  const auto worker = [&] {
    for (std::size_t i; (i = next++) < files.size();) results[i] = work(files[i]);
  };
  auto other = std::async(std::launch::async, worker);
  worker();
  other.get();
  return results;
}

/// Every third or so, the same ones always.
std::vector<fs::path> some_of(std::vector<fs::path> files, std::size_t every) {
  if (test_support::is_long_run()) return files;
  std::vector<fs::path> some;
  for (std::size_t i = 0; i < files.size(); i += every) some.push_back(files[i]);
  return some;
}

bool is_run(const fs::path& file) { return !said(tools::read_file(file), "run").empty(); }

std::string answer_of(const ConfinedObject& compiled) {
  if (compiled.refusal)
    return compiled.refusal->rule + ", line " + std::to_string(compiled.refusal->line) + ": " +
           compiled.refusal->message;
  return compiled.compiles ? "compiles" : compiled.compiler_output;
}

}  // namespace

TEST_CASE("an attack that a rule refuses is refused by that rule, with the reason and the line") {
  std::vector<fs::path> files = files_in("attacks");
  files.erase(std::remove_if(files.begin(), files.end(), is_run), files.end());
  CHECK(files.size() >= 50);
  const auto answers =
      for_all<ConfinedObject>(files, [](const fs::path& file) { return Trial(file).compile(); });
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string text = tools::read_file(files[i]);
    CAPTURE(files[i].filename().string());
    CAPTURE(answer_of(answers[i]));
    REQUIRE(answers[i].refusal.has_value());
    CHECK(answers[i].refusal->rule == said(text, "rule"));
    CHECK(answers[i].refusal->message.find(said(text, "says")) != std::string::npos);
    if (answers[i].refusal->rule != "kernel-missing") CHECK(answers[i].refusal->line > 2);
  }
}

TEST_CASE("an attack that only a run can tell ends with its reason, or comes to nothing") {
  std::vector<fs::path> files = files_in("attacks");
  files.erase(std::remove_if(files.begin(), files.end(), std::not_fn(is_run)), files.end());
  CHECK(files.size() >= 16);
  files = some_of(files, 3);
  const auto outcomes = for_all<Outcome>(files, [](const fs::path& file) {
    const Trial trial(file);
    Outcome outcome{trial.compile(), {}, {}};
    if (outcome.compiled.ok()) outcome.confined = trial.run_confined(outcome.compiled);
    return outcome;
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    CAPTURE(files[i].filename().string());
    CAPTURE(answer_of(outcomes[i].compiled));
    CAPTURE(outcomes[i].confined);
    const std::string wanted = said(tools::read_file(files[i]), "run");
    CHECK(outcomes[i].confined.find(wanted) != std::string::npos);
  }
}

TEST_CASE("honest submissions give the results, counters and findings that they give unconfined") {
  const std::vector<fs::path> all = files_in("honest");
  CHECK(all.size() >= 19);
  const std::vector<fs::path> files = some_of(all, 4);
  const auto outcomes = for_all<Outcome>(files, [](const fs::path& file) {
    const Trial trial(file);
    Outcome outcome{trial.compile(), {}, {}};
    if (!outcome.compiled.ok()) return outcome;
    outcome.confined = trial.run_confined(outcome.compiled);
    outcome.plain = trial.run_plain();
    return outcome;
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    CAPTURE(files[i].filename().string());
    CAPTURE(answer_of(outcomes[i].compiled));
    CHECK(outcomes[i].compiled.ok());
    CHECK(outcomes[i].confined.starts_with("error cudaSuccess\nout 1000 floats"));
    CHECK(outcomes[i].confined == outcomes[i].plain);
  }
}
