#include "emulator/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <thread>
#include <unordered_map>

#include "emulator/memory.h"
#include "engine/check/attempt.hpp"
#include "engine/check/check_host.hpp"
#include "engine/check/checker.hpp"
#include "engine/check/findings.hpp"
#include "engine/check/schedules.hpp"
#include "engine/program/kernel_name.hpp"
#include "engine/program/modules.hpp"
#include "engine/report/exit_report.hpp"
#include "engine/report/profile.hpp"
#include "engine/report/request_trace.hpp"
#include "engine/run/builtins.hpp"
#include "engine/run/division.hpp"
#include "engine/run/extents.hpp"
#include "engine/run/faults.hpp"
#include "engine/run/grid_queue.hpp"
#include "engine/run/host_pointers.hpp"
#include "engine/run/queue.hpp"
#include "engine/run/refusal.hpp"
#include "engine/run/task_parameters.hpp"
#include "engine/run/worker.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

/// Launches of the host whose kernels are about to be called, the innermost last.
thread_local std::vector<Configuration> pending;

/// The same for a lane. While it waits before the call, other lanes run.
struct LanesLaunch {
  const Block* block;
  unsigned thread;
  Configuration configuration;
};
thread_local std::vector<LanesLaunch> pending_of_lanes;

// Set while a kernel is called only to report its bounds.
thread_local KernelBounds* asked = nullptr;

std::mutex launch_mutex;  // one kernel at a time, as on one stream
// Created on first use, because a static object of the program may launch a kernel, and never
// destroyed, because a kernel may run until the very end.
LaunchRecord& newest() {
  static LaunchRecord& record = *new LaunchRecord;
  return record;
}
std::string& failure_text() {
  static std::string& text = *new std::string;
  return text;
}
bool any_launch = false;
Counters counted_so_far;

/// Worker threads that help the thread which launches a kernel.
class Helpers {
 public:
  static Helpers& all() {
    static Helpers& helpers = *new Helpers;  // never destroyed: its threads may outlive main
    return helpers;
  }

  /// Runs the launch on the calling thread and on up to `helpers` more threads.
  void run(const Launch& launch, unsigned helpers, Counters& total,
           std::vector<AccessSiteCounters>& sites, std::atomic<bool>& stop) {
    Crew crew(launch, helpers + 1, stop);
    if (helpers > 0) {
      const std::lock_guard lock(mutex_);
      while (threads_ < helpers) {
        std::thread([this, index = threads_] { work(index); }).detach();
        ++threads_;
      }
      job_ = {&launch, &crew, &total, &sites};
      wanted_ = helpers;
      active_ = helpers;
      ++generation_;
      wake_.notify_all();
    }
    Worker::mine().run(launch, crew);
    {
      std::unique_lock lock(mutex_);
      Worker::mine().take_counters(total, sites);
      if (helpers > 0) done_.wait(lock, [this] { return active_ == 0; });
    }
  }

 private:
  struct Job {
    const Launch* launch = nullptr;
    Crew* crew = nullptr;
    Counters* total = nullptr;
    std::vector<AccessSiteCounters>* sites = nullptr;
  };

  void work(unsigned index) {
    launch_is_pending = kIsLane;
    std::uint64_t last_generation = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return generation_ != last_generation; });
      last_generation = generation_;
      if (index >= wanted_) continue;
      const Job job = job_;
      lock.unlock();
      Worker::mine().run(*job.launch, *job.crew);
      lock.lock();
      Worker::mine().take_counters(*job.total, *job.sites);
      if (--active_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  Job job_;
  unsigned threads_ = 0, wanted_ = 0, active_ = 0;
  std::uint64_t generation_ = 0;
};

// Set by the first block that fails, read when the launch is over.
std::atomic<bool> failed{false};
std::mutex failure_mutex;
cudaError_t failure = cudaSuccess;

