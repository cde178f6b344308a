/// @file
/// Generates kernels at random, and prints a program with them:
///
///     generate_kernels SEED COUNT > kernels.cu
///
/// A seed gives the same text everywhere. The kernels do nothing that PTX or the emulator leaves
/// undefined: signed numbers do not overflow, integers are not divided by zero, lanes use only
/// masks that contain them, and atomic operations give the same result in every order. They do
/// convert numbers out of range, and shift by more bits than a word has.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

using Word = unsigned long long;

class Random {
 public:
  explicit Random(Word seed) : state_(seed * 0x2545f4914f6cdd1du + 1) { next(); }
  Word next() {
    Word x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }
  int below(int n) { return static_cast<int>((next() >> 11) % static_cast<Word>(n)); }
  bool chance(int percent) { return below(100) < percent; }

  template <class List>
  const auto& of(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }

 private:
  Word state_;
};

/// Arithmetic types in the order of their conversion ranks.
enum Type {
  kBool,
  kSigned8,
  kChar,
  kUnsigned8,
  kShort,
  kUnsignedShort,
  kInt,
  kUnsigned,
  kLong,
  kUnsignedLong,
  kLongLong,
  kUnsignedLongLong,
  kFloat,
  kDouble
};
constexpr int kTypes = kDouble + 1;
const char* const kNames[kTypes] = {"bool",  "signed char",    "char",      "unsigned char",
                                    "short", "unsigned short", "int",       "unsigned",
                                    "long",  "unsigned long",  "long long", "unsigned long long",
                                    "float", "double"};

bool is_real(Type t) { return t >= kFloat; }
bool is_narrow(Type t) { return t < kInt; }
bool is_unsigned(Type t) {
  return t == kBool || t == kUnsigned8 || t == kUnsignedShort || t == kUnsigned ||
         t == kUnsignedLong || t == kUnsignedLongLong;
}
bool is_wide(Type t) { return t >= kLong && !is_real(t); }
Type promoted(Type t) { return is_narrow(t) ? kInt : t; }
/// The usual arithmetic conversions.
Type common(Type a, Type b) {
  if (is_real(a) || is_real(b)) return a > b ? a : b;
  a = promoted(a), b = promoted(b);
  const Type high = a > b ? a : b, low = a > b ? b : a;
  if (high == kLongLong && low == kUnsignedLong) return kUnsignedLongLong;
  return high;
}
Type unsigned_of(Type t) {
  if (t == kInt) return kUnsigned;
  if (t == kLong) return kUnsignedLong;
  if (t == kLongLong) return kUnsignedLongLong;
  return t;
}

struct Expression {
  std::string text;
  Type type;
};

std::string cast(Type t, const std::string& text) {
  return "(" + std::string(kNames[t]) + ")(" + text + ")";
}

/// Returns whether an expression has only literals and conversions, and may be 2^31 or more.
bool is_large_constant(const std::string& text) {
  static const char* const kAllowed[] = {"bool",   "signed", "char",  "unsigned", "short",
                                         "int",    "long",   "float", "double",   "static_cast",
                                         "sizeof", "true",   "u8"};
  const auto continues = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  constexpr double kLarge = 0x1p31;
  bool large =
      text.find_first_of("*/~") != std::string::npos || text.find("<<") != std::string::npos;
  bool wraps = text.find("sizeof") != std::string::npos;  // unsigned numbers wrap below 0
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\'') {
      i = text.find('\'', i + 2) + 1;
    } else if (continues(text[i])) {
      const bool number = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
      std::size_t end = i;
      while (end < text.size() && (continues(text[end]) || (number && text[end] == '\''))) ++end;
      const std::string word = text.substr(i, end - i);
      if (!number &&
          std::find(std::begin(kAllowed), std::end(kAllowed), word) == std::end(kAllowed))
        return false;
      large |= number && std::strtod(word.c_str(), nullptr) >= kLarge;
      wraps |= number && word.find('u') != std::string::npos;
      wraps |= word == "unsigned";
      i = end;
    } else {
      ++i;
    }
  }
  return large || (wraps && text.find('-') != std::string::npos);
}

/// A device function: its result, its name, and a letter for each argument: i u l w f d.
struct Function {
  Type result;
  const char* name;
  const char* arguments;
};

