/// Runs hostile programs in the sandbox, with all walls and with some of them missing.
///
/// If run by root, everything runs a second time as an unprivileged user.

#include "tools/coursework/sandbox/sandbox.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tools/support/subprocess.hpp"

using namespace coursework;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr int kBreach = 42;

struct Mode {
  std::string name;
  std::vector<Protection> without;

  bool has(Protection protection) const {
    return std::find(without.begin(), without.end(), protection) == without.end();
  }
};

const std::vector<Protection> kNamespaces = {
    Protection::mount_namespace, Protection::process_namespace, Protection::network_namespace};

/// Returns whether old_container has started this program.
bool in_old_container() { return std::getenv("COURSE_IN_OLD_CONTAINER") != nullptr; }

std::vector<Mode> modes() {
  if (in_old_container()) return {{"what an old container leaves", {}}};
  std::vector<Protection> both = kNamespaces;
  both.push_back(Protection::landlock);
  return {{"everything", {}},
          {"without namespaces", kNamespaces},
          {"without Landlock", {Protection::landlock}},
          {"without both", both}};
}

fs::path program_beside(const char* variable, const char* built) {
  const char* const given = std::getenv(variable);
  return given == nullptr ? fs::path(built) : fs::path(given);
}

/// Returns whether files are protected on this machine in this mode.
bool hides_files(const Mode& mode) {
  const SandboxReport report = sandbox_report(mode.without);
  return std::any_of(report.active.begin(), report.active.end(), [](const std::string& line) {
    return line.rfind("Mount namespace", 0) == 0 || line.rfind("Landlock", 0) == 0;
  });
}

bool is_root() { return geteuid() == 0; }

/// A folder with a submission's folder, another submission's, and a solution.
class Place {
 public:
  Place() : folder_("sandbox") {
    for (fs::path path = folder_.path(); path != fs::temp_directory_path();
         path = path.parent_path()) {
      fs::permissions(path, fs::perms(0755));
    }
    fs::create_directory(work());
    folder_.write("course/solution.cu", "solution\n");
    folder_.write("other/answer.cu", "answer\n");
    fs::permissions(folder_.path() / "other", fs::perms(0700));
    hostile_ = copy_in(program_beside("COURSE_HOSTILE_PROGRAM", COURSE_HOSTILE_PROGRAM), "hostile");
  }

  fs::path work() const { return folder_.path() / "work"; }
  fs::path path(const char* name) const { return folder_.path() / name; }
  fs::path hostile() const { return hostile_; }
  const tools::TemporaryFolder& folder() const { return folder_; }

  fs::path copy_in(const fs::path& file, const char* name) const {
    fs::copy_file(file, path(name));
    fs::permissions(path(name), fs::perms(0755));
    return path(name);
  }

  Policy policy(const Mode& mode, Profile profile = Profile::run) const {
    Policy policy;
    policy.profile = profile;
    policy.executable = system_libraries();
    policy.executable.push_back(hostile_);
    policy.writable = work();
    policy.without = mode.without;
    return policy;
  }

  Result attack(std::vector<std::string> words, const Policy& policy) const {
    words.insert(words.begin(), hostile_.string());
    return run_sandboxed(words, policy);
  }

  /// Returns the number of processes of this place that still exist.
  int left_over() const {
    int count = 0;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      std::ifstream stream(entry.path() / "cmdline");
      std::string command;
      std::getline(stream, command, '\0');
      if (command == hostile_.string()) ++count;
    }
    return count;
  }

 private:
  tools::TemporaryFolder folder_;
  fs::path hostile_;
};

void check_refused(const Result& result) {
  CAPTURE(name_of(result.end));
  CAPTURE(result.status);
  CAPTURE(result.message);
  CAPTURE(result.out);
  CHECK(result.end == End::exited);
  CHECK(result.status == 0);
}

