#include "transform.hpp"

#include <fftw3.h>

#include <cstring>
#include <mutex>
#include <new>
#include <vector>

namespace emu::cufft {

namespace {

/// FFTW's names for one precision.
template <class Real>
struct Fftw;

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static constexpr auto plan_c2c = fftwf_plan_guru64_dft;
  static constexpr auto plan_r2c = fftwf_plan_guru64_dft_r2c;
  static constexpr auto plan_c2r = fftwf_plan_guru64_dft_c2r;
  static constexpr auto run_c2c = fftwf_execute_dft;
  static constexpr auto run_r2c = fftwf_execute_dft_r2c;
  static constexpr auto run_c2r = fftwf_execute_dft_c2r;
  static constexpr auto destroy = fftwf_destroy_plan;
};

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static constexpr auto plan_c2c = fftw_plan_guru64_dft;
  static constexpr auto plan_r2c = fftw_plan_guru64_dft_r2c;
  static constexpr auto plan_c2r = fftw_plan_guru64_dft_c2r;
  static constexpr auto run_c2c = fftw_execute_dft;
  static constexpr auto run_r2c = fftw_execute_dft_r2c;
  static constexpr auto run_c2r = fftw_execute_dft_c2r;
  static constexpr auto destroy = fftw_destroy_plan;
};

/// Only one thread at a time may make or destroy plans of FFTW.
std::mutex& planner() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

/// Returns how many elements of the input lie between its first and its last, both counted.
long long extent(const Shape& shape, const Layout& input) {
  long long last = (shape.batch - 1) * input.distance;
  for (int d = 0; d < shape.rank; ++d)
    last += (shape.input_size(d) - 1) * input.strides[static_cast<std::size_t>(d)];
  return last + 1;
}

template <class Real>
class TransformOf final : public Transform {
 public:
  TransformOf(const Shape& shape, const Layout& input, const Layout& output, bool is_in_place)
      : shape_(shape),
        input_(input),
        output_(output),
        input_bytes_(static_cast<std::size_t>(extent(shape, input)) *
                     (shape.has_real_input() ? sizeof(Real) : sizeof(Complex))),
        copies_input_(is_in_place && !lie_alike()) {}

  ~TransformOf() override {
    const std::lock_guard lock(planner());
    for (const Plan plan : plans_)
      if (plan) Fftw<Real>::destroy(plan);
  }

  void run(void* input, void* output, int direction) override {
    std::vector<char> copy;
    if (copies_input_) {
      copy.resize(input_bytes_);
      std::memcpy(copy.data(), input, input_bytes_);
      input = copy.data();
    }
    const Plan plan = plan_for(input, output, direction);
    if (shape_.has_real_input()) {
      Fftw<Real>::run_r2c(plan, static_cast<Real*>(input), static_cast<Complex*>(output));
    } else if (shape_.has_real_output()) {
      Fftw<Real>::run_c2r(plan, static_cast<Complex*>(input), static_cast<Real*>(output));
    } else {
      Fftw<Real>::run_c2c(plan, static_cast<Complex*>(input), static_cast<Complex*>(output));
    }
  }

 private:
  using Plan = typename Fftw<Real>::Plan;
  using Complex = typename Fftw<Real>::Complex;

  /// Returns whether each number of the input lies where the output has the same one, so that FFTW
  /// can work in place.
  bool lie_alike() const {
    const long long in_part = shape_.has_real_input() ? 1 : 2;
    const long long out_part = shape_.has_real_output() ? 1 : 2;
    if (shape_.batch > 1 && input_.distance * in_part != output_.distance * out_part) return false;
    const bool is_complex = in_part == out_part;
    for (int d = 0; d < shape_.rank; ++d) {
      const auto i = static_cast<std::size_t>(d);
      if (d == shape_.rank - 1 && !is_complex)
        return input_.strides[i] == 1 && output_.strides[i] == 1;
      if (input_.strides[i] * in_part != output_.strides[i] * out_part) return false;
    }
    return true;
  }

  Plan plan_for(void* input, void* output, int direction) {
    Plan& plan = plans_[direction == CUFFT_FORWARD ? 0 : 1];
    if (plan) return plan;
    std::array<fftw_iodim64, kMostDimensions> sizes{};
    for (int d = 0; d < shape_.rank; ++d) {
      const auto i = static_cast<std::size_t>(d);
      sizes[i] = {static_cast<std::ptrdiff_t>(shape_.n[i]),
                  static_cast<std::ptrdiff_t>(input_.strides[i]),
                  static_cast<std::ptrdiff_t>(output_.strides[i])};
    }
    const fftw_iodim64 batch = {static_cast<std::ptrdiff_t>(shape_.batch),
                                static_cast<std::ptrdiff_t>(input_.distance),
                                static_cast<std::ptrdiff_t>(output_.distance)};
    // Like this, FFTW looks at no number while it plans, and takes other addresses afterwards.
    constexpr unsigned kFlags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    const std::lock_guard lock(planner());
    if (shape_.has_real_input()) {
      plan = Fftw<Real>::plan_r2c(shape_.rank, sizes.data(), 1, &batch, static_cast<Real*>(input),
                                  static_cast<Complex*>(output), kFlags);
    } else if (shape_.has_real_output()) {
      plan = Fftw<Real>::plan_c2r(shape_.rank, sizes.data(), 1, &batch,
                                  static_cast<Complex*>(input), static_cast<Real*>(output), kFlags);
    } else {
      plan =
          Fftw<Real>::plan_c2c(shape_.rank, sizes.data(), 1, &batch, static_cast<Complex*>(input),
                               static_cast<Complex*>(output),
                               direction == CUFFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, kFlags);
    }
    if (!plan) throw std::bad_alloc();
    return plan;
  }

  Shape shape_;
  Layout input_, output_;
  std::size_t input_bytes_;
  bool copies_input_;
  std::array<Plan, 2> plans_{};  // forward and inverse; of real numbers, the one that there is
};

}  // namespace

std::unique_ptr<Transform> Transform::make(const Shape& shape, const Layout& input,
                                           const Layout& output, bool is_in_place) {
  if (shape.is_double())
    return std::make_unique<TransformOf<double>>(shape, input, output, is_in_place);
  return std::make_unique<TransformOf<float>>(shape, input, output, is_in_place);
}

}  // namespace emu::cufft
