#include "tools/coursework/grade/workers.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <thread>

#include "tools/support/subprocess.hpp"

using namespace coursework;
using json = nlohmann::ordered_json;

namespace {

WorkerOptions workers(int number, std::chrono::milliseconds limit = std::chrono::seconds(60)) {
  WorkerOptions options;
  options.workers = number;
  options.time_limit = limit;
  return options;
}

std::map<std::size_t, TaskResult> results_of(std::size_t count, const WorkerOptions& options,
                                             const std::function<json(std::size_t)>& work) {
  std::map<std::size_t, TaskResult> results;
  work_in_parallel(
      count, options, work,
      [&](const TaskResult& one) {
        CHECK_FALSE(results.contains(one.task));
        results[one.task] = one;
      },
      [] {});
  return results;
}

/// Returns true in the first process that calls it.
bool is_first(const std::filesystem::path& mark) { return std::filesystem::create_directory(mark); }

}  // namespace

TEST_CASE("every task is done once, by however many workers") {
  for (const int number : {1, 3, 50}) {
    const auto results = results_of(20, workers(number), [](std::size_t task) {
      return json{{"square", task * task}, {"process", getpid()}};
    });
    REQUIRE(results.size() == 20);
    for (const auto& [task, one] : results) {
      CHECK(one.fault.empty());
      CHECK(one.result.at("square") == task * task);
      CHECK(one.result.at("process") != getpid());
    }
  }
  CHECK(results_of(0, workers(2), [](std::size_t) { return json(); }).empty());
}

TEST_CASE("a task whose worker dies or throws is done once more") {
  const tools::TemporaryFolder folder;
  const auto results = results_of(6, workers(2), [&](std::size_t task) {
    const bool first = is_first(folder.path() / std::to_string(task));
    if (task == 1 && first) raise(SIGKILL);
    if (task == 2 && first) throw std::runtime_error("once");
    if (task == 3 && first) _exit(0);
    return json{{"task", task}};
  });
  REQUIRE(results.size() == 6);
  for (const auto& [task, one] : results) {
    CAPTURE(task);
    CHECK(one.fault.empty());
  }
}

TEST_CASE("a task that never goes well is a fault that says why, and the rest is done") {
  const auto results =
      results_of(5, workers(2, std::chrono::milliseconds(300)), [](std::size_t task) {
        if (task == 1) raise(SIGKILL);
        if (task == 2) throw std::runtime_error("always");
        if (task == 3) std::this_thread::sleep_for(std::chrono::seconds(100));
        return json{{"task", task}};
      });
  REQUIRE(results.size() == 5);
  CHECK(results.at(0).fault.empty());
  CHECK(results.at(1).fault.find("Killed") != std::string::npos);
  CHECK(results.at(2).fault == "always");
  CHECK(results.at(3).fault.find("did not come to an end") != std::string::npos);
  CHECK(results.at(4).fault.empty());
}

TEST_CASE("workers end with the process that started them, however that ends") {
  const tools::TemporaryFolder folder;
  const pid_t parent = fork();
  if (parent == 0) {
    work_in_parallel(
        2, workers(2),
        [&](std::size_t task) {
          folder.write(std::to_string(task), std::to_string(getpid()));
          std::this_thread::sleep_for(std::chrono::seconds(100));
          return json();
        },
        [](const TaskResult&) {}, [] {});
    _exit(0);
  }
  const auto worker = [&](const char* name) {
    const auto file = folder.path() / name;
    for (;;) {
      if (std::filesystem::exists(file) && !tools::read_file(file).empty())
        return static_cast<pid_t>(std::stol(tools::read_file(file)));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  };
  const pid_t one = worker("0"), other = worker("1");
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  // Returns whether a process has ended; a zombie counts, although its id still exists.
  const auto is_gone = [](pid_t process) {
    const std::string stat = "/proc/" + std::to_string(process) + "/stat";
    if (!std::filesystem::exists(stat)) return true;
    try {
      const std::string text = tools::read_file(stat);
      return text.empty() || text.find(") Z") != std::string::npos;
    } catch (const std::exception&) {
      return true;
    }
  };
  for (const pid_t process : {one, other})
    while (!is_gone(process)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}