std::string encoding_from(const std::type_info& body) {
  std::string name = body.name();  // a lambda in the kernel: Z<encoding>EUlvE_
  if (!name.empty() && name.front() == '*') name.erase(0, 1);
  const std::size_t end = name.rfind("EUl");
  if (name.size() < 2 || name.front() != 'Z' || end == std::string::npos) return {};
  return name.substr(1, end - 1);
}

std::size_t total_bytes(const std::vector<SharedVariable>& variables) {
  return std::accumulate(
      variables.begin(), variables.end(), std::size_t{0},
      [](std::size_t sum, const SharedVariable& variable) { return sum + variable.bytes; });
}

/// Returns the shared memory that a block's contents consist of: the variables that the kernel may
/// touch, and the compiler's guards of their constructors.
std::vector<SharedVariable> visible_storage(const std::string& encoding, const void* code) {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  shared_storage(begin, bytes);
  std::vector<SharedVariable> storage;
  for (const auto& variables : {visible_shared_variables(encoding, code), shared_guards(code)})
    for (const NamedVariable& variable : variables)
      storage.push_back({variable.begin - begin, variable.bytes});
  return storage;
}

struct KernelFacts {
  std::string name, signature, encoding;
  std::vector<SharedVariable> shared_variables, visible_variables;
  const void* address = nullptr;
  std::uint64_t launches = 0;  // launches that were not counted
};

/// The names that a launch is given of its kernel.
struct KernelName {
  const char* unique;       // unique in the program or the module
  std::string encoding;     // mangled, without _Z; empty if unknown
  const char* pretty_name;  // readable, where there is no encoding
  const void* code;         // where it is compiled
};

KernelFacts& facts_of(const KernelName& name) {
  static auto& all = *new std::map<const void*, std::unordered_map<std::string, KernelFacts>>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = all[module_of(name.code)].try_emplace(name.unique);
  if (is_new) {
    KernelFacts& facts = entry->second;
    const std::string& encoding = name.encoding;
    facts.signature = demangled(encoding, name.pretty_name);
    facts.encoding = encoding;
    facts.name = short_name(facts.signature);
    facts.shared_variables = shared_variables_of(encoding, name.code);
    facts.visible_variables = visible_storage(encoding, name.code);
    facts.address = function_with_encoding(encoding, name.code);
  }
  return entry->second;
}

/// Returns whether the first block of a launch that is not counted should be watched for
/// unsynchronised reads. Of a kernel that is launched often, fewer and fewer launches are.
bool should_watch_first_block(const Launch& launch, std::uint64_t launches) {
  constexpr std::uint64_t kFirst = 8;
  const bool has_shared_memory =
      launch.dynamic_shared_bytes != 0 || !launch.visible_variables->empty();
  return has_shared_memory && (launches <= kFirst || std::has_single_bit(launches)) &&
         Worker::may_warn();
}

bool has_vectors() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
#else
  return true;
#endif
}

/// Returns whether a launch may use the block form: its accesses are not counted, its order of
/// threads is the usual one, and no block waits for another.
bool may_use_block_form(const Launch& launch) {
  const uint3& grid = launch.grid;
  const unsigned longest = std::max({grid.x, grid.y, grid.z});
  return !launch.counted && !launch.has_turns() && launch.seed == 0 && !launch.has_clusters &&
         !launch.cooperative && longest <= detail::kMostBlocksInLine && has_vectors();
}

void merge_sites(std::vector<AccessSiteCounters>& sites) {
  std::sort(sites.begin(), sites.end(),
            [](const AccessSiteCounters& a, const AccessSiteCounters& b) {
              return a.program_counter < b.program_counter;
            });
  std::vector<AccessSiteCounters> merged;
  for (AccessSiteCounters& site : sites) {
    if (!merged.empty() && merged.back().program_counter == site.program_counter)
      merged.back().counters += site.counters;
    else
      merged.push_back(site);
  }
  sites = std::move(merged);
}