const Function kFunctions[] = {
    {kInt, "__clz", "i"},
    {kInt, "__clzll", "l"},
    {kInt, "__popc", "u"},
    {kInt, "__popcll", "w"},
    {kUnsigned, "__brev", "u"},
    {kUnsignedLongLong, "__brevll", "w"},
    {kInt, "__ffs", "i"},
    {kInt, "__ffsll", "l"},
    {kUnsigned, "__funnelshift_l", "uuu"},
    {kUnsigned, "__funnelshift_r", "uuu"},
    {kUnsigned, "__funnelshift_lc", "uuu"},
    {kUnsigned, "__funnelshift_rc", "uuu"},
    {kUnsigned, "__byte_perm", "uuu"},
    {kInt, "__dp4a", "iii"},
    {kUnsigned, "__dp4a", "uuu"},
    {kInt, "__dp2a_lo", "iii"},
    {kUnsigned, "__dp2a_hi", "uuu"},
    {kInt, "__mul24", "ii"},
    {kUnsigned, "__umul24", "uu"},
    {kInt, "__mulhi", "ii"},
    {kUnsigned, "__umulhi", "uu"},
    {kLongLong, "__mul64hi", "ll"},
    {kUnsignedLongLong, "__umul64hi", "ww"},
    {kUnsigned, "__sad", "iiu"},
    {kUnsigned, "__usad", "uuu"},
    {kInt, "__hadd", "ii"},
    {kInt, "__rhadd", "ii"},
    {kUnsigned, "__uhadd", "uu"},
    {kUnsigned, "__urhadd", "uu"},
    {kInt, "min", "ii"},
    {kInt, "max", "ii"},
    {kUnsigned, "min", "uu"},
    {kUnsigned, "max", "uu"},
    {kLongLong, "min", "ll"},
    {kLongLong, "max", "ll"},
    {kUnsignedLongLong, "min", "ww"},
    {kUnsignedLongLong, "max", "ww"},
    {kUnsigned, "umin", "uu"},
    {kUnsigned, "umax", "uu"},
    {kUnsigned, "min", "iu"},
    {kUnsigned, "max", "ui"},
    {kLongLong, "llmax", "ll"},
    {kFloat, "min", "ff"},
    {kFloat, "max", "ff"},
    {kDouble, "min", "fd"},
    {kDouble, "max", "dd"},
    {kFloat, "fmaf", "fff"},
    {kDouble, "fma", "ddd"},
    {kFloat, "sqrtf", "f"},
    {kDouble, "sqrt", "d"},
    {kFloat, "rintf", "f"},
    {kDouble, "rint", "d"},
    {kFloat, "floorf", "f"},
    {kDouble, "floor", "d"},
    {kFloat, "floor", "f"},
    {kFloat, "ceilf", "f"},
    {kDouble, "ceil", "d"},
    {kFloat, "truncf", "f"},
    {kDouble, "trunc", "d"},
    {kFloat, "roundf", "f"},
    {kDouble, "round", "d"},
    {kFloat, "nearbyintf", "f"},
    {kFloat, "fabsf", "f"},
    {kDouble, "fabs", "d"},
    {kFloat, "fminf", "ff"},
    {kFloat, "fmaxf", "ff"},
    {kDouble, "fmin", "dd"},
    {kDouble, "fmax", "dd"},
    {kFloat, "fmodf", "ff"},
    {kFloat, "fdimf", "ff"},
    {kFloat, "nextafterf", "ff"},
    {kFloat, "__saturatef", "f"},
    {kFloat, "__fadd_rn", "ff"},
    {kFloat, "__fadd_rz", "ff"},
    {kFloat, "__fadd_ru", "ff"},
    {kFloat, "__fadd_rd", "ff"},
    {kFloat, "__fsub_rz", "ff"},
    {kFloat, "__fmul_rn", "ff"},
    {kFloat, "__fmul_rz", "ff"},
    {kFloat, "__fmul_ru", "ff"},
    {kFloat, "__fmul_rd", "ff"},
    {kFloat, "__fmaf_rz", "fff"},
    {kFloat, "__fmaf_ru", "fff"},
    {kFloat, "__fmaf_rd", "fff"},
    {kFloat, "__fdiv_rn", "ff"},
    {kFloat, "__fdiv_rz", "ff"},
    {kFloat, "__fdiv_ru", "ff"},
    {kFloat, "__frcp_rn", "f"},
    {kFloat, "__frcp_rd", "f"},
    {kFloat, "__fsqrt_rn", "f"},
    {kFloat, "__fsqrt_rz", "f"},
    {kFloat, "__fsqrt_ru", "f"},
    {kFloat, "__frsqrt_rn", "f"},
    {kDouble, "__dadd_rz", "dd"},
    {kDouble, "__dsub_ru", "dd"},
    {kDouble, "__dmul_rd", "dd"},
    {kDouble, "__fma_rz", "ddd"},
    {kDouble, "__ddiv_rn", "dd"},
    {kDouble, "__ddiv_ru", "dd"},
    {kDouble, "__dsqrt_rd", "d"},
    {kDouble, "__drcp_rn", "d"},
    {kInt, "__float2int_rn", "f"},
    {kInt, "__float2int_rd", "f"},
    {kInt, "__float2int_ru", "f"},
    {kInt, "__float2int_rz", "f"},
    {kUnsigned, "__float2uint_rn", "f"},
    {kUnsigned, "__float2uint_ru", "f"},
    {kLongLong, "__float2ll_rn", "f"},
    {kUnsignedLongLong, "__float2ull_rd", "f"},
    {kInt, "__double2int_rn", "d"},
    {kUnsigned, "__double2uint_ru", "d"},
    {kLongLong, "__double2ll_rd", "d"},
    {kUnsignedLongLong, "__double2ull_rn", "d"},
    {kFloat, "__double2float_rz", "d"},
    {kFloat, "__double2float_ru", "d"},
    {kFloat, "__double2float_rn", "d"},
    {kFloat, "__int2float_rz", "i"},
    {kFloat, "__int2float_ru", "i"},
    {kFloat, "__uint2float_rd", "u"},
    {kFloat, "__ll2float_rn", "l"},
    {kFloat, "__ll2float_ru", "l"},
    {kFloat, "__ull2float_rz", "w"},
    {kFloat, "__ull2float_rn", "w"},
    {kDouble, "__ll2double_rz", "l"},
    {kDouble, "__ull2double_ru", "w"},
    {kDouble, "__ull2double_rn", "w"},
    {kInt, "isnan", "f"},
    {kInt, "isinf", "d"},
    {kInt, "isfinite", "f"},
    {kInt, "lrintf", "m"},
    {kLongLong, "llrint", "m"},
    {kInt, "lroundf", "m"},
    {kUnsigned, "__vadd2", "uu"},
    {kUnsigned, "__vadd4", "uu"},
    {kUnsigned, "__vsub2", "uu"},
    {kUnsigned, "__vsub4", "uu"},
    {kUnsigned, "__vaddss2", "uu"},
    {kUnsigned, "__vaddus4", "uu"},
    {kUnsigned, "__vsubss4", "uu"},
    {kUnsigned, "__vsubus2", "uu"},
    {kUnsigned, "__vabs2", "u"},
    {kUnsigned, "__vabsss4", "u"},
    {kUnsigned, "__vneg2", "u"},
    {kUnsigned, "__vnegss2", "u"},
    {kUnsigned, "__vmaxs2", "uu"},
    {kUnsigned, "__vmaxu4", "uu"},
    {kUnsigned, "__vmins4", "uu"},
    {kUnsigned, "__vminu2", "uu"},
    {kUnsigned, "__vcmpeq4", "uu"},
    {kUnsigned, "__vcmpgtu4", "uu"},
    {kUnsigned, "__vcmples2", "uu"},
    {kUnsigned, "__vsetltu2", "uu"},
    {kUnsigned, "__vsetges4", "uu"},
    {kUnsigned, "__vavgu4", "uu"},
    {kUnsigned, "__vavgs2", "uu"},
    {kUnsigned, "__vhaddu2", "uu"},
    {kUnsigned, "__vabsdiffu4", "uu"},
    {kUnsigned, "__vabsdiffs2", "uu"},
    {kUnsigned, "__vsadu4", "uu"},
    {kUnsigned, "__vsads2", "uu"},
    {kInt, "__vimax3_s32", "iii"},
    {kUnsigned, "__vimin3_u32", "uuu"},
    {kUnsigned, "__viaddmax_s16x2", "uuu"},
    {kInt, "__vimax_s32_relu", "ii"},
    {kUnsigned, "__vimin3_s16x2", "uuu"},
    {kInt, "kind", "i"},
    {kInt, "kind", "u"},
    {kInt, "kind", "l"},
    {kInt, "kind", "w"},
    {kInt, "kind", "f"},
    {kInt, "kind", "d"},
    {kUnsigned, "stepped", "u"},
    {kUnsigned, "stepped", "uu"},
    {kUnsigned, "Turned<3>::of", "u"},
};

