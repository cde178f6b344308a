#include "engine/run/division.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/run/worker.hpp"

namespace emu {

namespace {

/// A division by zero that has not been reported yet.
struct DivisionByZero {
  std::uintptr_t program_counter;
  std::string where;  // "block (0,0,0), thread (3,0,0)"
};

struct Divisions {
  std::mutex mutex;
  std::vector<std::uintptr_t> noted;  // program counters
  std::vector<DivisionByZero> untold;
  std::set<std::string> told_lines;
};

Divisions& divisions() {
  static Divisions& all = *new Divisions;
  return all;
}

// Runs in a signal handler. Only notes the address: finding the source line needs more stack than a
// handler may have.
void note_division_by_zero(std::uintptr_t program_counter) {
  const Unrecorded unrecorded;
  Divisions& all = divisions();
  const std::lock_guard lock(all.mutex);
  constexpr std::size_t kMostNoted = 1000;
  const Worker& worker = *Worker::running();
  if (worker.launch().attempt || all.noted.size() >= kMostNoted ||
      std::find(all.noted.begin(), all.noted.end(), program_counter) != all.noted.end())
    return;
  all.noted.push_back(program_counter);
  all.untold.push_back({program_counter, worker.where()});
}

#if defined(__x86_64__)

/// A decoded DIV or IDIV instruction of the processor, with its operand.
struct Division {
  unsigned bytes = 0;  // of its operands: 1, 2, 4 or 8
  bool is_signed = false;
  std::uint64_t divisor = 0;
  std::uintptr_t next = 0;  // address of the next instruction
};

std::uint64_t lowest(std::uint64_t value, unsigned bytes) {
  constexpr unsigned kWordBytes = sizeof value, kByteBits = 8;
  return bytes == kWordBytes ? value : value & ((std::uint64_t{1} << bytes * kByteBits) - 1);
}

/// Returns the saved register that has `number` in the encoding of an instruction.
greg_t& register_of(ucontext_t& stopped, unsigned number) {
  constexpr std::array kRegisters = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                     REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                     REG_R12, REG_R13, REG_R14, REG_R15};
  return stopped.uc_mcontext.gregs[kRegisters[number]];
}

/// Reads the bytes of an instruction one after the other.
class Bytes {
 public:
  explicit Bytes(std::uintptr_t at) : at_(at) {}
  std::uint8_t peek() const { return *reinterpret_cast<const std::uint8_t*>(at_); }
  std::uint8_t next() { return read<std::uint8_t>(); }
  template <typename T>
  T read() {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(at_), sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uintptr_t at() const { return at_; }

 private:
  std::uintptr_t at_;
};

// Decodes the instruction at which the lane was stopped. Source: Intel 64 and IA-32 Architectures
// Software Developer's Manual, volume 2, 2.1 and DIV, IDIV.
std::optional<Division> division_at(ucontext_t& stopped) {
  Bytes code(static_cast<std::uintptr_t>(stopped.uc_mcontext.gregs[REG_RIP]));
  bool is_half = false, is_thread_local = false;
  for (;; code.next()) {
    constexpr unsigned kOperandSize = 0x66, kSegmentFs = 0x64;
    if (code.peek() == kOperandSize)
      is_half = true;
    else if (code.peek() == kSegmentFs)
      is_thread_local = true;
    else
      break;
  }
  constexpr unsigned kRex = 0x40, kRexMask = 0xf0, kWide = 8, kIndex = 2, kBase = 1;
  const unsigned rex = (code.peek() & kRexMask) == kRex ? code.next() : 0;
  constexpr unsigned kOfBytes = 0xf6, kOfWords = 0xf7;
  const unsigned opcode = code.next();
  if (opcode != kOfBytes && opcode != kOfWords) return {};
  const unsigned mode_byte = code.next();
  const unsigned mode = mode_byte >> 6, extension = mode_byte >> 3 & 7, operand = mode_byte & 7;
  constexpr unsigned kDiv = 6, kIdiv = 7;
  if (extension != kDiv && extension != kIdiv) return {};

  Division result;
  result.is_signed = extension == kIdiv;
  result.bytes = opcode == kOfBytes ? 1 : rex & kWide ? 8 : is_half ? 2 : 4;
  const unsigned high_base = rex & kBase ? 8 : 0;
  constexpr unsigned kIsRegister = 3, kHasIndex = 4, kNoBase = 5;
  if (mode == kIsRegister) {
    // Numbers from 4 on mean AH, CH, DH, BH where there is no REX prefix.
    constexpr unsigned kSecondBytes = 4;
    const bool is_second = result.bytes == 1 && rex == 0 && operand >= kSecondBytes;
    const unsigned number = is_second ? operand - kSecondBytes : operand | high_base;
    result.divisor =
        static_cast<std::uint64_t>(register_of(stopped, number)) >> (is_second ? 8 : 0);
  } else {
    std::uintptr_t address = 0;
    unsigned base = operand;
    bool has_base = true;
    if (operand == kHasIndex) {
      const unsigned byte = code.next();
      base = byte & 7;
      const unsigned index = (byte >> 3 & 7) | (rex & kIndex ? 8 : 0);
      constexpr unsigned kNoIndex = 4;
      if (index != kNoIndex)
        address += static_cast<std::uintptr_t>(register_of(stopped, index)) << (byte >> 6);
    }
    const bool is_relative = mode == 0 && operand == kNoBase;
    if (mode == 0 && base == kNoBase) has_base = false;
    if (has_base) address += static_cast<std::uintptr_t>(register_of(stopped, base | high_base));
    if (mode == 1) address += static_cast<std::uintptr_t>(code.read<std::int8_t>());
    if (mode == 2 || !has_base) address += static_cast<std::uintptr_t>(code.read<std::int32_t>());
    if (is_relative) address += code.at();
    if (is_thread_local) {
      std::uintptr_t thread_begin = 0;
      asm("mov %%fs:0, %0" : "=r"(thread_begin));
      address += thread_begin;
    }
    std::memcpy(&result.divisor, reinterpret_cast<const void*>(address), result.bytes);
  }
  result.divisor = lowest(result.divisor, result.bytes);
  result.next = code.at();
  return result;
}

/// Writes the quotient and the remainder to the registers in which the instruction would leave
/// them.
void leave(ucontext_t& stopped, const Division& division, std::uint64_t quotient,
           std::uint64_t remainder) {
  greg_t& ax = stopped.uc_mcontext.gregs[REG_RAX];
  greg_t& dx = stopped.uc_mcontext.gregs[REG_RDX];
  quotient = lowest(quotient, division.bytes);
  remainder = lowest(remainder, division.bytes);
  const auto replace = [](greg_t& whole, std::uint64_t value, unsigned bytes) {
    const auto old = static_cast<std::uint64_t>(whole);
    whole = static_cast<greg_t>(old - lowest(old, bytes) + value);
  };
  constexpr unsigned kByteBits = 8, kWholeFrom = 4;  // bytes: the upper half becomes 0
  if (division.bytes == 1) {
    replace(ax, remainder << kByteBits | quotient, 2);
  } else {
    replace(ax, quotient, division.bytes < kWholeFrom ? division.bytes : sizeof ax);
    replace(dx, remainder, division.bytes < kWholeFrom ? division.bytes : sizeof dx);
  }
  stopped.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(division.next);
}

#endif

}  // namespace

#if defined(__x86_64__)
bool finish_division(ucontext_t& stopped) {
  const std::optional<Division> division = division_at(stopped);
  if (!division) return false;
  const auto dividend =
      lowest(static_cast<std::uint64_t>(stopped.uc_mcontext.gregs[REG_RAX]), division->bytes);
  if (division->divisor != 0) {  // a quotient that does not fit is not a division by zero
    if (!division->is_signed) return false;
    leave(stopped, *division, dividend, 0);
    return true;
  }
  constexpr unsigned kHalfBits = 32;
  const bool is_short = division->bytes == 8 && dividend >> kHalfBits == 0;
  const auto program_counter = static_cast<std::uintptr_t>(stopped.uc_mcontext.gregs[REG_RIP]);
  note_division_by_zero(program_counter);
  leave(stopped, *division, ~std::uint64_t{0} >> (is_short ? kHalfBits : 0), dividend);
  return true;
}
#else
bool finish_division(ucontext_t&) { return false; }
#endif

void tell_of_divisions(const std::string& kernel) {
  Divisions& all = divisions();
  const std::lock_guard lock(all.mutex);
  for (const DivisionByZero& one : std::exchange(all.untold, {})) {
    const std::string line = source_line(one.program_counter);
    constexpr std::size_t kMostTold = 10;
    if (all.told_lines.size() >= kMostTold || !all.told_lines.insert(line).second) continue;
    fmt::print(stderr,
               "emulator: warning: kernel {}, {}{}{}: integer division by zero, which is "
               "undefined; as on a device, the kernel goes on\n",
               kernel, one.where, line.empty() ? "" : ", ", line);
  }
}

}  // namespace emu
