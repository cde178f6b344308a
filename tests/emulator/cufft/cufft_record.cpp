// Prints what cuFFT answers: statuses of right and wrong calls, and which transforms are right. An
// H200 printed recorded_h200.txt; programs_test.cpp compares.
#include <cuda_runtime_api.h>
#include <cufft.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using Complex = std::complex<double>;

void say(const std::string& what, int status) { std::printf("%s: %d\n", what.c_str(), status); }
void say(const std::string& what, const std::string& answer) {
  std::printf("%s: %s\n", what.c_str(), answer.c_str());
}

/// Device memory with these bytes.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes) {
    cudaMalloc(&address_, bytes);
    cudaMemset(address_, 0, bytes);
  }
  ~Buffer() { cudaFree(address_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(address_);
  }
  template <class T>
  void put(const std::vector<T>& values) const {
    cudaMemcpy(address_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  template <class T>
  std::vector<T> get() const {
    std::vector<T> values(bytes_ / sizeof(T));
    cudaMemcpy(values.data(), address_, values.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }

 private:
  void* address_ = nullptr;
  std::size_t bytes_;
};

// --- transforms
// -----------------------------------------------------------------------------------

/// How the elements of one side lie: [batch], [n0], [n1], [n2], in elements.
struct Layout {
  std::array<long, 3> strides{};
  long distance = 0;
};

struct Shape {
  std::vector<int> n;  ///< sizes of the transform, the slowest first
  int batch = 1;
};

bool is_real_input(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
bool is_real_output(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }
bool is_double(cufftType type) {
  return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}

/// Calls `visit` with the indices of all elements, the last running fastest.
void for_each_index(const std::vector<int>& n,
                    const std::function<void(const std::array<long, 3>&)>& visit) {
  std::array<int, 3> size = {1, 1, 1};
  std::copy(n.begin(), n.end(), size.begin());
  for (long i = 0; i < size[0]; ++i)
    for (long j = 0; j < size[1]; ++j)
      for (long k = 0; k < size[2]; ++k) visit({i, j, k});
}

long place(const Layout& layout, const std::array<long, 3>& index, long in_batch) {
  return in_batch * layout.distance + index[0] * layout.strides[0] + index[1] * layout.strides[1] +
         index[2] * layout.strides[2];
}

/// Returns the layout that CUDA's manual gives for these embeddings.
Layout embedded(const std::vector<int>& embed, int stride, int distance) {
  Layout layout;
  long step = stride;
  for (std::size_t d = embed.size(); d-- > 0;) {
    layout.strides[d] = step;
    step *= embed[d];
  }
  layout.distance = distance;
  return layout;
}

/// Returns the usual layout: no gaps, but for the rows of real numbers that complex ones replace.
Layout usual(const Shape& shape, bool is_half, bool is_padded) {
  std::vector<int> embed = shape.n;
  if (is_half) embed.back() = embed.back() / 2 + 1;
  if (is_padded) embed.back() = 2 * (embed.back() / 2 + 1);
  int distance = 1;
  for (const int n : embed) distance *= n;
  return embedded(embed, 1, distance);
}

/// Returns the transform by its definition, of the elements that `at` gives.
std::vector<Complex> by_definition(const std::vector<int>& n, int direction,
                                   const std::function<Complex(const std::array<long, 3>&)>& at) {
  const double kTurn = 2 * std::acos(-1.0);
  std::vector<Complex> result;
  for_each_index(n, [&](const std::array<long, 3>& to) {
    Complex sum = 0;
    for_each_index(n, [&](const std::array<long, 3>& from) {
      double turns = 0;
      for (std::size_t d = 0; d < n.size(); ++d)
        turns += static_cast<double>(to[d] * from[d] % n[d]) / n[d];
      sum += at(from) * std::polar(1.0, direction * kTurn * turns);
    });
    result.push_back(sum);
  });
  return result;
}

/// The elements of a side as doubles, whatever their type is.
struct Side {
  bool is_real, is_double;
  std::size_t elements;

  std::size_t bytes() const { return elements * (is_real ? 1 : 2) * (is_double ? 8 : 4); }
  void put(const Buffer& buffer, const std::vector<Complex>& values) const {
    std::vector<double> parts;
    for (const Complex value : values) {
      parts.push_back(value.real());
      if (!is_real) parts.push_back(value.imag());
    }
    if (is_double) return buffer.put(parts);
    buffer.put(std::vector<float>(parts.begin(), parts.end()));
  }
  std::vector<Complex> get(const Buffer& buffer) const {
    std::vector<double> parts;
    if (is_double) {
      parts = buffer.get<double>();
    } else {
      const std::vector<float> singles = buffer.get<float>();
      parts.assign(singles.begin(), singles.end());
    }
    std::vector<Complex> values(elements);
    for (std::size_t i = 0; i < elements; ++i)
      values[i] = is_real ? Complex(parts[i]) : Complex(parts[2 * i], parts[2 * i + 1]);
    return values;
  }
};

cufftResult execute(cufftHandle plan, cufftType type, void* in, void* out, int direction) {
  switch (type) {
    case CUFFT_C2C:
      return cufftExecC2C(plan, static_cast<cufftComplex*>(in), static_cast<cufftComplex*>(out),
                          direction);
    case CUFFT_R2C:
      return cufftExecR2C(plan, static_cast<cufftReal*>(in), static_cast<cufftComplex*>(out));
    case CUFFT_C2R:
      return cufftExecC2R(plan, static_cast<cufftComplex*>(in), static_cast<cufftReal*>(out));
    case CUFFT_Z2Z:
      return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(in),
                          static_cast<cufftDoubleComplex*>(out), direction);
    case CUFFT_D2Z:
      return cufftExecD2Z(plan, static_cast<cufftDoubleReal*>(in),
                          static_cast<cufftDoubleComplex*>(out));
    default:
      return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(in),
                          static_cast<cufftDoubleReal*>(out));
  }
}

/// Returns the largest distance between two lists, by the largest number of the second.
double difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double largest = 0, most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return largest > 0 ? most / largest : most;
}

/// Transforms random numbers, and says whether all results are right and the gaps as before.
void try_transform(const std::string& what, const Shape& shape, cufftType type, int direction,
                   cufftHandle plan, Layout in, Layout out, bool is_in_place) {
  const auto largest = [&](const Layout& layout, bool is_half) {
    long most = 0;
    std::vector<int> n = shape.n;
    if (is_half) n.back() = n.back() / 2 + 1;
    for_each_index(n, [&](const std::array<long, 3>& index) {
      most = std::max(most, place(layout, index, shape.batch - 1));
    });
    return static_cast<std::size_t>(most + 3);
  };
  const bool real_in = is_real_input(type), real_out = is_real_output(type);
  const Side from = {real_in, is_double(type), largest(in, real_out)};
  const Side to = {real_out, is_double(type), largest(out, real_in)};
  std::mt19937 random(static_cast<unsigned>(shape.n.back() * 31 + shape.batch));
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Complex> input(from.elements);
  for (Complex& value : input) {
    value = static_cast<float>(uniform(random));
    if (!real_in) value.imag(static_cast<float>(uniform(random)));
  }
  // What a real signal has: the other half follows from this one.
  std::vector<std::vector<Complex>> signals;
  for (int b = 0; b < shape.batch; ++b) {
    if (!real_out) {
      signals.push_back(by_definition(shape.n, direction, [&](const std::array<long, 3>& index) {
        return input[static_cast<std::size_t>(place(in, index, b))];
      }));
      continue;
    }
    std::vector<Complex> signal;
    for_each_index(shape.n, [&](const std::array<long, 3>&) { signal.push_back(uniform(random)); });
    std::size_t next = 0;
    const std::vector<Complex> spectrum =
        by_definition(shape.n, CUFFT_FORWARD,
                      [&](const std::array<long, 3>&) { return signal[next++ % signal.size()]; });
    std::size_t i = 0;
    for_each_index(shape.n, [&](const std::array<long, 3>& index) {
      const Complex value = spectrum[i++];
      if (index[shape.n.size() - 1] <= shape.n.back() / 2)
        input[static_cast<std::size_t>(place(in, index, b))] = value;
    });
    double count = 1;
    for (const int n : shape.n) count *= n;
    for (Complex& value : signal) value *= count;
    signals.push_back(signal);
  }
  const Buffer first(std::max(from.bytes(), to.bytes()));
  const Buffer second(to.bytes());
  const Buffer& target = is_in_place ? first : second;
  std::vector<Complex> before(to.elements, Complex(-7, real_out ? 0 : -7));
  to.put(second, before);
  from.put(first, input);
  if (is_in_place) before.clear();
  const int status = execute(plan, type, first.as<void>(), target.as<void>(), direction);
  const int error = cudaDeviceSynchronize();
  const std::vector<Complex> output = to.get(target);
  std::vector<Complex> results, expected;
  std::vector<bool> is_result(to.elements);
  for (int b = 0; b < shape.batch; ++b) {
    std::size_t i = 0;
    for_each_index(shape.n, [&](const std::array<long, 3>& index) {
      const Complex value = signals[static_cast<std::size_t>(b)][i++];
      if (real_in && index[shape.n.size() - 1] > shape.n.back() / 2) return;
      const auto at = static_cast<std::size_t>(place(out, index, b));
      expected.push_back(value);
      results.push_back(output[at]);
      is_result[at] = true;
    });
  }
  bool gaps_are_kept = true;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!is_result[i] && output[i] != before[i]) gaps_are_kept = false;
  const double limit = is_double(type) ? 1e-12 : 1e-5;
  say(what, std::to_string(status) + " " + std::to_string(error) +
                (difference(results, expected) < limit ? " right" : " WRONG") +
                (gaps_are_kept ? "" : ", gaps written"));
}