/// Operations on 16-bit numbers; % stands for the type's name in the function.
struct NarrowFunction {
  const char* name;
  int arguments;
};
const NarrowFunction kNarrowFunctions[] = {
    {"__hadd_rn", 2},  {"__hsub_rn", 2},  {"__hmul_rn", 2},  {"__hfma", 3},     {"__hdiv", 2},
    {"__hmax", 2},     {"__hmin", 2},     {"__hmax_nan", 2}, {"__hmin_nan", 2}, {"__habs", 1},
    {"__hneg", 1},     {"hfloor", 1},     {"hceil", 1},      {"hrint", 1},      {"htrunc", 1},
    {"__hadd_sat", 2}, {"__hmul_sat", 2}, {"__hfma_sat", 3}, {"__hfma_relu", 3}};
const char* const kNarrowTests[] = {"__heq", "__hne",  "__hlt",  "__hgt",  "__hge",
                                    "__hle", "__hequ", "__hltu", "__hgtu", "__hneu"};

enum Profile {
  kArithmetic,
  kLiterals,
  kIntrinsics,
  kControl,
  kWarp,
  kBlockwise,
  kNarrowReals,
  kObjects,
  kNarrowing
};
const char* const kProfiles[] = {"arithmetic", "literals", "intrinsics", "control",  "warp",
                                 "block",      "half",     "objects",    "narrowing"};

class Kernel {
 public:
  Kernel(Random& random, int number) : r_(random) {
    profile_ = static_cast<Profile>(number % static_cast<int>(std::size(kProfiles)));
    name_ = "k" + std::to_string(number) + "_" + kProfiles[profile_];
  }

  std::string text() {
    declare_inputs();
    for (const Type t : {kUnsigned, kFloat, any_type()}) declare(t, of_type(t, 2));
    const int statements = 8 + r_.below(8);
    for (int i = 0; i < statements; ++i) statement();
    for (const Expression& v : variables_) keep(v.text);
    return "__global__ void " + name_ + "(const Word* in, Word* out, Word* shared) {\n" +
           "  const int t = threadIdx.x, n = blockIdx.x * blockDim.x + t;\n" +
           "  Sink sink(out, n);\n" + globals_ + body_ + "}\n";
  }
  /// Returns whether nvcc may fold a conversion to an unsigned type: its result for a number out of
  /// range then depends on the context.
  bool is_open() const { return is_open_; }
  std::string entry() const {
    return "{\"" + name_ + "\", " + name_ + ", " + std::to_string(columns_) + "}";
  }

 private:
  static constexpr int kDepth = 3;
  static constexpr int kMaxColumns = 60;

  void line(const std::string& text) { body_ += indent_ + text + "\n"; }
  void keep(const std::string& value) {
    if (columns_ < kMaxColumns) line("sink(" + std::to_string(columns_++) + ", " + value + ");");
  }
  std::string fresh(const char* letter) { return letter + std::to_string(names_++); }
  Type any_type() { return static_cast<Type>(r_.below(kTypes)); }
  Type any_integer() { return static_cast<Type>(r_.below(kFloat)); }

  void declare_inputs() {
    for (int i = 0; i < 10; ++i) {
      const std::string word = "in[" + std::to_string(i) + " * kThreads + n]";
      const Type t = i == 0 ? kInt : i == 1 ? kUnsigned : i == 2 ? kFloat : any_type();
      const std::string name = fresh("a");
      const std::string value = t == kFloat    ? "float_of(" + word + ")"
                                : t == kDouble ? "double_of(" + word + ")"
                                : t == kBool   ? "(" + word + " >> 3 & 1) != 0"
                                               : cast(t, word);
      line("const " + std::string(kNames[t]) + " " + name + " = " + value + ";");
      inputs_.push_back({name, t});
    }
  }

  // Expressions.

  Expression variable() {
    if (!variables_.empty() && r_.chance(60)) return r_.of(variables_);
    return r_.of(inputs_);
  }