void check_end(const Result& result, End wanted) {
  CAPTURE(result.status);
  CAPTURE(result.message);
  CAPTURE(result.cpu.count());
  CHECK(name_of(result.end) == name_of(wanted));
}

}  // namespace

TEST_CASE("an honest program has threads, memory, its folder and its output") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    const Result result = place.attack({"honest", place.work()}, place.policy(mode));
    CAPTURE(result.message);
    check_end(result, End::exited);
    CHECK(result.status == 7);
    CHECK(result.out == "out\n");
    CHECK(result.err == "err\n");
    CHECK_FALSE(result.output_cut);
    CHECK(result.wall.count() > 0);
    CHECK(result.peak_memory_bytes > 0);
    CHECK(tools::read_file(place.work() / "result.txt") == "2097152\n");
  }
}

TEST_CASE("g++ compiles and links inside, and the program runs") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    place.folder().write("work/hello.cpp",
                         "#include <cstdio>\nint main() { std::puts(\"hello\"); }\n");
    Policy policy = place.policy(mode, Profile::compile);
    policy.executable = system_compiler();
    policy.environment["PATH"] = "/usr/bin:/bin";
    const std::string compiler = COURSE_CXX_COMPILER;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{compiler, "-c", "hello.cpp", "-o", "hello.o"},
          std::vector<std::string>{compiler, "hello.o", "-o", "hello"}}) {
      const Result result = run_sandboxed(words, policy);
      CAPTURE(result.err);
      check_refused(result);
    }
    const fs::path program = place.copy_in(place.work() / "hello", "hello");
    policy = place.policy(mode);
    policy.executable.push_back(program);
    CHECK(run_sandboxed({program.string()}, policy).out == "hello\n");
  }
}

TEST_CASE("a CUDA program runs on several worker threads of the emulator") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    const fs::path program =
        place.copy_in(program_beside("COURSE_KERNEL_PROGRAM", COURSE_KERNEL_PROGRAM), "kernel");
    Policy policy = place.policy(mode);
    policy.executable.push_back(program);
    const Result result = run_sandboxed({program.string()}, policy);
    CAPTURE(result.err);
    check_refused(result);
    CHECK(result.out == "sum 3145728, several threads: yes\n");
  }
}

TEST_CASE("files outside can be neither read nor changed") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    if (!hides_files(mode)) {
      CHECK_FALSE(sandbox_report(mode.without).missing.empty());
      continue;
    }
    const Place place;
    const std::string solution = place.path("course/solution.cu");
    const std::string other = place.path("other/answer.cu");
    const std::string work = place.work();
    const Policy policy = place.policy(mode);
    for (const std::string& file : {std::string("/etc/passwd"), solution, other, work + "/../x",
                                    std::string(COURSE_CXX_COMPILER)}) {
      CAPTURE(file);
      if (file == COURSE_CXX_COMPILER && fs::exists(file)) continue;
      check_refused(place.attack({"read", file}, policy));
    }
    for (const std::string& file : {place.path("new").string(), solution, place.hostile().string(),
                                    other, std::string("/dev/shm/course-sandbox-test")}) {
      CAPTURE(file);
      check_refused(place.attack({"write", file}, policy));
    }
    check_refused(place.attack({"link_out", solution, work}, policy));
    check_refused(place.attack({"rename_out", solution, work}, policy));
    check_refused(place.attack({"replace_folder", work}, policy));
    check_refused(place.attack({"escape_root", "/etc/passwd"}, policy));
    check_refused(place.attack({"execute_written", work, place.hostile()}, policy));
    check_refused(place.attack({"execute", "/usr/bin/env"}, policy));
    CHECK(tools::read_file(solution) == "solution\n");
  }
}

