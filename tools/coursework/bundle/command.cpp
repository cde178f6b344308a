/// coursework bundle gradescope|classroom50|github CHAPTER... --out PLACE
///
/// On the platform, the bundle runs `coursework bundle grade` for each submission.

#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "tools/coursework/bundle/bundle.hpp"
#include "tools/coursework/bundle/grade_submission.hpp"
#include "tools/coursework/bundle/results.hpp"
#include "tools/coursework/command.hpp"
#include "tools/coursework/handout/handout.hpp"
#include "tools/coursework/handout/repository.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework::bundle_command {
namespace {

namespace fs = std::filesystem;

std::uint64_t fresh_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32 | device()) | 1;  // 0 means no seed
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + file.string());
}

// --- making a bundle ---------------------------------------------------------------------------

struct MakeOptions {
  std::string platform;
  std::vector<std::string> words;
  std::string out;
  std::vector<std::string> visibility;  ///< "loads=after_due_date"
  int minutes = 0;
  std::uint64_t seed = 0;
};

BundleSettings settings_of(const MakeOptions& options, const fs::path& root) {
  BundleSettings settings;
  const auto exercises = exercises_named(read_exercises(root), options.words);
  for (const Exercise& one : exercises) settings.exercises.push_back(one.id);
  for (const std::string& one : options.visibility) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos)
      throw std::runtime_error("--visibility takes REQUIREMENT=WHEN, not '" + one + "'");
    settings.visibility[one.substr(0, equals)] = one.substr(equals + 1);
  }
  settings.minutes = options.minutes == 0 ? minutes_for(exercises) : options.minutes;
  settings.seed = options.seed;
  check_settings(settings, exercises);
  return settings;
}

/// Writes a ZIP file for Gradescope. git packs it, so equal files give equal bytes.
void pack(const ExtractedFiles& files, const fs::path& zip) {
  const tools::TemporaryFolder folder("course bundle");
  write_files(files, folder.path());
  commit_everything(folder.path(), "Autograder");
  archive_commit(folder.path(), zip);
}

/// Checks that the workflow will find the exercises that it grades.
void require_handout(const fs::path& folder, const BundleSettings& settings) {
  if (!fs::exists(folder / "handout.json"))
    throw std::runtime_error(folder.string() +
                             " is no handout; ./course handout makes one, and commits it");
  for (const Exercise& one :
       exercises_named(read_exercises(tools::source_folder()), settings.exercises))
    if (!fs::exists(folder / "answers" / one.file_name()))
      throw std::runtime_error(folder.string() + " is a handout without the exercise " + one.id);
}

int make_bundle(const MakeOptions& options) {
  const fs::path root = tools::source_folder();
  BundleSettings settings = settings_of(options, root);
  if (options.platform == "gradescope") {
    if (fs::exists(options.out)) throw std::runtime_error(options.out + " is there already");
    // Only instructors can read the seed on the platform.
    if (settings.seed == 0) settings.seed = fresh_seed();
    pack(gradescope_bundle(root, settings), options.out);
    std::cout << options.out << ": set the autograder's time limit to at least "
              << settings.minutes + 1 << " minutes\n";
  } else if (options.platform == "classroom50") {
    require_empty(options.out);
    write_files(classroom50_bundle(root, settings), options.out);
    std::cout << options.out << ": copy its files to CLASSROOM/autograders/ASSIGNMENT\n";
  } else {
    require_handout(options.out, settings);
    const ExtractedFiles files = github_bundle(root, settings);
    for (const auto& [path, file] : files)
      if (fs::exists(options.out / path))
        throw std::runtime_error((options.out / path).string() + " is there already");
    write_files(files, options.out);
    std::cout << (options.out / files.begin()->first).string() << ": commit it to the handout\n";
  }
  return 0;
}