  Expression literal() {
    static const std::pair<const char*, Type> kIntegers[] = {
        {"0", kInt},
        {"1", kInt},
        {"-1", kInt},
        {"2147483647", kInt},
        {"(-2147483647 - 1)", kInt},
        {"0x7f", kInt},
        {"0200", kInt},
        {"0b1011", kInt},
        {"'a'", kChar},
        {"'\\377'", kChar},
        {"'\\x80'", kChar},
        {"u8'z'", kUnsigned8},
        {"1'000'003", kInt},
        {"4294967295", kLong},
        {"0xffffffff", kUnsigned},
        {"2147483648", kLong},
        {"0x80000000", kUnsigned},
        {"037777777777", kUnsigned},
        {"3u", kUnsigned},
        {"5l", kLong},
        {"7ul", kUnsignedLong},
        {"11ll", kLongLong},
        {"13ull", kUnsignedLongLong},
        {"0x8000000000000000", kUnsignedLong},
        {"18446744073709551615u", kUnsignedLong},
        {"9223372036854775807", kLong},
        {"true", kBool},
        {"sizeof(double)", kUnsignedLong},
        {"255", kInt},
        {"256", kInt},
        {"65535", kInt},
        {"-32769", kInt},
        {"(short)40000", kShort},
        {"(signed char)200", kSigned8},
        {"(unsigned char)-1", kUnsigned8},
        {"'ab'", kInt}};
    static const std::pair<const char*, Type> kReals[] = {{"0.0f", kFloat},
                                                          {"-0.0f", kFloat},
                                                          {"1.5f", kFloat},
                                                          {"0.1f", kFloat},
                                                          {"0.1", kDouble},
                                                          {"1e10f", kFloat},
                                                          {"-1e10f", kFloat},
                                                          {"1e300", kDouble},
                                                          {"1e-45f", kFloat},
                                                          {"0x1.8p3f", kFloat},
                                                          {"0x1p-1074", kDouble},
                                                          {"3.", kDouble},
                                                          {".5f", kFloat},
                                                          {"16777217.0f", kFloat},
                                                          {"9007199254740993.0", kDouble},
                                                          {"1e-320", kDouble},
                                                          {"3.4028235e38f", kFloat},
                                                          {"(float)1e39", kFloat},
                                                          {"(float)0.1", kFloat},
                                                          {"(1.0f / 3.0f)", kFloat},
                                                          {"(1.0 / 3.0)", kDouble},
                                                          {"(float)16777217", kFloat},
                                                          {"(float)0xffffffffffffffffull", kFloat},
                                                          {"(double)0x7fffffffffffffffll", kDouble},
                                                          {"300.0f", kFloat},
                                                          {"-5.0f", kFloat},
                                                          {"-5.5", kDouble},
                                                          {"4e9f", kFloat},
                                                          {"2147483648.0f", kFloat},
                                                          {"1e20", kDouble},
                                                          {"(0.0f / 1.0f)", kFloat}};
    const auto& one = r_.chance(55) ? r_.of(kIntegers) : r_.of(kReals);
    return {one.first, one.second};
  }

  /// Returns an expression converted to `t`; uses only conversions to narrow integers that are
  /// defined.
  std::string as(Type t, const Expression& e) {
    note_conversion(t, e);
    if (is_narrow(t) && t != kBool && is_real(e.type) && profile_ != kNarrowing)
      return cast(is_unsigned(t) ? kUnsigned : kInt, e.text);
    return e.text;
  }
  void note_conversion(Type t, const Expression& e) {
    is_open_ |= is_real(e.type) && is_unsigned(t) && t != kBool && is_large_constant(e.text);
  }
  std::string of_type(Type t, int depth) { return as(t, expression(depth)); }
  Expression integral(int depth) {
    const Expression e = expression(depth);
    if (!is_real(e.type)) return e;
    const Type t = r_.chance(50) ? kInt : r_.chance(50) ? kUnsigned : kLongLong;
    note_conversion(t, e);
    return {cast(t, e.text), t};
  }

  std::string guarded(const Expression& e, Type result) {
    return "(" + e.text + ") % " + (is_wide(result) && is_wide(e.type) ? "2000000011" : "30011");
  }

  Expression arithmetic(int depth) {
    static const char* const kOperators[] = {"+", "-", "*", "/", "%", "+", "-", "*"};
    const std::string op = r_.of(kOperators);
    Expression a = expression(depth - 1), b = expression(depth - 1);
    if (op == "%") a = integral(depth - 1), b = integral(depth - 1);
    const Type t = common(a.type, b.type);
    if (is_real(t)) return {"(" + a.text + ") " + op + " (" + b.text + ")", t};
    if (op == "/" || op == "%") {
      if (is_unsigned(t)) return {"(" + a.text + ") " + op + " ((" + b.text + ") | 1)", t};
      return {"(" + guarded(a, t) + ") " + op + " ((" + b.text + ") % 101 | 1)", t};
    }
    if (is_unsigned(t)) return {"(" + a.text + ") " + op + " (" + b.text + ")", t};
    if (r_.chance(50)) return {"(" + guarded(a, t) + ") " + op + " (" + guarded(b, t) + ")", t};
    const Type u = unsigned_of(t);
    return {cast(t, cast(u, a.text) + " " + op + " " + cast(u, b.text)), t};
  }

  Expression bits(int depth) {
    const Expression a = integral(depth - 1), b = integral(depth - 1);
    switch (r_.below(5)) {
      case 0:
        return {"(" + a.text + ") & (" + b.text + ")", common(a.type, b.type)};
      case 1:
        return {"(" + a.text + ") | (" + b.text + ")", common(a.type, b.type)};
      case 2:
        return {"(" + a.text + ") ^ (" + b.text + ")", common(a.type, b.type)};
      case 3:
        return {"~(" + a.text + ")", promoted(a.type)};
      default: {
        const Type t = promoted(a.type);
        const char* const most = is_wide(t) ? "63" : "31";
        return {"(" + a.text + ") " + (r_.chance(50) ? "<<" : ">>") + " ((" + b.text + ") & " +
                    most + ")",
                t};
      }
    }
  }

  Expression truth(int depth) {
    static const char* const kOperators[] = {"<", ">", "<=", ">=", "==", "!="};
    const Expression a = expression(depth - 1), b = expression(depth - 1);
    switch (r_.below(6)) {
      case 0:
        return {"(" + a.text + ") && (" + b.text + ")", kBool};
      case 1:
        return {"(" + a.text + ") || (" + b.text + ")", kBool};
      case 2:
        return {"!(" + a.text + ")", kBool};
      default:
        return {"(" + a.text + ") " + r_.of(kOperators) + " (" + b.text + ")", kBool};
    }
  }

  Expression choice(int depth) {
    const Expression c = truth(depth - 1), a = expression(depth - 1), b = expression(depth - 1);
    const Type t = a.type == b.type ? a.type : common(a.type, b.type);
    return {"(" + c.text + ") ? (" + a.text + ") : (" + b.text + ")", t};
  }

