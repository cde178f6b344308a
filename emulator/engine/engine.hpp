/// @file
/// What the parts of the engine know of one another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver_types.h"
#include "emulator/counters.h"
#include "emulator/device.h"
#include "emulator/launch.h"

namespace emu {

/// One `__shared__` variable: its place in a thread's thread-local storage.
struct SharedVariable {
  std::size_t offset;
  std::size_t bytes;
};

/// A variable by its address in the calling thread.
struct NamedVariable {
  std::string name;
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};

class Attempt;
class RequestTrace;

struct Launch {
  const void* kernel = nullptr;  ///< its address; null if nobody knows it
  std::string name, signature;
  std::string encoding;
  uint3 grid{1, 1, 1}, block{1, 1, 1};
  uint3 cluster{1, 1, 1};     ///< in blocks
  bool has_clusters = false;  ///< somebody has said how large, and be it one block
  bool cooperative = false;   ///< all blocks are there at the same time
  std::size_t dynamic_shared_bytes = 0;
  detail::Forms forms;
  void* object = nullptr;
  std::uint64_t seed = 0;
  bool counted = true;
  bool has_block_form = false;  ///< and it may be used
  bool watched = false;         ///< its first block is looked at for what a run warns of
  bool preempted = false;       ///< lanes and blocks are switched at accesses, as `seed` says
  bool lockstep = false;        ///< lanes of a warp go from access to access together
  bool checked = false;         ///< by the hazard checks: its blocks run in turn,
  Attempt* attempt = nullptr;   ///< ... or at once, in the hope that it does not matter
  const std::vector<SharedVariable>* shared_variables = nullptr;   ///< of the kernel itself
  const std::vector<SharedVariable>* visible_variables = nullptr;  ///< that it may touch
  RequestTrace* trace = nullptr;  ///< of one of its blocks; null: nobody asked

  /// Whether lanes take turns at accesses.
  bool has_turns() const { return preempted || lockstep; }
};

/// Numbers that look random, for multiples of kRandomStep.
constexpr std::uint64_t kRandomStep = 0x9e3779b97f4a7c15u;
constexpr std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// What the kernel call that follows is launched with.
struct Configuration {
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  const void* call_site = nullptr;
  const char* call = "cudaLaunchKernel";  ///< also what a launch with <<<>>> becomes
  uint3 cluster{0, 0, 0};                 ///< in blocks; {0, 0, 0}: as the kernel says
  bool cooperative = false;
};
/// As the calls that the source rewriter writes do, for a launch that the program makes elsewhere.
void push_launch(const Configuration& configuration);

/// From inside a lane: the other lanes of the warp go on until they wait or finish.
void pause_lane();

/// Ends the kernel of this worker's block: `error` is sticky, `message` goes to stderr with the
/// kernel, the block and, where one is running, the thread and source line behind
/// `program_counter`.
/// The same, without ending anything.
void note_failure(cudaError_t error, const std::string& message, const void* program_counter);
[[noreturn]] void fail_kernel(cudaError_t error, const std::string& message,
                              const void* program_counter);
[[noreturn]] void fail_kernel(cudaError_t error, const char* message, const void* program_counter);

/// What the last kernel that failed said, and where: "integer division by zero at k.cu:12"; forgets
/// it. Empty where a finding of the checker says more.
std::string take_failure_text();

/// Counts a store that is made later.
void record_late_store(const void* address, unsigned bytes, const void* call_site) noexcept;

[[noreturn]] void illegal_address(const void* address);

/// Constants of the program itself (string literals, constexpr tables): readable everywhere.
bool in_program_constants(const void* address) noexcept;

/// Where a function is declared; no file where there is no debug information.
struct FunctionPlace {
  std::string file;
  int line = 0;
};

/// A place in the program's sources; no file where there is no debug information.
struct SourcePlace {
  std::string file;  ///< as the compiler was told, below the folder it ran in
  int line = 0;
  int column = 0;          ///< of the preprocessed text; 0: not known
  FunctionPlace function;  ///< that the line belongs to
};

/// The line that makes an access, from an address in the program's text. CUDA's own functions
/// belong to the line that calls them.
SourcePlace source_place(std::uintptr_t program_counter);
/// The same behind the calls that lead there, the outermost first, as far as they were inlined.
std::vector<SourcePlace> source_path(std::uintptr_t program_counter);
/// The same as "file.cu:12"; empty where there is no debug information.
std::string source_line(std::uintptr_t program_counter);

/// Whether the function around a place in the program's text has to do with structs of 16 bytes
/// that need only a multiple of 8; also true where there is no debug information.
bool uses_half_aligned_struct(std::uintptr_t program_counter);
FunctionPlace function_place(const void* function);

/// The mangled name of a function of this program, without its `_Z`; empty if unknown.
std::string encoding_of(const void* function);
/// `code`, here and below: an address in the module that is meant; of others, it is the program.
const void* function_with_encoding(const std::string& encoding, const void* code);
/// Those declared in the function itself.
std::vector<SharedVariable> shared_variables_of(const std::string& encoding, const void* code);
/// Those that the kernel may touch, in the calling thread, by address: its own, those of functions
/// that are no kernels, and those outside functions.
std::vector<NamedVariable> visible_shared_variables(const std::string& encoding, const void* code);
/// What the compiler keeps beside shared variables whose constructors do something.
std::vector<NamedVariable> shared_guards(const void* code);
/// The `__device__`, `__constant__` or `__managed__` variable that `address` is in; no name if
/// none.
NamedVariable variable_at(const void* address);
/// The last one that begins at `address` or before, and not much more than `most_bytes` before.
NamedVariable variable_before(const void* address, std::size_t most_bytes);

/// What a person calls the function: demangled `encoding`, or `pretty_name` where there is none.
std::string demangled(const std::string& encoding, const char* pretty_name);

/// Begin and size of this thread's `__shared__` variables (its thread-local storage).
void shared_storage(std::uintptr_t& begin, std::size_t& bytes);

}  // namespace emu