const char* name_of(cufftType type) {
  switch (type) {
    case CUFFT_C2C:
      return "C2C";
    case CUFFT_R2C:
      return "R2C";
    case CUFFT_C2R:
      return "C2R";
    case CUFFT_Z2Z:
      return "Z2Z";
    case CUFFT_D2Z:
      return "D2Z";
    default:
      return "Z2D";
  }
}

constexpr cufftType kTypes[] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D};

std::string in_words(const Shape& shape) {
  std::string text;
  for (const int n : shape.n) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text + ", batch " + std::to_string(shape.batch);
}

/// Plans with the usual layouts, by the call for this number of dimensions.
cufftHandle usual_plan(Shape shape, cufftType type) {
  cufftHandle plan = CUFFT_PLAN_NULL;
  std::size_t size = 0;
  int status = 0;
  if (shape.n.size() == 1) {
    status = cufftPlan1d(&plan, shape.n[0], type, shape.batch);
  } else {
    cufftCreate(&plan);
    if (shape.batch != 1) {
      status = cufftMakePlanMany(plan, static_cast<int>(shape.n.size()), shape.n.data(), nullptr, 1,
                                 0, nullptr, 1, 0, type, shape.batch, &size);
    } else if (shape.n.size() == 2) {
      status = cufftMakePlan2d(plan, shape.n[0], shape.n[1], type, &size);
    } else {
      status = cufftMakePlan3d(plan, shape.n[0], shape.n[1], shape.n[2], type, &size);
    }
  }
  if (status != CUFFT_SUCCESS) say("plan of " + in_words(shape), status);
  return plan;
}