TEST_CASE("outside the sandbox, the hostile program gets what it wants") {
  const Place place;
  const std::string solution = place.path("course/solution.cu");
  const std::string work = place.work();
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"read", solution},
                                             {"write", place.path("new")},
                                             {"socket"},
                                             {"start_process"},
                                             {"link_out", solution, work},
                                             {"rename_out", solution, work},
                                             {"execute_written", work, place.hostile()},
                                             {"replace_folder", work}}) {
    CAPTURE(words.front());
    std::vector<std::string> command = words;
    command.insert(command.begin(), place.hostile());
    CHECK(tools::run_command(command).status == kBreach);
  }
}

TEST_CASE("with no wall around files, those of root are still root's") {
  if (!is_root()) return;
  const Mode mode = modes().back();
  const Place place;
  const std::string solution = place.path("course/solution.cu");
  const Policy policy = place.policy(mode);
  check_refused(place.attack({"read", place.path("other/answer.cu")}, policy));
  check_refused(place.attack({"write", solution}, policy));
  check_refused(place.attack({"link_out", solution, place.work()}, policy));
  check_refused(place.attack({"rename_out", solution, place.work()}, policy));
  check_refused(place.attack({"replace_folder", place.work()}, policy));
  check_refused(place.attack({"is_root"}, policy));
}

TEST_CASE("whatever it asks of the kernel beyond its own, it is refused") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    const Policy policy = place.policy(mode);
    const std::string judge = std::to_string(getpid());
    static char secret = 's';
    const std::string address = std::to_string(reinterpret_cast<std::uintptr_t>(&secret));
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"socket"},
                                               {"start_process"},
                                               {"forbidden_calls"},
                                               {"trace", judge},
                                               {"read_memory", judge, address},
                                               {"kill_all", judge},
                                               {"signal_by_owner", judge},
                                               {"has_capability"},
                                               {"dump_core"},
                                               {"inherited_descriptors", "0"}}) {
      CAPTURE(words.front());
      const int open_one = open("/dev/null", O_RDONLY);  // neither close-on-exec nor passed on
      check_refused(place.attack(words, policy));
      close(open_one);
    }
    // Most processors have neither gate; on x86-64 the attempt kills the process.
    for (const char* gate : {"old_call_gate", "short_pointers"}) {
      const Result result = place.attack({gate}, policy);
      CHECK((result.end == End::signalled || (result.end == End::exited && result.status == 0)));
    }
    CHECK(place.left_over() == 0);
  }
}

TEST_CASE("a compiler may start processes, and nothing else of it") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    const Policy policy = place.policy(mode, Profile::compile);
    const std::string judge = std::to_string(getpid());
    CHECK(place.attack({"start_process"}, policy).status == kBreach);
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"socket"}, {"forbidden_calls"}, {"trace", judge}, {"kill_all", judge}}) {
      CAPTURE(words.front());
      check_refused(place.attack(words, policy));
    }
  }
}

TEST_CASE("a sealed process opens nothing, whatever else is missing") {
  std::vector<Mode> all = modes();
  all.push_back({"without anything",
                 {Protection::mount_namespace, Protection::process_namespace,
                  Protection::network_namespace, Protection::landlock, Protection::system_calls}});
  for (const Mode& mode : all) {
    CAPTURE(mode.name);
    const Place place;
    Policy policy = place.policy(mode);
    policy.readable = {place.path("course/solution.cu")};
    check_refused(place.attack({"break_seal", place.path("course/solution.cu")}, policy));
  }
}

TEST_CASE("a program that would run as root does not") {
  if (!is_root()) return;
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    const fs::path program = place.copy_in(place.hostile(), "setuid");
    fs::permissions(program, fs::perms(06755));
    Policy policy = place.policy(mode);
    policy.executable.push_back(program);
    check_refused(run_sandboxed({program.string(), "is_root"}, policy));
    check_refused(place.attack({"execute", program, "is_root"}, policy));
    check_refused(place.attack({"execute", program, "has_capability"}, policy));
  }
}