bool launch_kernel(const KernelName& name, const detail::Forms& forms, void* object,
                   const KernelBounds& bounds);

}  // namespace

void push_launch(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes, cudaStream_t stream) {
  push_launch(Configuration{.grid = grid,
                            .block = block,
                            .dynamic_shared_bytes = dynamic_shared_bytes,
                            .stream = stream,
                            .call_site = __builtin_return_address(0)});
}

void push_launch(const Configuration& configuration) {
  const Unrecorded unrecorded;
  if (in_kernel()) {
    const Worker& worker = *Worker::running();
    pending_of_lanes.push_back({&worker.block(), worker.thread(), configuration});
  } else {
    pending.push_back(configuration);
  }
  launch_is_pending = kIsPending;
}

void launched() noexcept {}

void forget_launches_of_lanes() noexcept {
  pending_of_lanes.clear();
  launch_is_pending = kIsLane;
}

bool detail::launch(const char* pretty_name, const std::type_info& body, const Forms& forms,
                    void* object, unsigned max_threads, const uint3& cluster) {
  const Unrecorded unrecorded;
  const KernelBounds bounds{max_threads, cluster};
  if (asked) {
    *std::exchange(asked, nullptr) = bounds;
    return true;
  }
  return launch_kernel({body.name(), encoding_from(body), pretty_name,
                        reinterpret_cast<const void*>(forms.instrumented)},
                       forms, object, bounds);
}

bool detail::launch(const char* encoding, RunLanes run_lanes, void* object) {
  const Unrecorded unrecorded;
  if (asked) {  // a kernel without bounds
    asked = nullptr;
    return true;
  }
  return launch_kernel({encoding, encoding, encoding, reinterpret_cast<const void*>(run_lanes)},
                       {run_lanes, nullptr, nullptr, 0}, object, KernelBounds());
}

namespace {

/// Runs the blocks of a checked launch on several workers, if they turn out not to depend on each
/// other's order.
/// @return false if the launch has yet to run
bool run_at_once(Launch& job, unsigned workers, LaunchRecord& record) {
  if (!job.checked || !Attempt::may_succeed(job, workers)) return false;
  Attempt attempt(job, failed);
  job.attempt = &attempt;
  Helpers::all().run(job, workers - 1, record.counters, record.sites, failed);
  job.attempt = nullptr;
  if (attempt.finish()) return true;
  failed = false;
  job.queue->clear();
  record.counters = {};
  record.sites.clear();
  return false;
}

/// Copies the argument bytes of a kernel, for as long as the launch waits in the queue.
std::shared_ptr<void> copied(const void* object, std::size_t bytes) {
  constexpr std::size_t kAlignment = 128;  // at least as strict as any argument's alignment
  const std::shared_ptr<void> copy(
      std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment),
      std::free);
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy.get(), object, bytes);
  return copy;
}

std::shared_ptr<const TaskParameters> node_parameters(const void* kernel,
                                                      const Configuration& configuration) {
  KernelParameters parameters;
  parameters.launch.func = const_cast<void*>(kernel);
  parameters.launch.gridDim = configuration.grid;
  parameters.launch.blockDim = configuration.block;
  parameters.launch.sharedMemBytes = static_cast<unsigned>(configuration.dynamic_shared_bytes);
  parameters.arguments = copy_arguments(kernel, configuration.arguments);
  return std::make_shared<const TaskParameters>(std::move(parameters));
}

/// A launch that has passed all checks. It runs now or later, and perhaps more than once.
struct AcceptedLaunch {
  KernelFacts* kernel = nullptr;
  Launch job;
  std::shared_ptr<void> arguments;  ///< kept alive while the launch waits