void usual_transforms() {
  const Shape shapes[] = {{{1}, 1},       {{2}, 3},       {{8}, 1},      {{15}, 2},   {{17}, 1},
                          {{64}, 5},      {{97}, 2},      {{240}, 1},    {{1000}, 1}, {{1024}, 2},
                          {{4, 8}, 1},    {{5, 7}, 1},    {{16, 6}, 3},  {{1, 9}, 1}, {{9, 1}, 1},
                          {{2, 3, 4}, 1}, {{4, 5, 6}, 2}, {{3, 1, 8}, 1}};
  for (const Shape& shape : shapes) {
    for (const cufftType type : kTypes) {
      const cufftHandle plan = usual_plan(shape, type);
      for (const int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
        if (is_real_input(type) && direction == CUFFT_INVERSE) continue;
        if (is_real_output(type) && direction == CUFFT_FORWARD) continue;
        for (const bool is_in_place : {false, true}) {
          const bool is_padded = is_in_place;
          try_transform(in_words(shape) + ", " + name_of(type) +
                            (direction == CUFFT_FORWARD ? " forward" : " inverse") +
                            (is_in_place ? " in place" : ""),
                        shape, type, direction, plan,
                        usual(shape, is_real_output(type), is_real_input(type) && is_padded),
                        usual(shape, is_real_input(type), is_real_output(type) && is_padded),
                        is_in_place);
        }
      }
      cufftDestroy(plan);
    }
  }
}