TEST_CASE("limits: each is told by its name, and nothing is left") {
  struct Case {
    std::string attack;
    Profile profile;
    End end;
  };
  for (const Mode& mode : modes()) {
    for (const Case& c : {Case{"cpu_loop", Profile::run, End::cpu_limit},
                          Case{"many_cpu_loops", Profile::compile, End::cpu_limit},
                          Case{"memory_bomb", Profile::run, End::memory_limit},
                          Case{"shared_memory_bomb", Profile::run, End::memory_limit},
                          Case{"many_memory_bombs", Profile::compile, End::memory_limit},
                          Case{"fork_bomb", Profile::compile, End::process_limit},
                          Case{"thread_fork_bomb", Profile::compile, End::process_limit},
                          Case{"sleep", Profile::run, End::wall_limit},
                          Case{"ignore_signals", Profile::run, End::wall_limit}}) {
      CAPTURE(mode.name);
      CAPTURE(c.attack);
      const Place place;
      Policy policy = place.policy(mode, c.profile);
      policy.limits.memory_bytes = std::uint64_t{c.end == End::process_limit ? 4096U : 96U} << 20;
      policy.limits.processes = 32;
      policy.limits.cpu = c.end == End::cpu_limit ? 100ms : 60'000ms;
      policy.limits.wall = c.end == End::wall_limit ? 60ms : 60'000ms;
      const Result result = place.attack({c.attack}, policy);
      check_end(result, c.end);
      if (c.end == End::memory_limit) CHECK(result.peak_memory_bytes > policy.limits.memory_bytes);
      if (c.end == End::cpu_limit) CHECK(result.cpu >= policy.limits.cpu);
      CHECK(place.left_over() == 0);
    }
  }
}

TEST_CASE("a daemon ends with its parent") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    const fs::path file = place.work() / "alive";
    check_refused(place.attack({"daemon", file}, place.policy(mode, Profile::compile)));
    CHECK(place.left_over() == 0);
  }
}

TEST_CASE("output beyond the limit is read and dropped") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    Policy policy = place.policy(mode);
    policy.limits.output_bytes = 1000;
    const Result result = place.attack({"flood_output"}, policy);
    check_refused(result);
    CHECK(result.out == std::string(1000, 'x'));
    CHECK(result.err == std::string(1000, 'x'));
    CHECK(result.output_cut);
  }
}

TEST_CASE("files cannot grow without end") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    Policy policy = place.policy(mode);
    policy.limits.file_bytes = std::uint64_t{4} << 20;
    check_refused(place.attack({"large_file", place.work() / "large", "4"}, policy));

    policy.limits.folder_bytes = std::uint64_t{16} << 20;
    policy.limits.wall = 60s;
    const Result result = place.attack({"many_files", place.work(), "1000000"}, policy);
    if (result.end == End::exited) {
      check_refused(result);
    } else {
      check_end(result, End::folder_limit);
    }
  }
}

TEST_CASE("folders and files of the writable folder come in and go out, links do not") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    place.folder().write("work/a/b/in.txt", "in\n");
    fs::permissions(place.work() / "a", fs::perms(0777));
    fs::permissions(place.work() / "a/b", fs::perms(0777));
    place.folder().write_program("work/same.txt", "old\n");
    Policy policy = place.policy(mode, Profile::compile);
    policy.executable = system_compiler();
    const Result result =
        run_sandboxed({"/bin/sh", "-c",
                       "set -e; read word <a/b/in.txt; echo $word out >a/b/out.txt; rm same.txt; "
                       "echo new >same.txt; ln -s /etc/passwd link 2>/dev/null || echo no link"},
                      policy);
    CAPTURE(result.err);
    check_end(result, End::exited);
    CHECK(result.out == "no link\n");
    CHECK(tools::read_file(place.work() / "a/b/out.txt") == "in out\n");
    CHECK(tools::read_file(place.work() / "same.txt") == "new\n");
    CHECK_FALSE(fs::is_symlink(place.work() / "link"));
  }
}