void add_platform(CLI::App& app, const std::string& name, const std::string& description,
                  const std::string& out, std::shared_ptr<MakeOptions> options) {
  CLI::App* platform = app.add_subcommand(name, description);
  platform->add_option("CHAPTER", options->words, "chapters, or exercises such as 02_1")
      ->required();
  platform->add_option("--out", options->out, out)->required();
  platform->callback([options, name] { options->platform = name; });
  if (name == "github") return;
  platform->add_option("--minutes", options->minutes, "for a whole submission");
  platform->add_option("--seed", options->seed, "of sizes and inputs (default: drawn)");
  if (name != "gradescope") return;
  platform->add_option("--visibility", options->visibility,
                       "REQUIREMENT=WHEN: visible, hidden, after_due_date or after_published");
}

// --- on the platform ---------------------------------------------------------------------------

struct GradeOptions {
  std::string platform, bundle, submission, out, feedback;
};

std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

int grade(const GradeOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const BundleSettings settings = read_settings(options.bundle);
  const std::uint64_t seed = settings.seed == 0 ? fresh_seed() : settings.seed;
  std::cout << "course: grading with seed " << seed << "\n";
  const auto exercises =
      exercises_named(read_exercises(tools::source_folder()), settings.exercises);
  const bool is_classroom50 = options.platform == "classroom50";
  // Check the environment before minutes of grading: the runner may not name the submission.
  const auto from = is_classroom50 ? classroom50_submission() : Classroom50Submission();
  const auto graded = grade_submission(exercises, options.submission, seed);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  write_text(options.out,
             text_of(is_classroom50 ? classroom50_result(graded, from, now_in_utc())
                                    : gradescope_results(graded, settings, took.count())));
  if (!options.feedback.empty()) write_text(options.feedback, feedback_page(graded));
  return 0;
}

void add_grade(CLI::App& app, std::shared_ptr<GradeOptions> options) {
  CLI::App* grade = app.add_subcommand("grade", "what a bundle calls on its platform");
  grade->add_option("PLATFORM", options->platform)
      ->required()
      ->check(CLI::IsMember({"gradescope", "classroom50"}));
  grade->add_option("--bundle", options->bundle, "bundle.json")->required();
  grade->add_option("--submission", options->submission, "what was handed in")->required();
  grade->add_option("--out", options->out, "the platform's JSON")->required();
  grade->add_option("--feedback", options->feedback, "the verdicts as Markdown");
}

// --- before the first submission ---------------------------------------------------------------

struct TryOptions {
  std::string bundle, starters;
};

/// Grades the starters, which must compile. A grader that cannot compile them would blame every
/// student.
int try_grader(const TryOptions& options) {
  const BundleSettings settings = read_settings(options.bundle);
  const auto exercises =
      exercises_named(read_exercises(tools::source_folder()), settings.exercises);
  for (const auto& one : grade_submission(exercises, options.starters, fresh_seed())) {
    const std::string id = one.at("exercise"), outcome = one.at("outcome");
    if (outcome == "points") continue;
    std::cerr << text_of(one);
    throw std::runtime_error("the grader does not work: to it, the starter of " + id + " is \"" +
                             outcome + "\"");
  }
  return 0;
}

void add_try(CLI::App& app, std::shared_ptr<TryOptions> options) {
  CLI::App* command = app.add_subcommand("try", "what a bundle calls before the first submission");
  command->add_option("--bundle", options->bundle, "bundle.json")->required();
  command->add_option("--starters", options->starters, "a folder with every starter")->required();
}

Action add(CLI::App& app) {
  const auto making = std::make_shared<MakeOptions>();
  const auto grading = std::make_shared<GradeOptions>();
  const auto trying = std::make_shared<TryOptions>();
  app.require_subcommand(1);
  add_platform(app, "gradescope", "an autograder for Gradescope", "a ZIP file", making);
  add_platform(app, "classroom50", "an autograder for Classroom 50", "an empty folder", making);
  add_platform(app, "github", "a workflow that checks answers", "a handout", making);
  add_grade(app, grading);
  add_try(app, trying);
  return [making, grading, trying] {
    if (!trying->bundle.empty()) return try_grader(*trying);
    return making->platform.empty() ? grade(*grading) : make_bundle(*making);
  };
}

const Command command("bundle", "make what a platform grades with", add);

}  // namespace
}  // namespace coursework::bundle_command