struct Advanced {
  Shape shape;
  std::vector<int> in_embed;
  int in_stride, in_distance;
  std::vector<int> out_embed;
  int out_stride, out_distance;
};

void advanced_transforms() {
  const Advanced all[] = {
      {{{8}, 3}, {8}, 3, 1, {8}, 1, 8},             // columns to rows
      {{{8}, 3}, {12}, 1, 12, {9}, 2, 20},          // gaps
      {{{6}, 4}, {6}, 4, 1, {6}, 4, 1},             // columns to columns
      {{{4, 6}, 2}, {5, 8}, 1, 40, {4, 7}, 1, 28},  // a part of a larger table
      {{{4, 6}, 2}, {4, 6}, 2, 1, {4, 6}, 2, 1},    // two interleaved
      {{{2, 3, 4}, 2}, {2, 4, 5}, 2, 80, {3, 3, 6}, 1, 60},
      {{{2, 3, 4}, 1}, {9, 3, 4}, 1, 24, {9, 3, 4}, 1, 24},  // the first embedding is not used
  };
  for (const Advanced& one : all) {
    for (const cufftType type : kTypes) {
      cufftHandle plan = CUFFT_PLAN_NULL;
      Shape shape = one.shape;
      std::vector<int> in_embed = one.in_embed, out_embed = one.out_embed;
      const int status = cufftPlanMany(
          &plan, static_cast<int>(shape.n.size()), shape.n.data(), in_embed.data(), one.in_stride,
          one.in_distance, out_embed.data(), one.out_stride, one.out_distance, type, shape.batch);
      const std::string what = in_words(shape) + ", stride " + std::to_string(one.in_stride) +
                               " to " + std::to_string(one.out_stride) + ", " + name_of(type);
      if (status != CUFFT_SUCCESS) {
        say(what, status);
        continue;
      }
      try_transform(what, shape, type, is_real_output(type) ? CUFFT_INVERSE : CUFFT_FORWARD, plan,
                    embedded(in_embed, one.in_stride, one.in_distance),
                    embedded(out_embed, one.out_stride, one.out_distance), false);
      cufftDestroy(plan);
    }
  }
}

/// One embedding alone, with numbers that tell layouts apart.
void half_embedded() {
  for (const bool has_input : {true, false}) {
    int n[] = {4}, embed[] = {4};
    cufftHandle plan = CUFFT_PLAN_NULL;
    const int status = has_input
                           ? cufftPlanMany(&plan, 1, n, embed, 2, 1, nullptr, 2, 1, CUFFT_C2C, 2)
                           : cufftPlanMany(&plan, 1, n, nullptr, 2, 1, embed, 2, 1, CUFFT_C2C, 2);
    const std::string what = has_input ? "only the input embedded" : "only the output embedded";
    say(what, status);
    if (status != CUFFT_SUCCESS) continue;
    std::vector<cufftComplex> values(16);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = {static_cast<float>(i * i), 0};
    const Buffer in(16 * sizeof(cufftComplex)), out(16 * sizeof(cufftComplex));
    in.put(values);
    say(what + ", run",
        cufftExecC2C(plan, in.as<cufftComplex>(), out.as<cufftComplex>(), CUFFT_FORWARD));
    std::string text;
    for (const cufftComplex value : out.get<cufftComplex>())
      text += std::to_string(std::lround(value.x)) + " ";
    say(what + ", real parts", text);
    cufftDestroy(plan);
  }
}