TEST_CASE("folders that were locked can be removed, and no program is left that runs as another") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    Policy policy = place.policy(mode, Profile::compile);
    policy.executable = system_compiler();
    const Result result = run_sandboxed(
        {"/bin/sh", "-c",
         "mkdir -p a/b; echo x >a/b/file; chmod 6755 a/b/file; chmod 0 a/b; chmod 0 a; chmod 0 ."},
        policy);
    // A keeper that cannot read the folder counts it as full.
    if (result.end != End::folder_limit) check_refused(result);
    std::error_code error;
    const fs::perms perms = fs::status(place.work() / "a/b/file", error).permissions();
    if (!error) CHECK((perms & (fs::perms::set_uid | fs::perms::set_gid)) == fs::perms::none);
    fs::remove_all(place.work(), error);
    CHECK_FALSE(error);
  }
}

TEST_CASE("a crash, closed descriptors and an empty environment") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    Policy policy = place.policy(mode);
    const Result crash = place.attack({"crash"}, policy);
    check_end(crash, End::signalled);
    CHECK(crash.status == SIGABRT);
    check_refused(place.attack({"close_everything"}, policy));
    policy.environment["WORD"] = "a b";
    CHECK(place.attack({"environment"}, policy).out ==
          "HOME=" + place.work().string() + "\nTMPDIR=" + place.work().string() + "\nWORD=a b\n");
  }
}

TEST_CASE("a caller talks to the command over pipes while it runs") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    std::array<int, 2> to{}, from{};
    REQUIRE(pipe2(to.data(), O_CLOEXEC) == 0);
    REQUIRE(pipe2(from.data(), O_CLOEXEC) == 0);
    Policy policy = place.policy(mode);
    policy.descriptors = {{3, to[0]}, {4, from[1]}};
    Sandboxed command({place.hostile().string(), "echo"}, policy);
    close(to[0]);
    close(from[1]);
    char byte = 0;
    CHECK(write(to[1], "x", 1) == 1);
    CHECK(read(from[0], &byte, 1) == 1);
    CHECK(byte == 'x');
    CHECK_FALSE(command.wait_until(std::chrono::steady_clock::now() + 5ms).has_value());
    SUBCASE("it ends when its input does") {
      close(std::exchange(to[1], -1));
      CHECK(read(from[0], &byte, 1) == 0);
      check_refused(command.wait());
    }
    SUBCASE("it is killed, and the broken pipe harms nobody") {
      command.kill();
      check_end(command.wait(), End::killed);
      CHECK(write(to[1], "x", 1) == -1);
      CHECK(errno == EPIPE);
    }
    if (to[1] >= 0) close(to[1]);
    close(from[0]);
    CHECK(place.left_over() == 0);
  }
}

TEST_CASE("a caller that dies takes the command along") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    const pid_t caller = fork();
    if (caller == 0) {
      Sandboxed command({place.hostile().string(), "sleep"}, place.policy(mode));
      while (place.left_over() == 0) std::this_thread::sleep_for(1ms);
      _exit(0);
    }
    CHECK(waitpid(caller, nullptr, 0) == caller);
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (place.left_over() > 0 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(2ms);
    }
    CHECK(place.left_over() == 0);
  }
}