  Expression minus(int depth) {
    const Expression a = expression(depth - 1);
    const Type t = promoted(a.type);
    if (is_real(t) || is_unsigned(t)) return {"-(" + a.text + ")", t};
    return {"-(" + guarded(a, t) + ")", t};
  }

  Expression conversion(int depth) {
    const Type t = any_type();
    const std::string text = of_type(t, depth - 1);
    switch (r_.below(3)) {
      case 0:
        return {"static_cast<" + std::string(kNames[t]) + ">(" + text + ")", t};
      case 1:
        if (std::string(kNames[t]).find(' ') == std::string::npos)
          return {std::string(kNames[t]) + "(" + text + ")", t};
        [[fallthrough]];
      default:
        return {cast(t, text), t};
    }
  }

  Expression call(int depth) {
    const Function& f = r_.of(kFunctions);
    std::string text = std::string(f.name) + "(";
    for (const char* a = f.arguments; *a != 0; ++a) {
      static const std::string kLetters = "iulwfd";
      static const Type kOf[] = {kInt, kUnsigned, kLongLong, kUnsignedLongLong, kFloat, kDouble};
      if (a != f.arguments) text += ", ";
      const std::size_t at = kLetters.find(*a);
      if (at == std::string::npos)  // a number of moderate size
        text += cast(kFloat, cast(kInt, of_type(kInt, depth - 1)) + " % 100000") + " * 0.25f";
      else
        text += cast(kOf[at], of_type(kOf[at], depth - 1));
    }
    return {text + ")", f.result};
  }

  Expression helper(int depth) {
    const Type t = any_type() == kBool ? kInt : any_type();
    const std::string name = kNames[t];
    switch (r_.below(5)) {
      case 0:
        if (is_narrow(t)) break;
        return {"mix<" + name + ">(" + of_type(t, depth - 1) + ", " + of_type(t, depth - 1) + ")",
                t};
      case 1:
        return {
            "smaller<" + name + ">(" + of_type(t, depth - 1) + ", " + of_type(t, depth - 1) + ")",
            t};
      case 2:
        return {"all_of(" + expression(depth - 1).text + ", " + expression(depth - 1).text + ")",
                kUnsigned};
      case 3: {
        const std::string x = variable().text;
        return {"twice([&](unsigned x) { return x * 3u ^ (unsigned)(" + x + "); }, " +
                    of_type(kUnsigned, depth - 1) + ")",
                kUnsigned};
      }
      default:
        break;
    }
    return {"kind(" + cast(kInt, of_type(kInt, depth - 1)) + ")", kInt};
  }

  Expression expression(int depth) {
    if (depth <= 0) return r_.chance(profile_ == kLiterals ? 55 : 20) ? literal() : variable();
    int at = r_.below(100);
    if (profile_ == kIntrinsics && r_.chance(50)) at = 75;
    if ((profile_ == kLiterals || profile_ == kNarrowing) && r_.chance(40)) at = 70;
    if (at < 25) return arithmetic(depth);
    if (at < 38) return bits(depth);
    if (at < 50) return truth(depth);
    if (at < 58) return choice(depth);
    if (at < 62) return minus(depth);
    if (at < 73) return conversion(depth);
    if (at < 82) return call(depth);
    if (at < 87) return helper(depth);
    return expression(0);
  }

  // Statements. Those in which lanes meet are outside of branches.

  void declare(Type t, const std::string& value) {
    const std::string name = fresh("v");
    line(std::string(kNames[t]) + " " + name + " = " + value + ";");
    variables_.push_back({name, t});
  }

  void assign() {
    if (variables_.empty()) return declare(kInt, of_type(kInt, kDepth));
    const Expression v = r_.of(variables_);
    const int depth = 2;
    if (v.type != kBool && !is_real(v.type) && r_.chance(40)) {
      static const char* const kOperators[] = {"^=", "|=", "&="};
      return line(v.text + " " + r_.of(kOperators) + " " + integral(depth).text + ";");
    }
    if (v.type != kBool && (is_real(v.type) || is_unsigned(v.type)) && r_.chance(50)) {
      static const char* const kOperators[] = {"+=", "-=", "*="};
      if (is_real(v.type))
        return line(v.text + " " + r_.of(kOperators) + " " + expression(depth).text + ";");
      if (!is_narrow(v.type)) {
        const Expression e = expression(depth);
        const std::string op = r_.of(kOperators);
        note_conversion(v.type, e);
        return line(v.text + " " + op + " " + cast(v.type, e.text) + ";");
      }
      return line(v.text + " += " + cast(kInt, of_type(kInt, depth)) + " % 30011;");
    }
    if (is_narrow(v.type) && v.type != kBool && r_.chance(30))
      return line((r_.chance(50) ? "++" : "--") + v.text + ";");
    line(v.text + " = " + of_type(v.type, depth) + ";");
  }

  void block(int depth) {
    indent_ += "  ";
    const int statements = 1 + r_.below(3);
    for (int i = 0; i < statements; ++i) {
      if (depth > 0 && r_.chance(30))
        control(depth - 1);
      else
        assign();
    }
    indent_.resize(indent_.size() - 2);
  }

  void control(int depth) {
    const std::string i = fresh("i");
    switch (r_.below(5)) {
      case 0:
        line("if (" + truth(2).text + ") {");
        block(depth);
        if (r_.chance(60)) {
          line("} else {");
          block(depth);
        }
        return line("}");
      case 1:
        line("for (int " + i + " = 0; " + i + " < (int)((unsigned)(" + integral(1).text +
             ") % 7u); ++" + i + ") {");
        if (r_.chance(40)) line("  if ((" + i + " ^ t) % 5 == 3) continue;");
        block(depth);
        if (r_.chance(40)) line("  if (" + truth(1).text + ") break;");
        return line("}");
      case 2:
        line("for (int " + i + " = " + std::to_string(1 + r_.below(9)) + "; " + i + " > 0; " + i +
             (r_.chance(50) ? " -= 2) {" : " >>= 1) {"));
        block(depth);
        return line("}");
      case 3: {
        line("switch ((unsigned)(" + integral(2).text + ") % 6u) {");
        for (int label = 0; label < 5; ++label) {
          if (r_.chance(30)) continue;
          line("  case " + std::to_string(label) + (r_.chance(50) ? "u:" : ":"));
          block(0);
          if (r_.chance(70)) line("    break;");
        }
        line("  default:");
        block(0);
        return line("}");
      }
      default:
        line("unsigned " + i + " = (unsigned)(" + integral(1).text + ") & 3u;");
        line("do {");
        block(0);
        return line("} while (" + i + "-- != 0);");
    }
  }

