/// The table of PTX instructions that inline assembly may use. An instruction without a row stops
/// the build. The functions are in emulator/include/emulator/device_ptx.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emulator_nvcc {

/// `modifiers` are groups with blanks between them, in the order in which PTX writes them. A group
/// lists alternatives, `lo|hi`; one with `?` behind it may be missing. The function's template
/// arguments are the groups' tags: lo_ for .lo, shared_cta_ for .shared::cta, none_ for a group
/// that is missing; shape_<16, 8, 8> for .m16n8k8. A group with `~` before it makes no difference
/// to the function, and has no tag.
///
/// `operands` has a letter for each operand:
///   c  no operand, but the first argument: the carry flag
///   d  a register for a result
///   p  behind d: another one that `d|p` may name, a predicate; the function always has it
///   a  a register or a number
///   0  the number 0, which the function does not get
///   m  an address in memory, [a] or [a+8]
///   t  a tensor and its coordinates, [a, {a, a}]
///   V  as many results as .v2 or .v4 says, in { }; one without them
///   v  as many registers or numbers
///   R  registers of 32 bits for results, in { }; the function gets them as one array
///   G  the same of registers or numbers that are read
///   U  the same of registers that are read and written
/// Coordinates and the elements of V and v are the function's last arguments. The cache policy that
/// .L2::cache_hint announces is no operand here, as it changes no value.
struct PtxInstruction {
  std::string_view opcode;
  std::string modifiers;
  std::string_view operands;
  std::string_view function;
};

// Groups of types.
inline const std::string kInt = "u16|u32|u64|s16|s32|s64";
inline const std::string kWord = "u32|u64|s32|s64";
inline const std::string kBits = "pred|b16|b32|b64";
inline const std::string kAny = "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64";
inline const std::string kFloatTypes = "f32|f64";
inline const std::string kNarrow = "f16|f16x2|bf16|bf16x2";
inline const std::string kRound = "rn|rz|rm|rp";
inline const std::string kOrder = "eq|ne|lt|le|gt|ge|lo|ls|hi|hs";
inline const std::string kFloatOrder = "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan";

// Several numbers in a word: the types of the results and of both operands, and what comes behind.
inline const std::string kFields = "u32|s32 u32|s32 u32|s32 ";
inline const std::string kFieldSum = "sat|add?";

inline const std::string kSpace = "global|shared|shared::cta|shared::cluster|const|local";
inline const std::string kWritableSpace = "global|shared|shared::cta|shared::cluster|local";
inline const std::string kAtomicSpace = "global|shared|shared::cta|shared::cluster";
inline const std::string kScope = "cta|cluster|gpu|sys";
inline const std::string kMemory = "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64";
inline const std::string kSilentScope = "~" + kScope;
// Cache hints, which change no value.
inline const std::string kEvictions =
    " ~L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate?"
    " ~L2::evict_normal|L2::evict_first|L2::evict_last? ~L2::cache_hint?";
inline const std::string kLoadHints = kEvictions + " ~L2::64B|L2::128B|L2::256B? ";
inline const std::string kPolicy =
    "~L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged"
    " ~L2::evict_first|L2::evict_unchanged? ~b64";
inline const std::string kAtomic =
    "relaxed|acquire|release|acq_rel? " + kScope + "? " + kAtomicSpace + "? ";
inline const std::string kReduction = "relaxed|release? " + kScope + "? " + kAtomicSpace + "? ";
inline const std::string kCopyHints = " ~L2::cache_hint? ~L2::64B|L2::128B|L2::256B?";
inline const std::string kOfBlock = "shared|shared::cta?";
inline const std::string kArrival =
    "~release|relaxed? ~cta|cluster? shared|shared::cta|shared::cluster?";
inline const std::string kWait = "~acquire|relaxed? ~cta|cluster? shared|shared::cta?";
inline const std::string kTensor = "~1d|2d|3d|4d|5d ";
inline const std::string kToGlobal = "~global ~shared::cta ~tile? ~bulk_group";
inline const std::string kFromGlobal =
    "~shared::cluster|shared::cta ~global ~tile? ~mbarrier::complete_tx::bytes";