TEST_CASE("several at a time, from several threads") {
  constexpr int kThreads = 6;
  std::array<Result, kThreads> results;
  std::vector<std::thread> threads;
  const Place shared;
  for (Result& result : results) {
    threads.emplace_back([&result, &shared, i = &result - results.data()] {
      Policy policy = shared.policy(modes().front());
      policy.writable = shared.path(("work" + std::to_string(i)).c_str());
      fs::create_directory(policy.writable);
      for (int turn = 0; turn < 3; ++turn) {
        result = shared.attack({"honest", policy.writable}, policy);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Result& result : results) CHECK(result.status == 7);
  CHECK(shared.left_over() == 0);
}

TEST_CASE("what cannot be meant is refused before anything starts") {
  const Place place;
  Policy policy = place.policy(modes().front());
  CHECK_THROWS_AS(run_sandboxed({}, policy), std::invalid_argument);
  CHECK_THROWS_AS(run_sandboxed({"true"}, policy), std::invalid_argument);
  policy.readable = {place.path("none")};
  CHECK_THROWS_AS(place.attack({"honest"}, policy), std::invalid_argument);
  policy.readable = {"etc"};
  CHECK_THROWS_AS(place.attack({"honest"}, policy), std::invalid_argument);
  policy.readable.clear();
  policy.descriptors = {{1, 0}};
  CHECK_THROWS_AS(place.attack({"honest"}, policy), std::invalid_argument);
}

TEST_CASE("a program that cannot be executed could not start, and the message says which") {
  for (const Mode& mode : modes()) {
    CAPTURE(mode.name);
    const Place place;
    const Result result = run_sandboxed({place.path("course/solution.cu")}, place.policy(mode));
    check_end(result, End::could_not_start);
    CHECK(result.message.find("solution.cu") != std::string::npos);
  }
}

TEST_CASE("the report names what is missing") {
  const SandboxReport full = sandbox_report();
  for (const Mode& mode : modes()) {
    const SandboxReport report = sandbox_report(mode.without);
    CHECK(report.active.size() + report.missing.size() == full.active.size() + full.missing.size());
    CHECK(report.missing.size() >= full.missing.size());
  }
  const auto without_list = sandbox_report({Protection::system_calls}).missing;
  CHECK(std::any_of(without_list.begin(), without_list.end(), [](const std::string& line) {
    return line.rfind("No list of system calls", 0) == 0;
  }));
  CHECK(sandbox_report(modes().back().without).missing.front().find("can read") !=
        std::string::npos);
}

namespace {

/// Runs these tests again, started by another program.
tools::CommandResult run_again(std::vector<std::string> command) {
  const Place place;
  const fs::path tests = place.copy_in("/proc/self/exe", "tests");
  const fs::path kernel = place.copy_in(COURSE_KERNEL_PROGRAM, "kernel");
  const fs::path container = place.copy_in(COURSE_OLD_CONTAINER, "container");
  tools::CommandOptions options;
  options.environment = {{"COURSE_HOSTILE_PROGRAM", place.hostile().string()},
                         {"COURSE_KERNEL_PROGRAM", kernel.string()}};
  options.directory = place.folder().path();
  for (std::string& word : command) {
    if (word != COURSE_OLD_CONTAINER) continue;
    word = container;
    options.environment["COURSE_IN_OLD_CONTAINER"] = "yes";
  }
  command.insert(command.end(), {tests.string(), "--test-case-exclude=*run again*"});
  return tools::run_command(command, options);
}

const std::vector<std::string> kAsNobody = {"setpriv", "--reuid=65534", "--regid=65534",
                                            "--clear-groups"};

}  // namespace

TEST_CASE("run again by a user without rights, all of this holds") {
  if (!is_root()) return;
  const tools::CommandResult result = run_again(kAsNobody);
  CHECK_MESSAGE(result.status == 0, result.out, result.err);
}

TEST_CASE("run again in an old container, what is left of it holds") {
  // Here the kernel itself refuses the walls.
  std::vector<std::vector<std::string>> commands = {{COURSE_OLD_CONTAINER}};
  if (is_root()) {
    commands.push_back(kAsNobody);
    commands.back().emplace_back(COURSE_OLD_CONTAINER);
  }
  for (const std::vector<std::string>& command : commands) {
    const tools::CommandResult result = run_again(command);
    CHECK_MESSAGE(result.status == 0, result.out, result.err);
  }
}

TEST_CASE("in an old container, the report says so") {
  if (!in_old_container()) return;
  std::string missing;
  for (const std::string& line : sandbox_report().missing) missing += line + "\n";
  for (const char* wall :
       {"No mount namespace and no Landlock", "No process namespace", "No network namespace"}) {
    CHECK(missing.find(wall) != std::string::npos);
  }
}