  /// Runs the grid, and then all that its threads have asked for.
  void run() {
    GridQueue queue;
    run_grid(queue);
    if (!queue.empty()) queue.finish();
  }
  /// Runs the grid alone; what its threads ask for goes into `queue`.
  void run_grid(GridQueue& queue);
  /// The same for a grid that a kernel has launched. If it may use memory of that kernel's thread,
  /// it runs in a thread of its own, to which such memory is the host's.
  void run_nested(GridQueue& queue) {
    if (!job.of_launcher.owner) return run_grid(queue);
    std::thread([&] { run_grid(queue); }).join();
  }
};

/// Takes the host's innermost launch that is pending; empty if there is none.
std::optional<Configuration> take_hosts_pending() {
  if (pending.empty()) return {};
  const Configuration configuration = pending.back();
  pending.pop_back();
  // If this launch stands among the arguments of an outer one, the outer one is still pending.
  launch_is_pending = pending.empty() ? kIsHost : kIsPending;
  return configuration;
}

/// Takes the running lane's launch that is pending; empty if it is another lane that launches.
std::optional<Configuration> take_lanes_pending() {
  const Worker& worker = *Worker::running();
  const auto found =
      std::find_if(pending_of_lanes.rbegin(), pending_of_lanes.rend(), [&](const auto& one) {
        return one.block == &worker.block() && one.thread == worker.thread();
      });
  if (found == pending_of_lanes.rend()) return {};
  const Configuration configuration = found->configuration;
  pending_of_lanes.erase(std::next(found).base());
  launch_is_pending = pending_of_lanes.empty() ? kIsLane : kIsPending;
  return configuration;
}

void warn_of_plain_call(const KernelFacts& kernel) {
  static std::atomic<bool> is_told = false;
  if (!is_told.exchange(true))
    fmt::print(stderr,
               "emulator: warning: kernel {} is called like a function, without <<<...>>>: it does "
               "not run\n",
               kernel.name);
}

/// Makes a launch of what passes the checks.
std::shared_ptr<AcceptedLaunch> accepted_launch(KernelFacts& kernel,
                                                const Configuration& configuration,
                                                const uint3& cluster, const detail::Forms& forms) {
  auto accepted = std::make_shared<AcceptedLaunch>();
  accepted->kernel = &kernel;
  Launch& job = accepted->job;
  job.kernel = kernel.address;
  job.name = kernel.name;
  job.signature = kernel.signature;
  job.encoding = kernel.encoding;
  job.grid = {configuration.grid.x, configuration.grid.y, configuration.grid.z};
  job.block = {configuration.block.x, configuration.block.y, configuration.block.z};
  if (cluster.x != 0) {
    job.cluster = cluster;
    job.has_clusters = true;
  }
  job.cooperative = configuration.cooperative;
  job.dynamic_shared_bytes = configuration.dynamic_shared_bytes;
  job.shared_variables = &kernel.shared_variables;
  job.visible_variables = &kernel.visible_variables;
  job.forms = forms;
  return accepted;
}

void launch_from_host(KernelFacts& kernel, const LaunchedKernel& launched,
                      const Configuration& configuration, const detail::Forms& forms,
                      void* object) {
  if (sticky_error() != cudaSuccess) return set_last_error(sticky_error());
  const auto refuse = [&](cudaError_t error, const std::string& why) {
    if (valid_stream(configuration.stream)) spoil_capture(key_of(configuration.stream));
    set_last_error(error);
    note_failed_launch(kernel.name, configuration.call, error, configuration.call_site, why);
  };
  if (!valid_stream(configuration.stream))
    return refuse(cudaErrorInvalidResourceHandle, "there is no such stream");
  if (const cudaError_t error = refusal_beside_capture(key_of(configuration.stream));
      error != cudaSuccess)
    return refuse(error, "a blocking stream is being captured");
  if (const auto refusal = refusal_of(configuration, launched))
    return refuse(refusal->error, refusal->why);

  auto accepted =
      accepted_launch(kernel, configuration, cluster_of(configuration, launched), forms);
  const StreamKey stream = key_of(configuration.stream);
  const bool is_node = is_captured(stream);
  if (is_node || (is_done_later() && forms.object_bytes > 0)) {
    accepted->arguments = copied(object, forms.object_bytes);
    accepted->job.object = accepted->arguments.get();
    enqueue(stream,
            {.run = [accepted = std::move(accepted)] { accepted->run(); },
             .kind = TaskKind::kernel,
             .parameters = is_node ? node_parameters(kernel.address, configuration) : nullptr});
  } else {
    finish_before_next_in(stream);
    accepted->job.object = object;
    accepted->run();
  }
}