// Matrices of 8 x 8, with modifiers in each order that ptxas accepts.
inline const std::string kMatrices = "~sync ~aligned ~m8n8 ~x1|x2|x4 trans? ";
inline const std::string kMatricesCountFirst = "~sync ~aligned ~x1|x2|x4 trans? ~m8n8 ";
inline const std::string kMatricesTransLast = "~sync ~aligned ~x1|x2|x4 ~m8n8 trans ";

/// Returns the shapes of a warpgroup's products: every n from 8 to 256 that is a multiple of 8; for
/// integers, only 8, 24 and multiples of 16.
inline std::string warpgroup_shapes(const std::string& k, bool of_integers = false) {
  std::string shapes;
  for (int n = 8; n <= 256; n += 8)
    if (!of_integers || n % 16 == 0 || n == 8 || n == 24)
      shapes += (shapes.empty() ? "m64n" : "|m64n") + std::to_string(n) + "k" + k;
  return shapes;
}
inline const std::string kWarpgroup = "~mma_async ~sync ~aligned ";

/// The instructions, family by family.
inline const PtxInstruction kPtxInstructions[] = {
    {"mov", "pred|" + kAny, "da", "mov"},
    {"mov", "b16|b32|b64", "Va", "mov_unpack"},
    {"mov", "b16|b32|b64", "dv", "mov_pack"},

    {"add", kInt, "daa", "add"},
    {"sub", kInt, "daa", "sub"},
    {"mul", "lo|hi " + kInt, "daa", "mul"},
    {"mul", "wide u16|u32|s16|s32", "daa", "mul"},
    {"mad", "lo|hi " + kInt, "daaa", "mad"},
    {"mad", "wide u16|u32|s16|s32", "daaa", "mad"},
    {"div", kInt, "daa", "div"},
    {"rem", kInt, "daa", "rem"},
    {"min", kInt, "daa", "min"},
    {"max", kInt, "daa", "max"},
    {"sad", kInt, "daaa", "sad"},
    {"abs", "s16|s32|s64", "da", "abs"},
    {"neg", "s16|s32|s64", "da", "neg"},
    {"dp4a", "u32|s32 u32|s32", "daaa", "dp4a"},
    {"dp2a", "lo|hi u32|s32 u32|s32", "daaa", "dp2a"},

    {"and", kBits, "daa", "bit_and"},
    {"or", kBits, "daa", "bit_or"},
    {"xor", kBits, "daa", "bit_xor"},
    {"not", kBits, "da", "bit_not"},
    {"cnot", "b16|b32|b64", "da", "cnot"},
    {"shl", "b16|b32|b64", "daa", "shl"},
    {"shr", "b16|b32|b64|" + kInt, "daa", "shr"},
    {"shf", "l|r clamp|wrap b32", "daaa", "shf"},
    {"lop3", "b32", "daaaa", "lop3"},
    {"prmt", "b32 f4e|b4e|rc8|ecl|ecr|rc16?", "daaa", "prmt"},
    {"bfe", kWord, "daaa", "bfe"},
    {"bfi", "b32|b64", "daaaa", "bfi"},
    {"bmsk", "clamp|wrap ~b32", "daa", "bmsk"},
    {"bfind", "shiftamt? " + kWord, "da", "bfind"},
    {"brev", "b32|b64", "da", "brev"},
    {"clz", "b32|b64", "da", "clz"},
    {"popc", "b32|b64", "da", "popc"},
    {"fns", "~b32", "daaa", "fns"},
    {"szext", "clamp|wrap u32|s32", "daa", "szext"},
    {"mul24", "lo|hi u32|s32", "daa", "mul24"},
    {"mad24", "lo|hi - u32|s32", "daaa", "mad24"},
    {"mad24", "hi sat s32", "daaa", "mad24"},

    {"vadd2", kFields + kFieldSum, "daaa", "vadd2"},
    {"vadd4", kFields + kFieldSum, "daaa", "vadd4"},
    {"vsub2", kFields + kFieldSum, "daaa", "vsub2"},
    {"vsub4", kFields + kFieldSum, "daaa", "vsub4"},
    {"vavrg2", kFields + kFieldSum, "daaa", "vavrg2"},
    {"vavrg4", kFields + kFieldSum, "daaa", "vavrg4"},
    {"vabsdiff2", kFields + kFieldSum, "daaa", "vabsdiff2"},
    {"vabsdiff4", kFields + kFieldSum, "daaa", "vabsdiff4"},
    {"vmin2", kFields + kFieldSum, "daaa", "vmin2"},
    {"vmin4", kFields + kFieldSum, "daaa", "vmin4"},
    {"vmax2", kFields + kFieldSum, "daaa", "vmax2"},
    {"vmax4", kFields + kFieldSum, "daaa", "vmax4"},
    {"vset2", "u32|s32 u32|s32 eq|ne|lt|le|gt|ge add?", "daaa", "vset2"},
    {"vset4", "u32|s32 u32|s32 eq|ne|lt|le|gt|ge add?", "daaa", "vset4"},

    {"add", kRound + "? ftz? sat? f32|f64", "daa", "float_add"},
    {"sub", kRound + "? ftz? sat? f32|f64", "daa", "float_sub"},
    {"mul", kRound + "? ftz? sat? f32|f64", "daa", "float_mul"},
    {"fma", kRound + " ftz? sat? f32|f64", "daaa", "float_fma"},
    {"mad", kRound + " ftz? sat? f32|f64", "daaa", "float_fma"},
    {"div", kRound + " ftz? f32|f64", "daa", "float_div"},
    {"rcp", kRound + " ftz? f32|f64", "da", "float_rcp"},
    {"sqrt", kRound + " ftz? f32|f64", "da", "float_sqrt"},
    {"min", "ftz? NaN? " + kFloatTypes, "daa", "float_min"},
    {"max", "ftz? NaN? " + kFloatTypes, "daa", "float_max"},
    {"abs", "ftz? " + kFloatTypes, "da", "float_abs"},
    {"neg", "ftz? " + kFloatTypes, "da", "float_neg"},

    {"testp", "finite|infinite|number|notanumber|normal|subnormal " + kFloatTypes, "da", "testp"},
    {"copysign", kFloatTypes, "daa", "copysign"},

    {"selp", kAny, "daaa", "selp"},
    {"slct", "- " + kAny + " s32", "daaa", "slct"},
    {"slct", "ftz? " + kAny + " f32", "daaa", "slct"},
    {"set", kOrder + " - u32|s32|f32 b16|b32|b64|" + kInt, "daa", "set_if"},
    {"set", kFloatOrder + " ftz? u32|s32|f32 " + kFloatTypes, "daa", "set_if"},
    {"set", kOrder + " and|or|xor - u32|s32|f32 b16|b32|b64|" + kInt, "daaa", "set_if_with"},
    {"set", kFloatOrder + " and|or|xor ftz? u32|s32|f32 " + kFloatTypes, "daaa", "set_if_with"},
    {"setp", kOrder + " - b16|b32|b64|" + kInt, "dpaa", "setp"},
    {"setp", kFloatOrder + " ftz? " + kFloatTypes, "dpaa", "setp"},
    {"setp", kOrder + " and|or|xor - b16|b32|b64|" + kInt, "dpaaa", "setp_with"},
    {"setp", kFloatOrder + " and|or|xor ftz? " + kFloatTypes, "dpaaa", "setp_with"},

    {"cvt", "u8|s8|" + kInt + " u8|s8|" + kInt, "da", "cvt"},
    {"cvt", "sat u8|s8|" + kInt + " u8|s8|" + kInt, "da", "cvt_sat"},
    {"cvt", kRound + " f32|f64 " + kWord, "da", "cvt_to_float"},
    {"cvt", "rni|rzi|rmi|rpi ftz? " + kWord + " f32|f64", "da", "cvt_to_int"},
    {"cvt", "ftz? ~f64 ~f32", "da", "cvt_widen"},
    {"cvt", kRound + " ftz? sat? ~f32 ~f64", "da", "cvt_narrow"},
    {"cvt", "rni|rzi|rmi|rpi? ftz? sat? f32 ~f32", "da", "cvt_same"},
    {"cvt", "rni|rzi|rmi|rpi ftz? sat? f64 ~f64", "da", "cvt_same"},

    {"add", "~rn? ftz? sat? " + kNarrow, "daa", "narrow_add"},
    {"sub", "~rn? ftz? sat? " + kNarrow, "daa", "narrow_sub"},
    {"mul", "~rn? ftz? sat? " + kNarrow, "daa", "narrow_mul"},
    {"fma", "~rn ftz? sat|relu? " + kNarrow, "daaa", "narrow_fma"},
    {"min", "ftz? NaN? " + kNarrow, "daa", "narrow_min"},
    {"max", "ftz? NaN? " + kNarrow, "daa", "narrow_max"},
    {"neg", kNarrow, "da", "narrow_neg"},
    {"abs", kNarrow, "da", "narrow_abs"},
    {"cvt", "~f32 f16|bf16", "da", "cvt_from_narrow"},
    {"cvt", "rn|rz relu? f16|bf16 ~f32", "da", "cvt_to_narrow"},
    {"cvt", "rn|rz relu? f16x2|bf16x2 ~f32", "daa", "cvt_to_pair"},
    {"cvt", "~rn ~satfinite relu? e4m3x2|e5m2x2 ~f32", "daa", "cvt_to_eight_bits"},
    {"cvt", "~rn ~satfinite relu? e4m3x2|e5m2x2 ~f16x2", "da", "cvt_pair_to_eight_bits"},
    {"cvt", "~rn relu? ~f16x2 e4m3x2|e5m2x2", "da", "cvt_from_eight_bits"},
    {"cvt", "rna - ~tf32 ~f32", "da", "cvt_to_tf32"},
    {"cvt", "rn|rz relu? ~tf32 ~f32", "da", "cvt_to_tf32"},

    {"add", "~cc " + kWord, "cdaa", "add_cc"},
    {"addc", "cc? " + kWord, "cdaa", "addc"},
    {"sub", "~cc " + kWord, "cdaa", "sub_cc"},
    {"subc", "cc? " + kWord, "cdaa", "subc"},
    {"mad", "lo|hi ~cc " + kWord, "cdaaa", "mad_cc"},
    {"madc", "lo|hi cc? " + kWord, "cdaaa", "madc"},

    {"div", "~approx|full ftz? ~f32", "daa", "approx_div"},
    {"rcp", "~approx ftz? ~f32", "da", "approx_rcp"},
    {"sqrt", "~approx ftz? ~f32", "da", "approx_sqrt"},
    {"rsqrt", "~approx ftz? ~f32", "da", "approx_rsqrt"},
    {"ex2", "~approx ftz? ~f32", "da", "approx_ex2"},
    {"lg2", "~approx ftz? ~f32", "da", "approx_lg2"},
    {"sin", "~approx ftz? ~f32", "da", "approx_sin"},
    {"cos", "~approx ftz? ~f32", "da", "approx_cos"},
    {"tanh", "~approx ~f32", "da", "approx_tanh"},

    {"ld",
     "weak|volatile? - " + kSpace + "? ~ca|cg|cs|lu|cv? nc?" + kLoadHints + "v2|v4? " + kMemory,
     "Vm", "load"},
    {"ld", "relaxed|acquire " + kScope + " " + kSpace + "? nc?" + kLoadHints + "v2|v4? " + kMemory,
     "Vm", "load"},
    {"st",
     "weak|volatile? - " + kWritableSpace + "? ~wb|cg|cs|wt?" + kEvictions + " v2|v4? " + kMemory,
     "mv", "store_to"},
    {"st",
     "relaxed|release " + kScope + " " + kWritableSpace + "?" + kEvictions + " v2|v4? " + kMemory,
     "mv", "store_to"},
    {"cvta", "~to " + kSpace + " u32|u64", "da", "cvta_to"},
    {"cvta", kSpace + " u32|u64", "da", "cvta"},
    {"isspacep", kSpace, "da", "isspacep"},
    {"prefetch", "~global|local? ~L1|L2|L2::evict_last|L2::evict_normal", "m", "hint"},
    {"prefetch", "~const|param? ~tensormap", "m", "hint"},
    {"prefetchu", "~L1", "m", "hint"},
    {"applypriority", "~global? ~L2::evict_normal", "ma", "hint"},
    {"discard", "~global? ~L2", "ma", "hint"},
    {"createpolicy", "~fractional " + kPolicy, "da", "cache_policy"},
    {"createpolicy", "~fractional " + kPolicy, "d", "cache_policy"},

    {"atom", kAtomic + "add ~L2::cache_hint? u32|s32|u64|f32|f64", "dma", "atom"},
    {"atom", kAtomic + "add ~noftz ~L2::cache_hint? f16|bf16|f16x2|bf16x2", "dma", "atom"},
    {"atom", kAtomic + "inc|dec ~L2::cache_hint? u32", "dma", "atom"},
    {"atom", kAtomic + "min|max ~L2::cache_hint? u32|s32|u64|s64", "dma", "atom"},
    {"atom", kAtomic + "and|or|xor|exch ~L2::cache_hint? b32|b64", "dma", "atom"},
    {"atom", kAtomic + "~cas ~L2::cache_hint? b16|b32|b64", "dmaa", "atom_cas"},
    {"red", kReduction + "add ~L2::cache_hint? u32|s32|u64|f32|f64", "ma", "red"},
    {"red", kReduction + "add ~noftz ~L2::cache_hint? f16|bf16|f16x2|bf16x2", "ma", "red"},
    {"red", kReduction + "inc|dec ~L2::cache_hint? u32", "ma", "red"},
    {"red", kReduction + "min|max ~L2::cache_hint? u32|s32|u64|s64", "ma", "red"},
    {"red", kReduction + "and|or|xor ~L2::cache_hint? b32|b64", "ma", "red"},
    {"red", kReduction + "~add ~L2::cache_hint? v2|v4 ~f32", "mv", "red_vector"},

    {"shfl", "~sync up|down|bfly|idx ~b32", "dpaaaa", "shfl"},
    {"vote", "~sync all|any|uni ~pred", "daa", "vote"},
    {"vote", "~sync ~ballot ~b32", "daa", "vote_ballot"},
    {"vote", "~ballot ~sync ~b32", "daa", "vote_ballot"},
    {"match", "~any ~sync b32|b64", "daa", "match_any"},
    {"match", "~all ~sync b32|b64", "dpaa", "match_all"},
    {"redux", "~sync add|min|max u32|s32", "daa", "redux"},
    {"redux", "~sync and|or|xor b32", "daa", "redux"},
    {"elect", "~sync", "dpa", "elect"},
    {"activemask", "~b32", "d", "activemask"},
    {"bar", "~warp ~sync", "a", "bar_warp_sync"},

    {"bar", "~cta? ~sync", "0", "bar_sync_0"},
    {"bar", "~cta? ~sync", "a", "bar_sync"},
    {"bar", "~cta? ~sync", "aa", "bar_sync"},
    {"bar", "~cta? ~arrive", "aa", "bar_arrive"},
    {"bar", "~cta? ~red and|or ~pred", "daa", "bar_red"},
    {"bar", "~cta? ~red and|or ~pred", "daaa", "bar_red"},
    {"bar", "~cta? ~red popc ~u32", "daa", "bar_red"},
    {"bar", "~cta? ~red popc ~u32", "daaa", "bar_red"},
    {"barrier", "~cta? ~sync ~aligned?", "0", "bar_sync_0"},
    {"barrier", "~cta? ~sync ~aligned?", "a", "bar_sync"},
    {"barrier", "~cta? ~sync ~aligned?", "aa", "bar_sync"},
    {"barrier", "~cta? ~arrive ~aligned?", "aa", "bar_arrive"},
    {"barrier", "~cta? ~red and|or ~aligned? ~pred", "daa", "bar_red"},
    {"barrier", "~cta? ~red and|or ~aligned? ~pred", "daaa", "bar_red"},
    {"barrier", "~cta? ~red popc ~aligned? ~u32", "daa", "bar_red"},
    {"barrier", "~cta? ~red popc ~aligned? ~u32", "daaa", "bar_red"},

    {"membar", "cta|gl|sys", "", "memory_fence"},
    {"fence", "~sc|acq_rel|acquire|release " + kScope, "", "memory_fence"},
    {"fence", "~proxy ~alias", "", "no_operation"},
    {"fence", "~proxy ~async ~global|shared::cta|shared::cluster?", "", "fence_proxy_async"},
    {"fence", "~proxy ~tensormap::generic ~release " + kSilentScope, "", "no_operation"},
    {"fence", "~proxy ~tensormap::generic ~acquire " + kSilentScope, "ma", "no_operation"},
    {"fence", "~mbarrier_init ~release ~cluster", "", "no_operation"},

    {"barrier", "~cluster ~arrive ~release|relaxed? ~aligned?", "", "cluster_barrier_arrive"},
    {"barrier", "~cluster ~wait ~acquire? ~aligned?", "", "cluster_barrier_wait"},
    {"mapa", "shared::cluster? u32|u64", "daa", "mapa"},
    {"getctarank", "shared::cluster? u32|u64", "da", "getctarank"},

    {"cp", "~async ~ca|cg ~shared|shared::cta ~global" + kCopyHints, "mma", "cp_async"},
    {"cp", "~async ~ca|cg ~shared|shared::cta ~global" + kCopyHints, "mmaa", "cp_async"},
    {"cp", "~async ~commit_group", "", "cp_async_commit_group"},
    {"cp", "~async ~wait_group", "a", "cp_async_wait_group"},
    {"cp", "~async ~wait_all", "", "cp_async_wait_all"},
    {"cp", "~async ~mbarrier ~arrive noinc? shared|shared::cta? ~b64", "m",
     "cp_async_mbarrier_arrive"},

    {"mbarrier", "~init " + kOfBlock + " ~b64", "ma", "mbarrier_init"},
    {"mbarrier", "~inval " + kOfBlock + " ~b64", "m", "mbarrier_inval"},
    {"mbarrier", "~arrive " + kArrival + " ~b64", "dm", "mbarrier_arrive"},
    {"mbarrier", "~arrive " + kArrival + " ~b64", "dma", "mbarrier_arrive"},
    {"mbarrier", "~arrive ~noComplete " + kArrival + " ~b64", "dma", "mbarrier_arrive"},
    {"mbarrier", "~arrive ~expect_tx " + kArrival + " ~b64", "dma", "mbarrier_arrive_expect_tx"},
    {"mbarrier", "~arrive_drop " + kArrival + " ~b64", "dm", "mbarrier_arrive_drop"},
    {"mbarrier", "~arrive_drop " + kArrival + " ~b64", "dma", "mbarrier_arrive_drop"},
    {"mbarrier", "~arrive_drop ~expect_tx " + kArrival + " ~b64", "dma",
     "mbarrier_arrive_drop_expect_tx"},
    {"mbarrier", "~expect_tx " + kArrival + " ~b64", "ma", "mbarrier_expect_tx"},
    {"mbarrier", "~try_wait ~parity " + kWait + " ~b64", "dma", "mbarrier_try_wait_parity"},
    {"mbarrier", "~try_wait ~parity " + kWait + " ~b64", "dmaa", "mbarrier_try_wait_parity"},
    {"mbarrier", "~try_wait " + kWait + " ~b64", "dma", "mbarrier_try_wait"},
    {"mbarrier", "~try_wait " + kWait + " ~b64", "dmaa", "mbarrier_try_wait"},
    {"mbarrier", "~test_wait ~parity " + kWait + " ~b64", "dma", "mbarrier_test_wait_parity"},
    {"mbarrier", "~test_wait " + kWait + " ~b64", "dma", "mbarrier_test_wait"},

    {"cp", "~async ~bulk " + kFromGlobal + " ~L2::cache_hint?", "mmam", "bulk_copy"},
    {"cp", "~async ~bulk " + kFromGlobal + " ~multicast::cluster ~L2::cache_hint?", "mmama",
     "bulk_copy_multicast"},
    {"cp", "~async ~bulk ~shared::cluster ~shared::cta ~mbarrier::complete_tx::bytes", "mmam",
     "bulk_copy_shared"},
    {"cp", "~async ~bulk ~prefetch ~L2 ~global ~L2::cache_hint?", "ma", "hint"},
    {"cp", "~async ~bulk ~tensor " + kTensor + kFromGlobal + " ~L2::cache_hint?", "mtm",
     "box_copy"},
    {"cp",
     "~async ~bulk ~tensor " + kTensor + kFromGlobal + " ~multicast::cluster ~L2::cache_hint?",
     "mtma", "box_copy_multicast"},
    {"cp", "~async ~bulk ~prefetch ~tensor " + kTensor + "~L2 ~global ~tile? ~L2::cache_hint?", "t",
     "prefetch_box"},

    {"cp", "~async ~bulk ~global ~shared::cta ~bulk_group ~L2::cache_hint?", "mma", "bulk_store"},
    {"cp", "~async ~bulk ~tensor " + kTensor + kToGlobal + " ~L2::cache_hint?", "tm", "box_store"},
    {"cp", "~async ~bulk ~commit_group", "", "bulk_commit_group"},
    {"cp", "~async ~bulk ~wait_group read?", "a", "bulk_wait_group"},

    {"ldmatrix", kMatrices + kOfBlock + " ~b16", "Rm", "ldmatrix"},
    {"ldmatrix", kMatricesCountFirst + kOfBlock + " ~b16", "Rm", "ldmatrix"},
    {"ldmatrix", kMatricesTransLast + kOfBlock + " ~b16", "Rm", "ldmatrix"},
    {"stmatrix", kMatrices + kOfBlock + " ~b16", "mG", "stmatrix"},
    {"stmatrix", kMatricesCountFirst + kOfBlock + " ~b16", "mG", "stmatrix"},
    {"stmatrix", kMatricesTransLast + kOfBlock + " ~b16", "mG", "stmatrix"},

    {"mma", "~sync ~aligned m16n8k8|m16n8k16 ~row ~col - f32 f16 f16 ~f32", "RGGG", "mma"},
    {"mma", "~sync ~aligned m16n8k8|m16n8k16 ~row ~col - f16 f16 f16 ~f16", "RGGG", "mma"},
    {"mma", "~sync ~aligned m16n8k8|m16n8k16 ~row ~col - f32 bf16 bf16 ~f32", "RGGG", "mma"},
    {"mma", "~sync ~aligned m16n8k4|m16n8k8 ~row ~col - f32 tf32 tf32 ~f32", "RGGG", "mma"},
    {"mma", "~sync ~aligned m16n8k32 ~row ~col - f32 e4m3|e5m2 e4m3|e5m2 ~f32", "RGGG", "mma"},
    {"mma", "~sync ~aligned m16n8k16|m16n8k32 ~row ~col satfinite? s32 s8|u8 s8|u8 ~s32", "RGGG",
     "mma"},

    {"wgmma", "~fence ~sync ~aligned", "", "wgmma_fence"},
    {"wgmma", "~commit_group ~sync ~aligned", "", "wgmma_commit_group"},
    {"wgmma", "~wait_group ~sync ~aligned", "a", "wgmma_wait_group"},
    {"wgmma", kWarpgroup + warpgroup_shapes("16") + " - f32|f16 f16 f16", "Uaaaaaaa", "wgmma"},
    {"wgmma", kWarpgroup + warpgroup_shapes("16") + " - f32|f16 f16 f16", "UGaaaaa",
     "wgmma_of_registers"},
    {"wgmma", kWarpgroup + warpgroup_shapes("16") + " - f32 bf16 bf16", "Uaaaaaaa", "wgmma"},
    {"wgmma", kWarpgroup + warpgroup_shapes("16") + " - f32 bf16 bf16", "UGaaaaa",
     "wgmma_of_registers"},
    {"wgmma", kWarpgroup + warpgroup_shapes("8") + " - f32 tf32 tf32", "Uaaaaa", "wgmma"},
    {"wgmma", kWarpgroup + warpgroup_shapes("8") + " - f32 tf32 tf32", "UGaaaa",
     "wgmma_of_registers"},
    {"wgmma", kWarpgroup + warpgroup_shapes("32") + " - f32|f16 e4m3|e5m2 e4m3|e5m2", "Uaaaaa",
     "wgmma"},
    {"wgmma", kWarpgroup + warpgroup_shapes("32") + " - f32|f16 e4m3|e5m2 e4m3|e5m2", "UGaaaa",
     "wgmma_of_registers"},
    {"wgmma", kWarpgroup + warpgroup_shapes("32", true) + " satfinite? s32 s8|u8 s8|u8", "Uaaa",
     "wgmma"},
    {"wgmma", kWarpgroup + warpgroup_shapes("32", true) + " satfinite? s32 s8|u8 s8|u8", "UGaa",
     "wgmma_of_registers"},
    {"wgmma", kWarpgroup + warpgroup_shapes("32", true) + " - s32 s8|u8 s8|u8 satfinite", "Uaaa",
     "wgmma"},
    {"wgmma", kWarpgroup + warpgroup_shapes("32", true) + " - s32 s8|u8 s8|u8 satfinite", "UGaa",
     "wgmma_of_registers"},

    {"nanosleep", "~u32", "a", "nanosleep"},
    {"trap", "", "", "trap"},
    {"brkpt", "", "", "brkpt"},
    {"griddepcontrol", "~wait|launch_dependents", "", "no_operation"},
    {"setmaxnreg", "~inc|dec ~sync ~aligned ~u32", "a", "set_max_registers"},
};