  void shift() {  // by any count
    const Expression a = variable(), b = variable();
    const Type t = is_real(a.type) ? kUnsigned : promoted(a.type);
    const std::string value = cast(t, a.text);
    const bool left = r_.chance(50);
    declare(t, value + (left ? " << " : " >> ") + "(int)((unsigned)(" +
                   (is_real(b.type) ? cast(kInt, b.text) : b.text) + ") % 80u)");
  }

  std::string lane_value(Type t) { return cast(t, of_type(t, 1)); }

  void warp() {
    static const Type kMoved[] = {kInt,   kUnsigned, kLong, kLongLong, kUnsignedLongLong,
                                  kFloat, kDouble};
    static const char* const kWidths[] = {"", ", 32", ", 16", ", 8", ", 4"};
    static const char* const kTimes[] = {"1", "2", "5", "8", "16"};
    const std::string mask = "0xffffffffu";
    switch (r_.below(9)) {
      case 0: {
        const Type t = r_.of(kMoved);
        return declare(t, "__shfl_sync(" + mask + ", " + lane_value(t) + ", (int)((unsigned)(" +
                              integral(1).text + ") & 31u)" + r_.of(kWidths) + ")");
      }
      case 1: {
        const Type t = r_.of(kMoved);
        const std::string value = lane_value(t);
        const std::string by = r_.of(kTimes);
        return declare(t, (r_.chance(50) ? "__shfl_up_sync(" : "__shfl_down_sync(") + mask + ", " +
                              value + ", " + by + r_.of(kWidths) + ")");
      }
      case 2: {
        const Type t = r_.of(kMoved);
        const std::string value = lane_value(t);
        return declare(t, "__shfl_xor_sync(" + mask + ", " + value + ", " + r_.of(kTimes) +
                              r_.of(kWidths) + ")");
      }
      case 3:
        return declare(kUnsigned, "__ballot_sync(" + mask + ", " + truth(2).text + ")");
      case 4:
        return declare(kInt, std::string(r_.chance(50) ? "__any_sync(" : "__all_sync(") + mask +
                                 ", " + truth(2).text + ")");
      case 5:
        return declare(kUnsigned,
                       "__match_any_sync(" + mask + ", " +
                           (r_.chance(50) ? "(unsigned)t % 5u * " + cast(kUnsigned, "t > 40")
                                          : lane_value(r_.of(kMoved))) +
                           ")");
      case 6: {
        const std::string all = fresh("p");
        line("int " + all + " = 7;");
        declare(kUnsigned, "__match_all_sync(" + mask + ", " +
                               (r_.chance(50) ? "t / 32" : lane_value(kInt)) + ", &" + all + ")");
        variables_.push_back({all, kInt});
        return;
      }
      case 7: {
        static const char* const kReductions[] = {"add", "min", "max"};
        if (r_.chance(50))
          return declare(kUnsigned, "__reduce_" + std::string(r_.of(kReductions)) + "_sync(" +
                                        mask + ", " + lane_value(kUnsigned) + ")");
        if (r_.chance(50))
          return declare(kInt, "__reduce_" + std::string(r_.of(kReductions)) + "_sync(" + mask +
                                   ", (" + lane_value(kInt) + ") % 1000000)");
        static const char* const kBits[] = {"and", "or", "xor"};
        return declare(kUnsigned, "__reduce_" + std::string(r_.of(kBits)) + "_sync(" + mask + ", " +
                                      lane_value(kUnsigned) + ")");
      }
      default: {  // part of the warp
        const std::string name = fresh("v");
        const Type t = r_.of(kMoved);
        line(std::string(kNames[t]) + " " + name + " = 0;");
        line("if ((t & 31) < 16) " + name + " = __shfl_xor_sync(0xffffu, " + lane_value(t) + ", " +
             (r_.chance(50) ? "3" : "8") + ");");
        line("else " + name + " = " + cast(t, "__ballot_sync(0xffff0000u, " + truth(1).text + ")") +
             ";");
        line("__syncwarp();");
        variables_.push_back({name, t});
      }
    }
  }