/// Launches a kernel for the running lane: it is put into the queue of the lane's grid. An error
/// becomes the lane's last one.
void launch_from_lane(KernelFacts& kernel, const LaunchedKernel& launched,
                      const Configuration& configuration, const detail::Forms& forms,
                      void* object) {
  GridQueue& queue = queue_of_running_grid();
  const GridThread lane = running_grid_thread();
  const auto refuse = [&](cudaError_t error, const std::string& why) {
    queue.exchange_last_error(lane, error);
    note_failed_launch(kernel.name, configuration.call, error, configuration.call_site, why);
  };
  if (const auto refusal = refusal_of(configuration, launched))
    return refuse(
        refusal->error == cudaErrorInvalidValue ? cudaErrorInvalidConfiguration : refusal->error,
        refusal->why);
  const auto accepted =
      accepted_launch(kernel, configuration, cluster_of(configuration, launched), forms);
  accepted->arguments = copied(object, forms.object_bytes);
  accepted->job.object = accepted->arguments.get();
  accepted->job.depth = queue.depth() + 1;
  accepted->job.of_launcher =
      own_memory_among(accepted->job.object, forms.object_bytes, *Worker::running());
  const cudaError_t error = queue.add(lane, configuration.stream, [accepted](GridQueue& of_kernel) {
    accepted->run_nested(of_kernel);
  });
  if (error == cudaErrorLaunchPendingCountExceeded)
    refuse(error,
           "the grid has as many launches that wait as cudaLimitDevRuntimePendingLaunchCount "
           "allows");
  else if (error != cudaSuccess)
    refuse(error, "the grid of the thread that launches has no such stream");
}

/// @return whether the call of the kernel is a launch; false if a lane is to run
bool launch_kernel(const KernelName& name, const detail::Forms& forms, void* object,
                   const KernelBounds& bounds) {
  const bool is_lane = in_kernel();
  const auto configuration = is_lane ? take_lanes_pending() : take_hosts_pending();
  if (!configuration && is_lane) return false;
  KernelFacts& kernel = facts_of(name);
  const LaunchedKernel launched{kernel.address, total_bytes(kernel.shared_variables), bounds};
  if (!configuration)
    warn_of_plain_call(kernel);
  else if (is_lane)
    launch_from_lane(kernel, launched, *configuration, forms, object);
  else
    launch_from_host(kernel, launched, *configuration, forms, object);
  return true;
}

