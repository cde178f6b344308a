#include "externals.hpp"

#include <cxxabi.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <set>
#include <sstream>
#include <string_view>
#include <unordered_map>

namespace coursework::confine {
namespace {

constexpr const char* kRead = "confined_argument_read";
constexpr const char* kChanged = "confined_argument_changed";
constexpr const char* kReadLater = "confined_argument_read_later";
constexpr const char* kChangedLater = "confined_argument_changed_later";

std::set<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::set<std::string> result;
  for (std::string word; in >> word;) result.insert(word);
  return result;
}

/// Functions of the C library that map numbers to a number. With `f` appended, the same for floats.
const std::set<std::string>& numeric_functions() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all = words(
        "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 "
        "log log2 log10 log1p pow sqrt cbrt hypot fmod remainder fabs floor ceil round trunc rint "
        "nearbyint lround llround lrint llrint fma fmin fmax fdim copysign nextafter logb ilogb "
        "scalbn scalbln ldexp erf erfc tgamma lgamma j0 j1 jn y0 y1 yn");
    for (const std::string& name : std::set<std::string>(all)) all.insert(name + "f");
    // The compiler's library: 128-bit integers, and operations that the processor may lack.
    all.merge(words("__popcountdi2 __udivti3 __divti3 __umodti3 __modti3 abs labs llabs"));
    return all;
  }();
  return names;
}

/// Functions that use pointers: the guard checks the pointers, or replaces the function.
const std::unordered_map<std::string, std::string>& replaced_functions() {
  static const std::unordered_map<std::string, std::string> names = {
      {"memcpy", "confined_memcpy"},
      {"memmove", "confined_memcpy"},
      {"memset", "confined_memset"},
      {"_ZN3emu13copy_recordedEPvPKvm", "confined_copy_recorded"},
      {"_ZN3emu13move_recordedEPvPKvm", "confined_move_recorded"},
      {"_ZN3emu13fill_recordedEPvim", "confined_fill_recorded"},
      {"clock", "confined_clock"},
      {"printf", "confined_printf"},
      {"puts", "confined_printf"},
      {"putchar", "confined_printf"},
      {"modff", "confined_modff"},
      {"modf", "confined_modf"},
      {"frexpf", "confined_frexpf"},
      {"frexp", "confined_frexp"},
      {"remquof", "confined_remquof"},
      {"remquo", "confined_remquo"},
      {"sincosf", "confined_sincosf"},
      {"sincos", "confined_sincos"},
      {"nanf", "confined_nanf"},
      {"nan", "confined_nan"},
      {"_ZN3emu11device_trapEPKc", "confined_trap"},
      {"_ZN3emu11unsupportedEPKcS1_", "confined_unsupported"},
      {"__assert_fail", "confined_assert_fail"},
      {"_ZN3emu10store_lateEPvPKvj", "confined_store_late"},
      {"_ZN3emu13warp_multiplyERKNS_6tensor5ShapeEPKvS5_S5_Pv", "confined_warp_multiply"},
      {"_ZN3emu18warp_deal_matricesEPKjPjib", "confined_warp_deal_matrices"},
      {"_ZN3emu20warp_gather_matricesEPKjPjib", "confined_warp_gather_matrices"},
      {"_ZN3emu18warpgroup_multiplyERKNS_6tensor5ShapeERKNS_17WarpgroupOperandsEPj",
       "confined_warpgroup_multiply"},
  };
  return names;
}

