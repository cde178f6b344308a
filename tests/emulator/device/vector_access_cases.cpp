#include "vector_access_cases.hpp"

#include "emulator/device_memory.h"
#include "vector_functions.h"

namespace vector_access {
namespace {

template <class T>
struct Holder {
  T first, second;
};

template <class T>
union Parts {
  T whole;
  decltype(T::x) part[sizeof(T) / sizeof(T::x)];
};

// Each fills a vector with any number of components.
template <class T>
T filled(decltype(T::x) s) {
  if constexpr (sizeof(T) == 2 * sizeof(T::x))
    return T{s, s};
  else
    return T{s, s, s, s};
}
template <class T>
T filled_in_steps(decltype(T::x) s) {
  T t;
  t.x = s;
  t.y = s;
  if constexpr (sizeof(T) == 4 * sizeof(T::x)) {
    t.z = s;
    t.w = s;
  }
  return t;
}

volatile int opaque = 3;

template <class T>
decltype(T::x) number() {
  return static_cast<decltype(T::x)>(opaque);
}

template <class T>
void add_cases(std::vector<Case>& all, const std::string& type) {
  constexpr unsigned kBytes = sizeof(T);
  constexpr bool kPair = sizeof(T) == 2 * sizeof(T::x);
  const Access load{'r', kBytes}, store{'w', kBytes};
  const auto add = [&](const char* name, void (*call)(void*, void*), std::vector<Access> expected) {
    all.push_back({type + ": " + name, call, std::move(expected)});
  };

  add("a[0] = b[1]", [](void* a, void* b) { static_cast<T*>(a)[0] = static_cast<T*>(b)[1]; },
      {load, store});
  add("t = b[0]; a[0] = t",
      [](void* a, void* b) {
        const T t = *static_cast<T*>(b);
        *static_cast<T*>(a) = t;
      },
      {load, store});
  add("a change of components on the way",
      [](void* a, void* b) {
        T t = *static_cast<T*>(b);
        t.x = static_cast<decltype(T::x)>(t.x + 1);
        t.y = static_cast<decltype(T::x)>(t.y * 2);
        *static_cast<T*>(a) = t;
      },
      {load, store});
  add("one component used",
      [](void* a, void* b) {
        const T t = *static_cast<T*>(b);
        static_cast<T*>(a)->y = t.y;
      },
      {load, {'w', sizeof(T::x)}});
  add("a[0] = T{s, ...}",
      [](void* a, void*) {
        const auto s = number<T>();
        if constexpr (kPair)
          *static_cast<T*>(a) = T{s, s};
        else
          *static_cast<T*>(a) = T{s, s, s, s};
      },
      {store});
  add("a[0] = {s, ...}",
      [](void* a, void*) {
        const auto s = number<T>();
        if constexpr (kPair)
          *static_cast<T*>(a) = {s, s};
        else
          *static_cast<T*>(a) = {s, s, s, s};
      },
      {store});
  add("a[0] = {constants}",
      [](void* a, void*) {
        if constexpr (kPair)
          *static_cast<T*>(a) = {1, 2};
        else
          *static_cast<T*>(a) = {1, 2, 3, 4};
      },
      {store});
  add("a[0] = {}", [](void* a, void*) { *static_cast<T*>(a) = {}; }, {store});
  add("a[0] = T{}", [](void* a, void*) { *static_cast<T*>(a) = T{}; }, {store});
  add("a function's braced result",
      [](void* a, void*) { *static_cast<T*>(a) = filled<T>(number<T>()); }, {store});
  add("a function's named result",
      [](void* a, void*) { *static_cast<T*>(a) = filled_in_steps<T>(number<T>()); }, {store});
  add("a lambda's result",
      [](void* a, void*) {
        const auto make = [](decltype(T::x) s) { return filled<T>(s); };
        *static_cast<T*>(a) = make(number<T>());
      },
      {store});
  add("a[0] = c ? b[0] : T{}",
      [](void* a, void* b) { *static_cast<T*>(a) = number<T>() == 3 ? *static_cast<T*>(b) : T{}; },
      {load, store});
  add("t = {}; if (c) t = b[0]; a[0] = t",
      [](void* a, void* b) {
        T t = {};
        if (number<T>() == 3) t = *static_cast<T*>(b);
        *static_cast<T*>(a) = t;
      },
      {load, store});
  add("through a pointer to components",
      [](void* a, void* b) {
        auto* const to = static_cast<decltype(T::x)*>(a);
        auto* const from = static_cast<decltype(T::x)*>(b);
        reinterpret_cast<T*>(to)[1] = reinterpret_cast<const T*>(from)[2];
      },
      {load, store});
  add("through a union",
      [](void* a, void* b) {
        Parts<T> u;
        u.whole = *static_cast<T*>(b);
        for (auto& part : u.part) part = static_cast<decltype(T::x)>(part + number<T>());
        *static_cast<T*>(a) = u.whole;
      },
      {load, store});
  add("members of a struct",
      [](void* a, void* b) {
        auto* const to = static_cast<Holder<T>*>(a);
        to->first = static_cast<Holder<T>*>(b)->second;
        to->second = filled<T>(number<T>());
      },
      {load, store, store});
  add("a struct of temporaries",
      [](void* a, void*) {
        *static_cast<Holder<T>*>(a) = {filled<T>(number<T>()), T{}};
      },
      {store, store});
  add("an array in registers",
      [](void* a, void* b) {
        T r[2];
        for (int i = 0; i < 2; ++i) r[i] = static_cast<T*>(b)[i];
        for (int i = 0; i < 2; ++i) static_cast<T*>(a)[i] = r[1 - i];
      },
      {load, load, store, store});
  add("a load in front of a branch that is not taken",
      [](void* a, void* b) {
        const T loaded = *static_cast<T*>(b);
        if (opaque == 0) *static_cast<T*>(a) = loaded;
      },
      {load});
  add("the result of an assignment",
      [](void* a, void* b) { static_cast<T*>(a)[1] = static_cast<T*>(a)[0] = *static_cast<T*>(b); },
      {load, store, load, store});
  if constexpr (emu::detail::takes_cache_hint<T>) {
    add("a[0] = __ldg(b)",
        [](void* a, void* b) { *static_cast<T*>(a) = __ldg(static_cast<T*>(b)); }, {load, store});
    add("__ldcs(b).x",
        [](void* a, void* b) { static_cast<T*>(a)->x = __ldcs(static_cast<const T*>(b)).x; },
        {load, {'w', sizeof(T::x)}});
    add("__stcg(a, {s, ...})",
        [](void* a, void*) {
          const auto s = number<T>();
          if constexpr (kPair)
            __stcg(static_cast<T*>(a), {s, s});
          else
            __stcg(static_cast<T*>(a), {s, s, s, s});
        },
        {store});
    add("__stwt(a, __ldcg(b))",
        [](void* a, void* b) { __stwt(static_cast<T*>(a), __ldcg(static_cast<T*>(b))); },
        {load, store});
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  add_cases<char2>(all, "char2");
  add_cases<uchar4>(all, "uchar4");
  add_cases<short2>(all, "short2");
  add_cases<ushort4>(all, "ushort4");
  add_cases<int2>(all, "int2");
  add_cases<uint4>(all, "uint4");
  add_cases<long2>(all, "long2");
  add_cases<ulonglong2>(all, "ulonglong2");
  add_cases<float2>(all, "float2");
  add_cases<float4>(all, "float4");
  add_cases<double2>(all, "double2");
  all.push_back({"float4: a[0] = make_float4(...)",
                 [](void* a, void*) {
                   const float s = number<float4>();
                   *static_cast<float4*>(a) = make_float4(s, s + 1, s + 2, s + 3);
                 },
                 {{'w', 16}}});
  all.push_back({"float4: a[0] = b[0] * s + b[1]",
                 [](void* a, void* b) {
                   const float s = number<float4>();
                   const float4 u = static_cast<float4*>(b)[0], v = static_cast<float4*>(b)[1];
                   *static_cast<float4*>(a) =
                       make_float4(u.x * s + v.x, u.y * s + v.y, u.z * s + v.z, u.w * s + v.w);
                 },
                 {{'r', 16}, {'r', 16}, {'w', 16}}});
  all.push_back({"float3: a[0] = {s, ...}",
                 [](void* a, void*) {
                   const float s = number<float4>();
                   *static_cast<float3*>(a) = {s, s, s};
                 },
                 {{'w', 4}, {'w', 4}, {'w', 4}}});
  // The engine splits such a copy; the compiler does not.
  all.push_back({"float3: a[0] = b[0]",
                 [](void* a, void* b) { *static_cast<float3*>(a) = *static_cast<float3*>(b); },
                 {{'r', 12}, {'w', 12}}});
  all.push_back(
      {"double4_16a: a[0] = b[0]",
       [](void* a, void* b) { *static_cast<double4_16a*>(a) = *static_cast<double4_16a*>(b); },
       {{'r', 32}, {'w', 32}}});
  return all;
}

}  // namespace

const std::vector<Case>& cases() {
  static const std::vector<Case> all = all_cases();
  return all;
}

}  // namespace vector_access
