/// @file
/// Interface between the parts of the engine: launches, failures, and what is known of the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver_types.h"
#include "emulator/counters.h"
#include "emulator/device.h"
#include "emulator/launch.h"

namespace emu {

/// A `__shared__` variable, by its offset in a thread's thread-local storage.
struct SharedVariable {
  std::size_t offset;
  std::size_t bytes;
};

/// A named variable; its address holds in the calling thread only, if it is thread-local.
struct NamedVariable {
  std::string name;
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};

class Attempt;
class GridQueue;
class RequestTrace;

/// Memory of the thread that launches a kernel, to which one of the arguments seems to point.
struct OwnMemory {
  const char* begin = nullptr;
  std::size_t bytes = 0;
  const char* owner = nullptr;  ///< "local memory" or "shared memory"; null: there is none
};

struct Launch {
  const void* kernel = nullptr;  ///< the kernel's address; null if unknown
  std::string name, signature;
  std::string encoding;
  uint3 grid{1, 1, 1}, block{1, 1, 1};
  uint3 cluster{1, 1, 1};  ///< in blocks
  /// The launch or the kernel gives a cluster size, even if it is one block.
  bool has_clusters = false;
  bool cooperative = false;  ///< all blocks exist at the same time
  std::size_t dynamic_shared_bytes = 0;
  detail::Forms forms;
  void* object = nullptr;
  std::uint64_t seed = 0;
  bool counted = true;
  bool has_block_form = false;       ///< the kernel has a block form, and this launch may use it
  bool watches_first_block = false;  ///< the first block is logged, to warn of unsynchronised reads
  bool preempted = false;            ///< lanes and blocks are switched at accesses, as `seed` says
  bool lockstep = false;             ///< lanes of a warp go from access to access together
  bool checked = false;        ///< by the hazard checks; blocks run in turn unless `attempt` is set
  Attempt* attempt = nullptr;  ///< runs checked blocks at the same time; null: none
  /// Variables declared in the kernel itself.
  const std::vector<SharedVariable>* shared_variables = nullptr;
  /// All variables that the kernel may touch.
  const std::vector<SharedVariable>* visible_variables = nullptr;
  RequestTrace* trace = nullptr;  ///< traces one of the blocks; null: no trace
  GridQueue* queue = nullptr;     ///< what its threads ask the device for
  unsigned depth = 0;             ///< how many grids are above it: 0 if the host has launched it
  OwnMemory of_launcher;          ///< what only the thread that launched it could reach

  /// Returns whether lanes are switched at accesses.
  bool has_turns() const { return preempted || lockstep; }
};

/// Mixes the bits of `x`. Of successive multiples of kRandomStep, it makes pseudo-random numbers.
constexpr std::uint64_t kRandomStep = 0x9e3779b97f4a7c15u;
constexpr std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// The configuration of the next kernel call.
struct Configuration {
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  const void* call_site = nullptr;
  /// Name of the call in messages; a <<<>>> launch becomes cudaLaunchKernel.
  const char* call = "cudaLaunchKernel";
  uint3 cluster{0, 0, 0};  ///< in blocks; {0, 0, 0}: as the kernel's definition says
  bool cooperative = false;
  void** arguments = nullptr;  ///< of a launch by address
};
/// Sets the configuration of the next kernel call, like the calls that the source rewriter writes.
void push_launch(const Configuration& configuration);
/// Called where a worker gives a grid up: lanes that were about to launch a kernel do not go on.
void forget_launches_of_lanes() noexcept;

/// Called in a lane: lets the other lanes of the warp run until they wait or end.
void pause_lane();

/// Records a failure of the running kernel without ending it: `error` becomes sticky, and stderr
/// gets `message` with the kernel, the block and, if a lane is running, its thread and the source
/// line of `program_counter`.
void note_failure(cudaError_t error, const std::string& message, const void* program_counter);
/// Records a failure as note_failure() does, and ends the kernel of this worker's block.
[[noreturn]] void fail_kernel(cudaError_t error, const std::string& message,
                              const void* program_counter);
[[noreturn]] void fail_kernel(cudaError_t error, const char* message, const void* program_counter);

/// Returns the message and the line of the last kernel that failed, "integer division by zero at
/// k.cu:12", and forgets it. Empty where a finding of the checker says more.
std::string take_failure_text();

/// Counts a store that is made later, such as that of an asynchronous copy.
void record_late_store(const void* address, unsigned bytes, const void* call_site) noexcept;

[[noreturn]] void illegal_address(const void* address);

/// Returns whether the address is in constants of the program itself (string literals, constexpr
/// tables), which every kernel may read.
bool in_program_constants(const void* address) noexcept;

/// The declaration of a function; `file` is empty without debug information.
struct FunctionLocation {
  std::string file;
  int line = 0;
};

/// A position in the program's sources; `file` is empty without debug information.
struct SourceLocation {
  std::string file;  ///< as the compiler was given it, relative to the folder it ran in
  int line = 0;
  int column = 0;             ///< in the preprocessed text; 0: unknown
  FunctionLocation function;  ///< the function that contains the line
};

/// Returns the line of the access at `program_counter`. An access in one of CUDA's own functions
/// belongs to the line that calls the function.
SourceLocation source_location(std::uintptr_t program_counter);
/// Returns that line preceded by the inlined calls that lead there, the outermost first.
std::vector<SourceLocation> source_path(std::uintptr_t program_counter);
/// Returns the line as "file.cu:12"; empty without debug information.
std::string source_line(std::uintptr_t program_counter);

/// Returns whether the function around `program_counter` uses structs of 16 bytes that need
/// alignment to 8 only; true if there is no debug information.
bool uses_half_aligned_struct(std::uintptr_t program_counter);
FunctionLocation function_location(const void* function);

/// Returns the mangled name of a function of this program, without `_Z`; empty if unknown.
std::string encoding_of(const void* function);
/// Here and below, `code` is an address in the module that is meant; any other address means the
/// program.
const void* function_with_encoding(const std::string& encoding, const void* code);
/// Returns the shared variables declared in the function itself.
std::vector<SharedVariable> shared_variables_of(const std::string& encoding, const void* code);
/// Returns the shared variables that the kernel may touch, with their addresses in the calling
/// thread: its own, those of functions that are not kernels, and those outside functions.
std::vector<NamedVariable> visible_shared_variables(const std::string& encoding, const void* code);
/// Returns the guard variables that the compiler adds to shared variables with constructors.
std::vector<NamedVariable> shared_guards(const void* code);
/// Returns the `__device__`, `__constant__` or `__managed__` variable that contains `address`;
/// without a name if there is none.
NamedVariable variable_at(const void* address);
/// Returns the last variable that begins at or before `address` and ends less than `most_bytes`
/// before it.
NamedVariable variable_before(const void* address, std::size_t most_bytes);

/// Returns the readable name of a function: `encoding` demangled, or `pretty_name` if that is
/// empty.
std::string demangled(const std::string& encoding, const char* pretty_name);

/// Sets `begin` and `bytes` to the area of this thread's `__shared__` variables (its thread-local
/// storage).
void shared_storage(std::uintptr_t& begin, std::size_t& bytes);

}  // namespace emu