  void blockwise() {
    const std::string tile = fresh("s");
    switch (r_.below(5)) {
      case 0: {
        const Type t = any_type();
        line("__shared__ " + std::string(kNames[t]) + " " + tile + "[kBlock];");
        line(tile + "[t] = " + of_type(t, 2) + ";");
        line("__syncthreads();");
        declare(t, tile + "[(t * " + std::to_string(2 * r_.below(30) + 1) + " + " +
                       std::to_string(r_.below(64)) + ") & (kBlock - 1)]");
        return line("__syncthreads();");
      }
      case 1: {
        const Type t = r_.chance(50) ? kUnsigned : kFloat;
        const std::string type = kNames[t];
        line("__shared__ " + type + " " + tile + "[8][9];");
        line(tile + "[t / 8][t % 8] = " + of_type(t, 2) + ";");
        line("__syncthreads();");
        declare(t, tile + "[t % 8][t / 8]");
        const std::string sum = fresh("v");
        line(type + " " + sum + " = 0;");
        line("for (const " + type + "& x : " + tile + "[t & 7]) if (&x != &" + tile +
             "[t & 7][8]) " + sum + " = " + sum + " * 3 + x;");
        variables_.push_back({sum, t});
        return line("__syncthreads();");
      }
      case 2: {  // results that do not depend on the order
        static const char* const kOperations[] = {"Add", "Min", "Max", "And", "Or", "Xor"};
        static const Type kOf[] = {kInt, kUnsigned, kUnsignedLongLong};
        const Type t = r_.of(kOf);
        const std::string type = kNames[t], op = r_.of(kOperations);
        line("__shared__ " + type + " " + tile + "[4];");
        line("if (t < 4) " + tile + "[t] = " +
             (op == "And" ? cast(t, "-1") : cast(t, std::to_string(r_.below(1000)))) + ";");
        line("__syncthreads();");
        line("atomic" + op + "(&" + tile + "[(unsigned)(" + integral(1).text + ") & 3u], " +
             (t == kInt ? "(" + lane_value(t) + ") % 1000000" : lane_value(t)) + ");");
        line("__syncthreads();");
        declare(t, tile + "[(t + 1) & 3]");
        return line("__syncthreads();");
      }
      case 3: {  // each block uses its own word
        if (shared_ + 4 > 32) return;
        const std::string at = "shared + blockIdx.x * 32 + " + std::to_string(shared_);
        shared_ += 4;
        const std::string v = fresh("v");
        switch (r_.below(5)) {
          case 0:
            line("atomicAdd((float*)(" + at + "), (float)(" + cast(kInt, of_type(kInt, 1)) +
                 " % 1000));");
            break;
          case 1:
            line("atomicAdd((double*)(" + at + "), (double)(" + cast(kInt, of_type(kInt, 1)) +
                 " % 1000));");
            break;
          case 2:
            line("atomicInc((unsigned*)(" + at + "), 9u);");
            break;
          case 3:
            line("atomicMax((long long*)(" + at + "), " + lane_value(kLongLong) + ");");
            break;
          default:
            line("for (unsigned old = *(volatile unsigned*)(" + at + "), seen; ; old = seen) {");
            line("  seen = atomicCAS((unsigned*)(" + at + "), old, old + (unsigned)t * 3u);");
            line("  if (seen == old) break;");
            line("}");
        }
        line("__threadfence();");
        line("__syncthreads();");
        return declare(kUnsignedLongLong, "*(volatile Word*)(" + at + ")");
      }
      default: {
        static const char* const kVotes[] = {"__syncthreads_count", "__syncthreads_and",
                                             "__syncthreads_or"};
        return declare(kInt, std::string(r_.of(kVotes)) + "(" + truth(2).text + ")");
      }
    }
  }

  void narrow_reals() {
    const bool half = r_.chance(60);
    const std::string type = half ? "__half" : "__nv_bfloat16";
    auto& known = half ? halves_ : bfloats_;
    const std::string name = fresh("h");
    const auto one = [&] {
      return known.empty() ? (half ? "half_of(" : "bfloat_of(") + std::string("in[") +
                                 std::to_string(r_.below(10)) + " * kThreads + n])"
                           : r_.of(known);
    };
    const std::string of = half ? "half" : "bfloat16";
    static const char* const kRounding[] = {"_rn", "_rz", "_ru", "_rd"};
    switch (known.size() < 2 ? 0 : r_.below(9)) {
      case 0:
        line("const " + type + " " + name + " = " + (half ? "half_of(" : "bfloat_of(") + "in[" +
             std::to_string(r_.below(10)) + " * kThreads + n]);");
        break;
      case 1:
        line("const " + type + " " + name + " = __float2" + of + r_.of(kRounding) + "(" +
             cast(kFloat, of_type(kFloat, 2)) + ");");
        break;
      case 2: {
        static const std::pair<const char*, Type> kFrom[] = {
            {"int", kInt},     {"uint", kUnsigned},
            {"short", kShort}, {"ushort", kUnsignedShort},
            {"ll", kLongLong}, {"ull", kUnsignedLongLong}};
        const auto& from = r_.of(kFrom);
        line("const " + type + " " + name + " = __" + from.first + "2" + of + r_.of(kRounding) +
             "(" + cast(from.second, of_type(from.second, 2)) + ");");
        break;
      }
      case 3: {
        static const std::pair<const char*, Type> kTo[] = {
            {"int", kInt},     {"uint", kUnsigned},
            {"short", kShort}, {"ushort", kUnsignedShort},
            {"ll", kLongLong}, {"ull", kUnsignedLongLong}};
        const auto& to = r_.of(kTo);
        return declare(to.second,
                       "__" + of + "2" + to.first + r_.of(kRounding) + "(" + one() + ")");
      }
      case 4:
        return declare(kFloat, (half ? "__half2float(" : "__bfloat162float(") + one() + ")");
      case 5:
        return declare(kBool, std::string(r_.of(kNarrowTests)) + "(" + one() + ", " + one() + ")");
      case 6: {
        const std::string a = one(), b = one();
        static const char* const kTests[] = {" < ", " == ", " >= ", " != "};
        return declare(kBool, a + r_.of(kTests) + b);
      }
      case 7: {  // both halves of a pair
        const std::string pair = fresh("q"), two = half ? "__half2" : "__nv_bfloat162";
        static const char* const kPairs[] = {"__hadd2_rn", "__hsub2_rn", "__hmul2_rn",
                                             "__hmax2",    "__hmin2",    "__h2div"};
        const std::string join = half ? "__halves2half2(" : "__halves2bfloat162(";
        line("const " + two + " " + pair + " = " + r_.of(kPairs) + "(" + join + one() + ", " +
             one() + "), " + join + one() + ", " + one() + "));");
        line("const " + type + " " + name + " = " + (r_.chance(50) ? "__low2" : "__high2") + of +
             "(" + pair + ");");
        break;
      }
      default: {
        const NarrowFunction& f = r_.of(kNarrowFunctions);
        std::string text = std::string(f.name) + "(";
        for (int i = 0; i < f.arguments; ++i) text += (i == 0 ? "" : ", ") + one();
        line("const " + type + " " + name + " = " + text + ");");
      }
    }
    known.push_back(name);
    keep(name);
  }