void AcceptedLaunch::run_grid(GridQueue& queue) {
  if (sticky_error() != cudaSuccess)
    return;  // an earlier kernel failed after this launch was accepted
  const std::lock_guard lock(launch_mutex);
  job.queue = &queue;
  job.seed = settings().schedule_seed;
  job.preempted = settings().preempt_seed != 0;
  if (job.preempted) job.seed = settings().preempt_seed;
  job.lockstep = settings().lockstep && !job.preempted;
  job.checked = settings().checks.any() && !job.has_turns();
  std::optional<RequestTrace> trace;
  if (!job.has_turns() && trace_wanted(job.signature)) job.trace = &trace.emplace(job);
  // The checks and the trace get their data from the access log.
  const bool is_wanted = settings().counting || job.checked || job.trace;
  // Makes device memory inaccessible to the host between launches.
  const DeviceAccess device_access;
  job.counted = !job.has_turns() &&
                (is_wanted || may_lead_to_host_memory(job.object, job.forms.object_bytes));

  job.has_block_form =
      may_use_block_form(job) && job.forms.block && job.forms.block(job.object, nullptr);
  job.watches_first_block =
      !job.counted && !job.has_turns() && should_watch_first_block(job, ++kernel->launches);

  LaunchRecord record;
  record.kernel = job.name;
  record.signature = job.signature;
  std::copy_n(&job.grid.x, 3, record.grid);
  std::copy_n(&job.block.x, 3, record.block);
  record.dynamic_shared_bytes = job.dynamic_shared_bytes;

  const auto workers =
      static_cast<unsigned>(job.preempted || job.of_launcher.owner
                                ? 1
                                : std::min<std::uint64_t>(settings().workers, volume(job.grid)));
  const int was_pending = std::exchange(launch_is_pending, kIsLane);
  failed = false;
  std::optional<Schedules> schedules;
  if (settings().schedules > 0) schedules.emplace();
  {
    const FaultHandlers handlers;
    std::unique_lock<std::recursive_mutex> checks;
    if (job.checked) checks = std::unique_lock(CheckedMemory::instance().mutex);
    if (!run_at_once(job, workers, record))
      Helpers::all().run(job, job.checked ? 0 : workers - 1, record.counters, record.sites, failed);
  }
  job.trace = nullptr;  // repeated runs are not traced
  if (schedules && !failed)
    schedules->compare(job, settings().schedules, [&](const Launch& again) {
      const FaultHandlers handlers;
      Counters counters;
      std::vector<AccessSiteCounters> sites;
      GridQueue left_alone;
      Launch repeated = again;
      repeated.queue = &left_alone;
      Helpers::all().run(repeated, 0, counters, sites, failed);
      return !failed.exchange(false);
    });
  launch_is_pending = was_pending;
  std::fflush(stdout);
  tell_of_divisions(job.name);
  if (job.checked || schedules) print_new_findings();
  if (failed) {
    kernel_failure_is_untold = job.checked && !failure_text().empty();
    return set_sticky_error(failure);
  }
  if (trace) trace->finish();
  // A watched block of a launch that nobody counts has logged accesses: drop them.
  if (!is_wanted) {
    record.counters = {};
    record.sites.clear();
  }
  merge_sites(record.sites);
  if (settings().counting) {
    counted_so_far += record.counters;
    add_to_exit_report(record);
    add_to_profile(record, kernel->address);
  }
  if (job.depth > 0) return;  // the newest launch is the program's own
  newest() = std::move(record);
  any_launch = true;
}

}  // namespace

namespace {

/// Returns a hint that a race may explain a bad address; empty if it cannot, or if the launch is
/// checked for races anyway.
const char* possible_race(cudaError_t error, const Launch& launch) {
  const bool is_bad_address =
      error == cudaErrorIllegalAddress || error == cudaErrorMisalignedAddress;
  const bool has_shared_memory =
      launch.dynamic_shared_bytes != 0 || !launch.shared_variables->empty();
  return is_bad_address && has_shared_memory && !launch.checked
             ? "; if it comes from shared memory, COURSE_CHECK=all looks for a race there"
             : "";
}

}  // namespace

void note_failure(cudaError_t error, const std::string& message, const void* program_counter) {
  const Worker& worker = *Worker::running();
  // This function may have been compiled together with the kernels: its accesses must not be
  // recorded.
  const Unrecorded unrecorded;
  const std::lock_guard lock(failure_mutex);
  if (failed.exchange(true) || worker.launch().attempt) return;
  failure = error;
  const std::string line = source_line(reinterpret_cast<std::uintptr_t>(program_counter));
  failure_text() = line.empty() || message.empty() ? message : message + " at " + line;
  if (!message.empty())
    fmt::print(stderr, "emulator: kernel {}, {}{}{}: {}{}\n", worker.launch().name, worker.where(),
               line.empty() ? "" : ", ", line, message, possible_race(error, worker.launch()));
}