/// Returns the C++ type of registers declared with `type` (".b32"); empty if there is none.
inline std::string ptx_register_type(std::string_view type) {
  if (type == ".pred") return "bool";
  if (type == ".b8" || type == ".u8" || type == ".s8") return "std::uint8_t";
  if (type == ".b16" || type == ".u16" || type == ".s16" || type == ".f16") return "std::uint16_t";
  if (type == ".b32" || type == ".u32" || type == ".s32" || type == ".f32" || type == ".f16x2")
    return "std::uint32_t";
  if (type == ".b64" || type == ".u64" || type == ".s64" || type == ".f64") return "std::uint64_t";
  return {};
}

/// Returns C++ for a special register (`%tid.x`); empty if the emulator does not have it.
inline std::string ptx_special_register(std::string_view name) {
  for (const auto& [ptx, cpp] : {std::pair{"%tid.", "::threadIdx."},
                                 {"%ntid.", "::blockDim."},
                                 {"%ctaid.", "::blockIdx."},
                                 {"%nctaid.", "::gridDim."},
                                 {"%clusterid.", "::__clusterIdx()."},
                                 {"%nclusterid.", "::__clusterGridDimInClusters()."},
                                 {"%cluster_ctaid.", "::__clusterRelativeBlockIdx()."},
                                 {"%cluster_nctaid.", "::__clusterDim()."}}) {
    const std::string_view start = ptx;
    if (name.size() == start.size() + 1 && name.starts_with(start) && name.back() >= 'x' &&
        name.back() <= 'z')
      return "std::uint32_t{" + (cpp + std::string(1, name.back())) + "}";
  }
  if (name == "%smid") return "::emu::ptx::multiprocessor()";
  if (name == "%nsmid") return "std::uint32_t{::emu::kMultiprocessors}";
  if (name == "%warpid") return "std::uint32_t{::emu::warp_id()}";
  if (name == "%nwarpid") return "std::uint32_t{::emu::ptx::warps_of_block()}";
  if (name == "%cluster_ctarank") return "std::uint32_t{::__clusterRelativeBlockRank()}";
  if (name == "%cluster_nctarank") return "std::uint32_t{::__clusterSizeInBlocks()}";
  if (name == "%is_explicit_cluster") return "(::__clusterDimIsSpecified() != 0)";
  if (name == "%globaltimer") return "std::uint64_t{::emu::clock()}";
  if (name == "%globaltimer_lo") return "static_cast<std::uint32_t>(::emu::clock())";
  if (name == "%globaltimer_hi") return "static_cast<std::uint32_t>(::emu::clock() >> 32)";
  if (name == "%clock_hi") return "static_cast<std::uint32_t>(::clock64() >> 32)";
  if (name == "WARP_SZ") return "std::uint32_t{32}";
  if (name == "%laneid") return "::emu::ptx::lane()";
  if (name == "%lanemask_eq") return "(1u << ::emu::ptx::lane())";
  if (name == "%lanemask_lt") return "((1u << ::emu::ptx::lane()) - 1u)";
  if (name == "%lanemask_le") return "((2u << ::emu::ptx::lane()) - 1u)";
  if (name == "%lanemask_ge") return "~((1u << ::emu::ptx::lane()) - 1u)";
  if (name == "%lanemask_gt") return "~((2u << ::emu::ptx::lane()) - 1u)";
  if (name == "%clock64") return "static_cast<std::uint64_t>(::clock64())";
  if (name == "%clock") return "static_cast<std::uint32_t>(::clock64())";
  return {};
}

}  // namespace emulator_nvcc