/// Functions of the engine for device code, with their pointer arguments. An address that is only
/// converted to another address counts as a number; using the result is checked later. malloc
/// returns device memory, and free accepts nothing else.
const std::unordered_map<std::string, std::vector<PointerArgument>>& engine_functions() {
  static const std::unordered_map<std::string, std::vector<PointerArgument>> functions = [] {
    std::unordered_map<std::string, std::vector<PointerArgument>> all;
    for (const char* const name :
         {"emu::in_kernel()",
          "emu::lane_id()",
          "emu::warp_id()",
          "emu::clock()",
          "emu::clock_cycles()",
          "emu::yield()",
          "emu::fence(bool)",
          "emu::dynamic_shared()",
          "emu::coalesced_lanes()",
          "emu::active_mask()",
          "emu::block_sync()",
          "emu::block_sync_count(int)",
          "emu::block_sync_and(int)",
          "emu::block_sync_or(int)",
          "emu::named_barrier_sync(unsigned int, unsigned int)",
          "emu::named_barrier_arrive(unsigned int, unsigned int)",
          "emu::named_barrier_votes(unsigned int, unsigned int, bool)",
          "emu::is_shared(void const*)",
          "emu::is_constant(void const*)",
          "emu::is_local(void const*)",
          "emu::is_cluster_shared(void const*)",
          "emu::shared_address(void const*)",
          "emu::shared_pointer(unsigned int)",
          "emu::ptx_carry()",
          "emu::set_ptx_carry(bool)",
          "emu_be_patient",
          "emu_malloc",
          "emu_free",
          "emu::cluster_map(void const*, unsigned int)",
          "emu::cluster_rank_of(void const*)",
          "emu::cluster_arrive()",
          "emu::cluster_wait()",
          "emu::cluster_sync()",
          "emu::cluster_rank()",
          "emu::cluster_dimensions()",
          "emu::has_clusters()",
          "emu::grid_sync()",
          "emu::grid_is_cooperative()",
          "emu::warp_sync(unsigned int)",
          "emu::warp_ballot(unsigned int, bool)",
          "emu::warp_all(unsigned int, bool)",
          "emu::warp_any(unsigned int, bool)",
          "emu::warp_uniform(unsigned int, bool)",
          "emu::warp_match_any(unsigned int, unsigned long)",
          "emu::warp_reduce(emu::ReduceOp, unsigned int, unsigned int)",
          "emu::warp_shuffle(emu::ShuffleMode, unsigned int, unsigned long, int, int)",
          "emu::mbarrier_parity(unsigned long)",
          "emu::fence_async_proxy()",
          "emu::commit_bulk_stores()",
          "emu::wait_for_bulk_stores(unsigned int, bool)",
          "emu::warpgroup_fence()",
          "emu::warpgroup_commit()",
          "emu::warpgroup_wait(unsigned int)",
          "emu::set_max_registers(unsigned int)",
          "emu::close_late_batch()",
          "emu::make_late_stores(unsigned long)"})
      all[name];
    all["emu::warp_match_all(unsigned int, unsigned long, int*)"] = {{"rdx", "", 4, kChanged}};
    for (const char* const name :
         {"emu::mbarrier_init(unsigned long*, unsigned int)",
          "emu::mbarrier_expect(unsigned long*, unsigned int)",
          "emu::mbarrier_arrive(unsigned long*, unsigned int)",
          "emu::mbarrier_arrive_drop(unsigned long*, unsigned int)",
          "emu::mbarrier_arrive_after_late_stores(unsigned long*)",
          "emu::mbarrier_add_arrival(unsigned long*)", "emu::mbarrier_invalidate(unsigned long*)",
          "emu::cluster_mbarrier_expect(unsigned long*, unsigned int)",
          "emu::cluster_mbarrier_arrive(unsigned long*, unsigned int)",
          "emu::mbarrier_try_wait(unsigned long*, unsigned int)",
          "emu::mbarrier_test_wait(unsigned long*, unsigned int)"})
      all[name] = {{"rdi", "", 8, kChangedLater}};
    all["emu::copy_bulk(void*, void const*, unsigned int, unsigned long*)"] = {
        {"rdi", "edx", 0, kChangedLater},
        {"rsi", "edx", 0, kReadLater},
        {"rcx", "", 8, kChangedLater}};
    all["emu::store_bulk(void*, void const*, unsigned int)"] = {{"rdi", "edx", 0, kChangedLater},
                                                                {"rsi", "edx", 0, kReadLater}};
    return all;
  }();
  return functions;
}

/// The emulator's arithmetic, which takes only numbers.
const std::set<std::string>& arithmetic_functions() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    for (const char* const name : {"add", "multiply", "divide"})
      for (const char* const type : {"float", "double"})
        all.insert(std::string(name) + "(emu::detail::Rounding, " + type + ", " + type + ")");
    for (const char* const type : {"float", "double"}) {
      const std::string t(type);
      all.insert("fused_multiply_add(emu::detail::Rounding, " + t + ", " + t + ", " + t + ")");
      all.insert("square_root(emu::detail::Rounding, " + t + ")");
    }
    for (const char* const name :
         {"bessel_i0", "bessel_i1", "cos_pi", "sin_pi", "inverse_erf", "inverse_erfc",
          "inverse_normal_cdf", "normal_cdf", "reciprocal_cbrt", "reciprocal_sqrt", "scaled_erfc"})
      all.insert(std::string(name) + "(double)");
    all.insert("reciprocal_square_root_rn(float)");
    for (const char* const type : {"long long", "unsigned long long", "double"})
      for (const char* const name : {"to_float", "to_double"})
        all.insert(std::string(name) + "(emu::detail::Rounding, " + type + ")");
    return all;
  }();
  return names;
}