// --- statuses
// -------------------------------------------------------------------------------------

void plans() {
  cufftHandle plan = -99;
  for (const int n : {-1, 0, 1, 1 << 20})
    for (const int batch : {-1, 0, 1, 3}) {
      say("1d of " + std::to_string(n) + ", batch " + std::to_string(batch),
          cufftPlan1d(&plan, n, CUFFT_C2C, batch));
    }
  for (const int type : {0, 0x28, 0x2b, 0x2d, 0x99})
    say("type " + std::to_string(type), cufftPlan1d(&plan, 8, static_cast<cufftType>(type), 1));
  say("1d into nothing", cufftPlan1d(nullptr, 8, CUFFT_C2C, 1));
  say("2d into nothing", cufftPlan2d(nullptr, 8, 8, CUFFT_C2C));
  say("2d of 0 x 8", cufftPlan2d(&plan, 0, 8, CUFFT_C2C));
  say("2d of 8 x 0", cufftPlan2d(&plan, 8, 0, CUFFT_C2C));
  say("2d of 8 x -8", cufftPlan2d(&plan, 8, -8, CUFFT_C2C));
  say("3d of 8 x 8 x 0", cufftPlan3d(&plan, 8, 8, 0, CUFFT_C2C));
  int n[] = {4, 4, 4, 4}, small[] = {2, 2, 2, 2}, zero[] = {0, 0, 0, 0};
  for (const int rank : {-1, 0, 1, 2, 3, 4})
    say("many of rank " + std::to_string(rank),
        cufftPlanMany(&plan, rank, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  say("many without sizes",
      cufftPlanMany(&plan, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  say("many of 0", cufftPlanMany(&plan, 1, zero, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  for (const int batch : {-1, 0})
    say("many, batch " + std::to_string(batch),
        cufftPlanMany(&plan, 1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, batch));
  say("many, small embeddings", cufftPlanMany(&plan, 2, n, small, 1, 4, small, 1, 4, CUFFT_C2C, 1));
  say("many, embeddings of 0", cufftPlanMany(&plan, 2, n, zero, 1, 4, zero, 1, 4, CUFFT_C2C, 1));
  for (const int stride : {-1, 0, 2}) {
    say("many, input stride " + std::to_string(stride),
        cufftPlanMany(&plan, 1, n, n, stride, 4, n, 1, 4, CUFFT_C2C, 2));
    say("many, output stride " + std::to_string(stride),
        cufftPlanMany(&plan, 1, n, n, 1, 4, n, stride, 4, CUFFT_C2C, 2));
  }
  for (const int distance : {-4, 0, 1}) {
    say("many, input distance " + std::to_string(distance),
        cufftPlanMany(&plan, 1, n, n, 1, distance, n, 1, 4, CUFFT_C2C, 2));
    say("many, output distance " + std::to_string(distance),
        cufftPlanMany(&plan, 1, n, n, 1, 4, n, 1, distance, CUFFT_C2C, 2));
  }
  for (const int distance : {-1, 0})
    say("many, batch 1, distances " + std::to_string(distance),
        cufftPlanMany(&plan, 1, n, n, 1, distance, n, 1, distance, CUFFT_C2C, 1));
  say("many into nothing",
      cufftPlanMany(nullptr, 1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
}

void handles() {
  cufftHandle plan = -99, other = -99;
  std::size_t size = 12345;
  say("create into nothing", cufftCreate(nullptr));
  say("create", cufftCreate(&plan));
  say("create another", cufftCreate(&other));
  say("another is the next", other - plan);
  say("size of a plan that is not made", cufftGetSize(plan, &size));
  const Buffer data(64 * sizeof(cufftComplex));
  auto* const z = data.as<cufftComplex>();
  say("run what is not made", cufftExecC2C(plan, z, z, CUFFT_FORWARD));
  say("stream of what is not made", cufftSetStream(plan, nullptr));
  say("work area of what is not made", cufftSetWorkArea(plan, data.as<void>()));
  say("automatic allocation of what is not made", cufftSetAutoAllocation(plan, 1));
  say("make", cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, &size));
  say("make without a size", cufftMakePlan1d(other, 64, CUFFT_C2C, 1, nullptr));
  say("make again", cufftMakePlan1d(plan, 32, CUFFT_C2C, 1, &size));
  say("size", cufftGetSize(plan, &size));
  say("size into nothing", cufftGetSize(plan, nullptr));
  say("automatic allocation after making", cufftSetAutoAllocation(plan, 0));
  for (const int direction : {-1, 1, 0, 2})
    say("direction " + std::to_string(direction), cufftExecC2C(plan, z, z, direction));
  say("run as R2C", cufftExecR2C(plan, data.as<float>(), z));
  say("run as C2R", cufftExecC2R(plan, z, data.as<float>()));
  say("run as Z2Z", cufftExecZ2Z(plan, data.as<cufftDoubleComplex>(), data.as<cufftDoubleComplex>(),
                                 CUFFT_FORWARD));
  auto* const misaligned = reinterpret_cast<cufftComplex*>(data.as<char>() + 4);
  say("misaligned input", cufftExecC2C(plan, misaligned, z, CUFFT_FORWARD));
  say("misaligned output", cufftExecC2C(plan, z, misaligned, CUFFT_FORWARD));
  cufftHandle real = -99;
  cufftPlan1d(&real, 16, CUFFT_R2C, 1);
  say("odd real input", cufftExecR2C(real, data.as<float>() + 1, z + 32));
  say("afterwards", cudaDeviceSynchronize());
  cufftDestroy(real);
  say("afterwards", cudaDeviceSynchronize());
  say("work area of nothing", cufftSetWorkArea(plan, nullptr));
  say("destroy", cufftDestroy(plan));
  say("destroy again", cufftDestroy(plan));
  say("run what is destroyed", cufftExecC2C(plan, z, z, CUFFT_FORWARD));
  say("size of what is destroyed", cufftGetSize(plan, &size));
  say("stream of what is destroyed", cufftSetStream(plan, nullptr));
  say("work area of what is destroyed", cufftSetWorkArea(plan, data.as<void>()));
  say("automatic allocation of what is destroyed", cufftSetAutoAllocation(plan, 1));
  say("make what is destroyed", cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, &size));
  say("destroy -1", cufftDestroy(-1));
  say("destroy 1000000", cufftDestroy(1000000));
  cufftDestroy(other);

  say("create", cufftCreate(&plan));
  say("automatic allocation off", cufftSetAutoAllocation(plan, 0));
  say("make", cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, &size));
  say("run without a work area", cufftExecC2C(plan, z, z, CUFFT_FORWARD));
  const Buffer area(1 << 20);
  say("work area", cufftSetWorkArea(plan, area.as<void>()));
  say("run with a work area", cufftExecC2C(plan, z, z, CUFFT_FORWARD));
  say("afterwards", cudaDeviceSynchronize());
  cufftDestroy(plan);

  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  say("plan", cufftPlan1d(&plan, 64, CUFFT_C2C, 1));
  say("set a stream", cufftSetStream(plan, stream));
  say("run in the stream", cufftExecC2C(plan, z, z, CUFFT_FORWARD));
  say("wait for the stream", cudaStreamSynchronize(stream));
  cufftDestroy(plan);
  cudaStreamDestroy(stream);
}

void sizes() {
  std::size_t size = 0;
  int n[] = {8, 8};
  long long long_n[] = {8, 8};
  cufftHandle plan = -99;
  cufftCreate(&plan);
  say("estimate 1d", cufftEstimate1d(64, CUFFT_C2C, 1, &size));
  say("estimate 1d of 0", cufftEstimate1d(0, CUFFT_C2C, 1, &size));
  say("estimate 1d of another type", cufftEstimate1d(64, static_cast<cufftType>(1), 1, &size));
  say("estimate 2d", cufftEstimate2d(8, 8, CUFFT_R2C, &size));
  say("estimate 3d", cufftEstimate3d(8, 8, 8, CUFFT_C2R, &size));
  say("estimate many", cufftEstimateMany(2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, 3, &size));
  say("get size 1d", cufftGetSize1d(plan, 64, CUFFT_C2C, 1, &size));
  say("get size 2d", cufftGetSize2d(plan, 8, 8, CUFFT_R2C, &size));
  say("get size 3d", cufftGetSize3d(plan, 8, 8, 8, CUFFT_C2R, &size));
  say("get size many",
      cufftGetSizeMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, 3, &size));
  say("get size many, long",
      cufftGetSizeMany64(plan, 2, long_n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, 3, &size));
  say("get size 1d of 0", cufftGetSize1d(plan, 0, CUFFT_C2C, 1, &size));
  say("make many, long",
      cufftMakePlanMany64(plan, 2, long_n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, 3, &size));
  cufftDestroy(plan);
  say("get size 1d of nothing", cufftGetSize1d(plan, 64, CUFFT_C2C, 1, &size));
  int version = 0;
  say("version", cufftGetVersion(&version));
  say("version is the header's", version == CUFFT_VERSION ? "yes" : "no");
  say("version into nothing", cufftGetVersion(nullptr));
  for (const int property : {0, 1, 2, 3}) {
    int value = -1;
    say("property " + std::to_string(property),
        cufftGetProperty(static_cast<libraryPropertyType>(property), &value));
  }
  say("property into nothing", cufftGetProperty(MAJOR_VERSION, nullptr));
}

/// Whether the input of a transform into other memory is still there afterwards.
void inputs() {
  for (const Shape& shape :
       {Shape{{64}, 1}, Shape{{1000}, 1}, Shape{{8, 8}, 1}, Shape{{4, 4, 4}, 1}})
    for (const cufftType type : {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R}) {
      const cufftHandle plan = usual_plan(shape, type);
      std::vector<float> values(4096);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 17);
      const Buffer in(values.size() * sizeof(float)), out(values.size() * sizeof(float));
      in.put(values);
      execute(plan, type, in.as<void>(), out.as<void>(), CUFFT_FORWARD);
      if (type != CUFFT_C2R)
        say("input of " + in_words(shape) + ", " + name_of(type),
            in.get<float>() == values ? "kept" : "changed");
      cufftDestroy(plan);
    }
}

/// A call that leaves the device unusable, so that it needs a process of its own.
void fail(const std::string& how) {
  cufftHandle plan = -99;
  cufftPlan1d(&plan, 64, CUFFT_C2C, 1);
  const Buffer data(64 * sizeof(cufftComplex));
  std::vector<cufftComplex> host(64);
  auto* const z = data.as<cufftComplex>();
  const bool is_input = how.find("input") != how.npos;
  cufftComplex* const wrong = how.find("null") != how.npos ? nullptr : host.data();
  say(how, cufftExecC2C(plan, is_input ? wrong : z, is_input ? z : wrong, CUFFT_FORWARD));
  say("wait", cudaDeviceSynchronize());
  say("run again", cufftExecC2C(plan, z, z, CUFFT_FORWARD));
  say("plan", cufftPlan1d(&plan, 64, CUFFT_C2C, 1));
  say("create", cufftCreate(&plan));
  say("destroy", cufftDestroy(plan));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    fail(argv[1]);
    return 0;
  }
  plans();
  handles();
  sizes();
  inputs();
  half_embedded();
  usual_transforms();
  advanced_transforms();
}