void fail_kernel(cudaError_t error, const std::string& message, const void* program_counter) {
  Worker& worker = *Worker::running();
  if (worker.runs_block_form()) worker.run_again(error, message);
  note_failure(error, message, program_counter);
  worker.crew().stopped();
  worker.abandon();
}

// Makes the string itself. Where the program has compiled std::string with its kernels, a lane that
// made one would seem to access host memory.
void fail_kernel(cudaError_t error, const char* message, const void* program_counter) {
  std::string text;
  {
    const Unrecorded unrecorded;
    text = message;
  }
  fail_kernel(error, text, program_counter);
}

std::string take_failure_text() {
  const std::lock_guard lock(failure_mutex);
  return std::exchange(failure_text(), {});
}

namespace {

/// How a kernel with a known signature is called.
struct RegisteredKernel {
  void (*invoke)(const void* kernel, void** arguments) = nullptr;
  void (*ask)(const void* kernel) = nullptr;
  const ParameterPlace* parameters = nullptr;
  std::size_t parameter_count = 0;
};

std::map<const void*, RegisteredKernel>& registry() {
  static auto& kernels = *new std::map<const void*, RegisteredKernel>;
  return kernels;
}
std::mutex registry_mutex;

RegisteredKernel registered(const void* kernel) {
  const std::lock_guard lock(registry_mutex);
  const auto found = registry().find(kernel);
  return found == registry().end() ? RegisteredKernel() : found->second;
}

}  // namespace

void detail::register_kernel(const void* kernel, void (*invoke)(const void*, void**),
                             void (*ask)(const void*), const ParameterPlace* parameters,
                             std::size_t parameter_count) {
  const std::lock_guard lock(registry_mutex);
  registry()[kernel] = {invoke, ask, parameters, parameter_count};
}

std::shared_ptr<KernelArguments> copy_arguments(const void* kernel, void** arguments) {
  const RegisteredKernel known = registered(kernel);
  if (!known.parameters || (known.parameter_count > 0 && !arguments)) return nullptr;
  auto copy = std::make_shared<KernelArguments>();
  if (known.parameter_count == 0) return copy;
  const ParameterPlace& last = known.parameters[known.parameter_count - 1];
  copy->bytes.resize((last.offset + last.bytes) / sizeof(std::max_align_t) + 1);
  for (std::size_t i = 0; i < known.parameter_count; ++i) {
    const ParameterPlace& place = known.parameters[i];
    char* const bytes = reinterpret_cast<char*>(copy->bytes.data()) + place.offset;
    std::memcpy(bytes, arguments[i], place.bytes);
    copy->pointers.push_back(bytes);
  }
  return copy;
}

bool call_registered(const void* kernel, void** arguments) {
  const auto invoke = registered(kernel).invoke;
  if (invoke) invoke(kernel, arguments);
  return invoke != nullptr;
}

KernelBounds bounds_of(const void* kernel) {
  KernelBounds bounds;
  const auto ask = registered(kernel).ask;
  if (!ask) return bounds;
  asked = &bounds;
  const int was_pending = std::exchange(launch_is_pending, kIsPending);
  ask(kernel);
  launch_is_pending = was_pending;
  asked = nullptr;
  return bounds;
}

void* dynamic_shared() noexcept { return dynamic_shared_memory; }

std::size_t static_shared_bytes(const void* kernel) {
  return total_bytes(shared_variables_of(encoding_of(kernel), kernel));
}

const LaunchRecord* last_launch() noexcept {
  finish_all();
  return any_launch ? &newest() : nullptr;
}

Counters total_counters() noexcept {
  finish_all();
  return counted_so_far;
}

}  // namespace emu