  void objects() {
    const std::string p = fresh("o");
    switch (r_.below(9)) {
      case 0:
        line("Pair " + p + " = {" + cast(kUnsigned, of_type(kUnsigned, 1)) + ", " +
             cast(kShort, of_type(kShort, 1)) + ", " + cast(kUnsigned8, of_type(kUnsigned8, 1)) +
             ", " + cast(kDouble, of_type(kDouble, 1)) + "};");
        line(p + " = turned(" + (r_.chance(50) ? p : "turned(" + p + ")") + ");");
        keep(p + ".a"), keep(p + ".b"), keep(p + ".c");
        return declare(kDouble, p + ".d");
      case 1:
        line("Fields " + p + "{};");
        line(p + ".low = (unsigned)(" + integral(1).text + ") & 31u, " + p + ".middle = (int)(" +
             integral(1).text + ") % 250, " + p + ".high = (unsigned)(" + integral(1).text +
             ") & 0x3ffffu;");
        line(p + ".high += " + p + ".low;");
        keep(p + ".high");
        return declare(kInt, p + ".middle * (int)" + p + ".low");
      case 2:
        line("Modular " + p + "((unsigned)(" + integral(1).text + "));");
        line(p + " += " + p + " * Modular((unsigned)(" + integral(1).text + ")) + Modular(" +
             std::to_string(r_.below(100000)) + "u);");
        return declare(kUnsigned, "(unsigned)" + p);
      case 3: {
        static const std::pair<const char*, Type> kVectors[] = {{"int", kInt},
                                                                {"uint", kUnsigned},
                                                                {"float", kFloat},
                                                                {"uchar", kUnsigned8},
                                                                {"short", kShort},
                                                                {"char", kSigned8},
                                                                {"ushort", kUnsignedShort}};
        const auto& v = r_.of(kVectors);
        const std::string kind = v.first;
        line(kind + "4 " + p + " = make_" + kind + "4(" + cast(v.second, of_type(v.second, 1)) +
             ", " + cast(v.second, of_type(v.second, 1)) + ", " +
             cast(v.second, of_type(v.second, 1)) + ", " +
             cast(v.second, variable().type == kFloat ? "1" : "t") + ");");
        line(p + ".w = " + p + ".y, " + p + ".x = " +
             (v.second == kFloat ? p + ".z * 0.5f"
                                 : "(" + std::string(kNames[v.second]) + ")(" + p + ".z ^ 5)") +
             ";");
        keep(p + ".x"), keep(p + ".y"), keep(p + ".z");
        return declare(v.second, p + ".w");
      }
      case 4: {
        const Type t = r_.chance(50) ? kUnsigned : any_type();
        line(std::string(kNames[t]) + " " + p + "[5] = {};");
        line("for (int i = 0; i < 5; ++i) " + p + "[(i * 3 + t) % 5] = " + as(t, choice(1)) + ";");
        line(p + "[(unsigned)(" + integral(1).text + ") % 5u] = " + of_type(t, 1) + ";");
        keep(p + "[t % 5]");
        return declare(t, "last_above(" + p + ", " + cast(t, "t") + ")");
      }
      case 5: {
        if (variables_.size() < 2) return assign();
        const Expression a = r_.of(variables_), b = r_.of(variables_);
        if (a.type != b.type || a.text == b.text) return assign();
        return line("order(" + a.text + ", " + b.text + ");");
      }
      case 6: {
        const Expression v = variable();
        const std::string f = fresh("f");
        line("auto " + f + " = [=](auto x, int y = " + std::to_string(r_.below(9)) +
             ") { return (unsigned)(Word)(" + v.text +
             ") + (unsigned)y * (unsigned)sizeof(x) + (unsigned)(Word)x; };");
        declare(kUnsigned, f + "(" + expression(1).text + ")");
        return declare(kUnsigned, f + "(" + cast(kUnsigned8, of_type(kUnsigned8, 1)) + ", t)");
      }
      case 7: {
        line("union { unsigned u; float f; unsigned char c[4]; } " + p + ";");
        line(p + ".u = " + cast(kUnsigned, of_type(kUnsigned, 2)) + ";");
        keep(p + ".c[t & 3]");
        return declare(kUnsigned, p + ".u >> (" + p + ".c[1] & 15)");
      }
      default: {
        line("const auto [" + p + "x, " + p + "y] = make_uint2((unsigned)t * 77u, " +
             cast(kUnsigned, of_type(kUnsigned, 1)) + ");");
        line("unsigned Pair::*const " + p + " = &Pair::a;");
        line("Pair " + p + "p{" + p + "y, 1, 2, 3.0};");
        return declare(kUnsigned, p + "p.*" + p + " ^ " + p + "x");
      }
    }
  }

  void statement() {
    if (r_.chance(55)) {
      switch (profile_) {
        case kControl:
          return control(2);
        case kWarp:
          return warp();
        case kBlockwise:
          return blockwise();
        case kNarrowReals:
          return narrow_reals();
        case kObjects:
          return objects();
        default:
          break;
      }
    }
    const int at = r_.below(100);
    if (at < 60) {
      const Type t = any_type();
      return declare(t, of_type(t, kDepth));
    }
    if (at < 68) return shift();
    if (at < 78) return assign();
    if (at < 86) return control(1);
    if (at < 90) return warp();
    if (at < 94) return blockwise();
    return objects();
  }

  Random& r_;
  Profile profile_;
  std::string name_, globals_, body_, indent_ = "  ";
  std::vector<Expression> inputs_, variables_;
  std::vector<std::string> halves_, bfloats_;
  int names_ = 0, columns_ = 0, shared_ = 0;
  bool is_open_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: generate_kernels SEED COUNT\n");
    return 2;
  }
  const Word seed = std::strtoull(argv[1], nullptr, 10);
  const int count = std::atoi(argv[2]);
  Random random(seed);
  std::printf("// generate_kernels %s %s\n#include \"random_kernels.cuh\"\n\n", argv[1], argv[2]);
  std::string entries;
  for (int i = 0; i < count; ++i) {
    Kernel kernel(random, i);
    const std::string text = kernel.text();
    if (kernel.is_open()) continue;
    std::printf("%s\n", text.c_str());
    entries += "      " + kernel.entry() + ",\n";
  }
  std::printf("int main(int argc, char** argv) {\n  return run_all({\n%s  }, argc, argv);\n}\n",
              entries.c_str());
}