/// Recognises atomics such as `int emu::detail::atomic_add<int>(int*, int)` by their symbols; the
/// guard checks the first argument.
std::optional<External> find_atomic(const std::string& symbol, std::string_view name) {
  constexpr std::string_view kPrefix = "emu::detail::atomic_";
  const std::size_t begin = name.find(kPrefix);
  if (begin == name.npos || !symbol.starts_with("_ZN3emu6detail")) return std::nullopt;
  const std::size_t open = name.find('(', begin);
  const std::size_t star = name.find('*', std::min(open, name.size()));
  if (star == name.npos) return std::nullopt;
  static const std::unordered_map<std::string_view, unsigned> bytes = {
      {"int", 4},       {"unsigned int", 4},       {"float", 4},         {"long", 8},
      {"long long", 8}, {"unsigned long long", 8}, {"unsigned long", 8}, {"double", 8},
      {"float2", 8},    {"unsigned short", 2},     {"float4", 16},       {"void", 16}};
  const auto known = bytes.find(name.substr(open + 1, star - open - 1));
  if (known == bytes.end()) return std::nullopt;
  External external{symbol, {{"rdi", "", known->second, kChanged}}, true, true, false};
  const std::string_view function = name.substr(begin, open - begin);
  if (function == "emu::detail::atomic_exchange_16") {
    external.pointers.push_back({"rsi", "", 16, kRead});
    external.pointers.push_back({"rdx", "", 16, kChanged});
  } else if (function == "emu::detail::atomic_compare_and_swap_16") {
    external.pointers.push_back({"rsi", "", 16, kRead});
    external.pointers.push_back({"rdx", "", 16, kRead});
    external.pointers.push_back({"rcx", "", 16, kChanged});
  }
  return external;
}

std::optional<External> find_hook(const std::string& symbol) {
  constexpr std::string_view kPrefix = "__tsan_";
  if (!symbol.starts_with(kPrefix)) return std::nullopt;
  static const std::set<std::string> hooks = [] {
    std::set<std::string> all = {"read_range", "write_range"};
    for (const char* const kind : {"", "unaligned_", "volatile_"})
      for (const char* const access : {"read", "write"})
        for (const char* const bytes : {"1", "2", "4", "8", "16"})
          all.insert(std::string(kind) + access + bytes);
    return all;
  }();
  const std::string name = symbol.substr(kPrefix.size());
  if (!hooks.count(name)) return std::nullopt;
  External external{"confined_tsan_" + name, {}, true, false, true};
  external.looks_at_load = name.find("read") != name.npos;
  const std::size_t digits = name.find_first_of("0123456789");
  if (digits != name.npos)
    external.hook_bytes = static_cast<unsigned>(std::atoi(name.c_str() + digits));
  return external;
}

}  // namespace

std::string demangled(const std::string& symbol) {
  // Otherwise `x` would be demangled as the type long long.
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : symbol;
}

std::string name_for_student(const std::string& symbol) {
  static const std::unordered_map<std::string, std::string> ours = {
      {"emu_new", "`new`"},
      {"emu_new_nothrow", "`new`"},
      {"emu_delete", "`delete`"},
      {"emu_delete_sized", "`delete`"}};
  if (const auto known = ours.find(symbol); known != ours.end()) return known->second;
  const std::string name = demangled(symbol);
  const bool is_internal = name.find("emu") != name.npos || name.find("confined") != name.npos ||
                           name.starts_with("__tsan") || name.starts_with("_Z");
  return is_internal ? "" : "`" + name + "`";
}

std::optional<External> find_external(const std::string& symbol) {
  if (const auto hook = find_hook(symbol)) return hook;
  if (numeric_functions().count(symbol)) return External{symbol, {}, true, false, false};
  if (const auto found = replaced_functions().find(symbol); found != replaced_functions().end()) {
    static const std::set<std::string> endless = {"confined_trap", "confined_unsupported",
                                                  "confined_assert_fail"};
    const bool lanes_meet = found->second.starts_with("confined_warp");
    return External{found->second, {}, endless.count(found->second) == 0, lanes_meet, false};
  }
  if (!symbol.starts_with("_ZN3emu") && !symbol.starts_with("emu_")) return std::nullopt;
  const std::string name = demangled(symbol);
  if (const auto found = engine_functions().find(name); found != engine_functions().end())
    return External{symbol, found->second, true, true, false};
  constexpr std::string_view kDetail = "emu::detail::";
  if (name.starts_with(kDetail) && arithmetic_functions().count(name.substr(kDetail.size())))
    return External{symbol, {}, true, false, false};
  return find_atomic(symbol, name);
}

bool may_be_undefined(const std::string& symbol) {
  static const std::set<std::string> others = words(
      "_GLOBAL_OFFSET_TABLE_ threadIdx blockIdx blockDim gridDim emu_round_path "
      "emu_dynamic_shared_memory "
      "confined_begin confined_return confined_forget confined_launch");
  if (others.count(symbol)) return true;
  static const std::set<std::string> checks = [] {
    std::set<std::string> all = {kRead, kChanged, kReadLater, kChangedLater};
    for (const char* const access : {"load", "store"})
      for (const char* const bytes : {"1", "2", "4", "8", "16"})
        all.insert(std::string("confined_") + access + "_" + bytes);
    for (const auto& [name, stand_in] : replaced_functions()) all.insert(stand_in);
    return all;
  }();
  if (checks.count(symbol)) return true;
  constexpr std::string_view kHook = "confined_tsan_";
  if (symbol.starts_with(kHook))
    return find_hook("__tsan_" + symbol.substr(kHook.size())).has_value();
  const auto external = find_external(symbol);
  return external && external->symbol == symbol;
}

}  // namespace coursework::confine
