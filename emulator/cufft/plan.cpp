// Handles of plans, and the calls that make, describe and destroy them.
#include "plan.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "engine/engine.hpp"
#include "runtime/runtime.hpp"
#include "transform.hpp"

namespace emu::cufft {

namespace {

struct Handles {
  std::mutex mutex;
  std::map<cufftHandle, std::shared_ptr<Plan>> alive;
  cufftHandle next = 1;
};

Handles& handles() {
  static Handles& all = *new Handles;  // never freed: programs use theirs until they end
  return all;
}

/// The sizes of a batch of transforms and where their numbers lie, as programs give them.
struct Request {
  int rank;
  const long long* n;
  const long long* input_embedding;
  long long input_stride, input_distance;
  const long long* output_embedding;
  long long output_stride, output_distance;
  cufftType type;
  long long batch;
};

bool is_type(cufftType type) {
  switch (type) {
    case CUFFT_C2C:
    case CUFFT_R2C:
    case CUFFT_C2R:
    case CUFFT_Z2Z:
    case CUFFT_D2Z:
    case CUFFT_Z2D:
      return true;
  }
  return false;
}

Layout layout_of(int rank, const long long* embedding, long long stride, long long distance) {
  Layout layout;
  for (int d = rank - 1; d >= 0; --d) {
    layout.strides[static_cast<std::size_t>(d)] = stride;
    stride *= embedding[d];
  }
  layout.distance = distance;
  return layout;
}

/// Describes what is asked for in `plan`, or says what is wrong.
cufftResult describe(const Request& request, Plan& plan) {
  if (!is_type(request.type)) return CUFFT_INVALID_TYPE;
  if (request.rank < 1 || request.rank > kMostDimensions || request.n == nullptr)
    return CUFFT_INVALID_VALUE;
  if (request.n[0] < 1 || request.batch < 1) return CUFFT_INVALID_SIZE;
  if ((request.input_embedding == nullptr) != (request.output_embedding == nullptr))
    return CUFFT_INVALID_VALUE;
  plan.is_embedded = request.input_embedding != nullptr;
  if (plan.is_embedded) {
    if (request.input_stride < 1 || request.output_stride < 1 || request.input_distance < 1 ||
        request.output_distance < 1)
      return CUFFT_INVALID_VALUE;
    plan.input = layout_of(request.rank, request.input_embedding, request.input_stride,
                           request.input_distance);
    plan.output = layout_of(request.rank, request.output_embedding, request.output_stride,
                            request.output_distance);
  }
  plan.shape.type = request.type;
  plan.shape.rank = request.rank;
  std::copy_n(request.n, request.rank, plan.shape.n.begin());
  plan.shape.batch = request.batch;
  return CUFFT_SUCCESS;
}

/// Returns as many bytes as all of the transforms' complex numbers take. Nothing uses them.
std::size_t work_bytes(const Shape& shape) {
  if (shape.is_empty()) return 0;
  auto bytes = static_cast<std::size_t>(shape.batch);
  for (int d = 0; d < shape.rank; ++d)
    bytes *= static_cast<std::size_t>(std::min(shape.input_size(d), shape.output_size(d)));
  return bytes * (shape.is_double() ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex));
}

cufftResult estimate(const Request& request, size_t* work_size) {
  Plan plan;
  const cufftResult result = describe(request, plan);
  if (result != CUFFT_SUCCESS) return result;
  if (work_size == nullptr) return CUFFT_INVALID_VALUE;
  if (sticky_error() != cudaSuccess) return CUFFT_INTERNAL_ERROR;
  *work_size = work_bytes(plan.shape);
  return CUFFT_SUCCESS;
}

cufftResult get_size(cufftHandle handle, const Request& request, size_t* work_size) {
  return find_plan(handle) ? estimate(request, work_size) : CUFFT_INVALID_PLAN;
}

cufftResult make(cufftHandle handle, const Request& request, size_t* work_size) {
  const std::shared_ptr<Plan> plan = find_plan(handle);
  if (!plan || plan->is_made) return CUFFT_INVALID_PLAN;
  if (work_size == nullptr) return CUFFT_INVALID_VALUE;
  const cufftResult result = describe(request, *plan);
  if (result != CUFFT_SUCCESS) return result;
  if (sticky_error() != cudaSuccess) return CUFFT_INTERNAL_ERROR;
  plan->is_made = true;
  *work_size = work_bytes(plan->shape);
  return CUFFT_SUCCESS;
}

cufftResult create_and_make(cufftHandle* handle, const Request& request) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  cufftHandle made = CUFFT_PLAN_NULL;
  std::size_t work_size = 0;
  cufftCreate(&made);
  const cufftResult result = make(made, request, &work_size);
  if (result == CUFFT_SUCCESS) {
    *handle = made;
  } else {
    cufftDestroy(made);
  }
  return result;
}

/// Sizes that lie one behind the other.
template <int rank>
class Usual {
 public:
  Usual(std::array<int, rank> n, cufftType type, int batch = 1) : type_(type), batch_(batch) {
    std::ranges::copy(n, n_.begin());
  }
  operator Request() const {
    return {rank, n_.data(), nullptr, 1, 0, nullptr, 1, 0, type_, batch_};
  }

 private:
  std::array<long long, rank> n_;
  cufftType type_;
  int batch_;
};

/// Sizes and embeddings that were given as `int`.
class Many {
 public:
  Many(int rank, const int* n, const int* input_embedding, int input_stride, int input_distance,
       const int* output_embedding, int output_stride, int output_distance, cufftType type,
       int batch) {
    request_ = {rank,          widened(rank, n, 0), widened(rank, input_embedding, 1),
                input_stride,  input_distance,      widened(rank, output_embedding, 2),
                output_stride, output_distance,     type,
                batch};
  }
  Many(const Many&) = delete;
  Many& operator=(const Many&) = delete;
  operator const Request&() const { return request_; }

 private:
  const long long* widened(int rank, const int* numbers, std::size_t row) {
    if (numbers == nullptr) return nullptr;
    std::copy_n(numbers, std::clamp(rank, 0, kMostDimensions), numbers_[row].begin());
    return numbers_[row].data();
  }

  std::array<std::array<long long, kMostDimensions>, 3> numbers_{};
  Request request_{};
};

}  // namespace

bool Shape::is_double() const {
  return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}

bool Shape::has_real_input() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }

bool Shape::has_real_output() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }

bool Shape::is_empty() const {
  return std::any_of(n.begin(), n.begin() + rank, [](long long size) { return size < 1; });
}

long long Shape::input_size(int d) const {
  const long long size = n[static_cast<std::size_t>(d)];
  return has_real_output() && d == rank - 1 ? size / 2 + 1 : size;
}

long long Shape::output_size(int d) const {
  const long long size = n[static_cast<std::size_t>(d)];
  return has_real_input() && d == rank - 1 ? size / 2 + 1 : size;
}

Layout usual_layout(const Shape& shape, bool is_input, bool is_in_place) {
  std::array<long long, kMostDimensions> sizes{};
  for (int d = 0; d < shape.rank; ++d)
    sizes[static_cast<std::size_t>(d)] = is_input ? shape.input_size(d) : shape.output_size(d);
  const bool is_real = is_input ? shape.has_real_input() : shape.has_real_output();
  if (is_real && is_in_place) {
    long long& last = sizes[static_cast<std::size_t>(shape.rank - 1)];
    last = 2 * (last / 2 + 1);
  }
  Layout layout = layout_of(shape.rank, sizes.data(), 1, 0);
  layout.distance = layout.strides[0] * sizes[0];
  return layout;
}

Plan::Plan() = default;
Plan::~Plan() = default;

std::shared_ptr<Plan> find_plan(cufftHandle handle) {
  const std::lock_guard lock(handles().mutex);
  const auto found = handles().alive.find(handle);
  return found == handles().alive.end() ? nullptr : found->second;
}

}  // namespace emu::cufft

using namespace emu;
using namespace emu::cufft;

extern "C" {

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return create_and_make(plan, Usual<1>({nx}, type, batch));
}

cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return create_and_make(plan, Usual<2>({nx, ny}, type));
}

cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return create_and_make(plan, Usual<3>({nx, ny, nz}, type));
}

cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  return create_and_make(
      plan, Many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch));
}

cufftResult cufftCreate(cufftHandle* plan) {
  if (in_kernel()) unsupported("a call inside a kernel");
  if (plan == nullptr) return CUFFT_INVALID_VALUE;
  const std::lock_guard lock(handles().mutex);
  *plan = handles().next++;
  handles().alive[*plan] = std::make_shared<Plan>();
  return CUFFT_SUCCESS;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                            size_t* work_size) {
  return make(plan, Usual<1>({nx}, type, batch), work_size);
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_size) {
  return make(plan, Usual<2>({nx, ny}, type), work_size);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t* work_size) {
  return make(plan, Usual<3>({nx, ny, nz}, type), work_size);
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, size_t* work_size) {
  return make(plan, Many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch),
              work_size);
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int* n,
                                long long int* inembed, long long int istride, long long int idist,
                                long long int* onembed, long long int ostride, long long int odist,
                                cufftType type, long long int batch, size_t* work_size) {
  return make(plan, {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch},
              work_size);
}

cufftResult cufftDestroy(cufftHandle plan) {
  if (plan == CUFFT_PLAN_NULL) return CUFFT_SUCCESS;
  const std::lock_guard lock(handles().mutex);
  return handles().alive.erase(plan) != 0 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* work_size) {
  return estimate(Usual<1>({nx}, type, batch), work_size);
}

cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* work_size) {
  return estimate(Usual<2>({nx, ny}, type), work_size);
}

cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* work_size) {
  return estimate(Usual<3>({nx, ny, nz}, type), work_size);
}

cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch,
                              size_t* work_size) {
  return estimate(Many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch),
                  work_size);
}

cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work_size) {
  return get_size(plan, Usual<1>({nx}, type, batch), work_size);
}

cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_size) {
  return get_size(plan, Usual<2>({nx, ny}, type), work_size);
}

cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                           size_t* work_size) {
  return get_size(plan, Usual<3>({nx, ny, nz}, type), work_size);
}

cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                             int idist, int* onembed, int ostride, int odist, cufftType type,
                             int batch, size_t* work_size) {
  return get_size(plan,
                  Many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch),
                  work_size);
}

cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                               long long int istride, long long int idist, long long int* onembed,
                               long long int ostride, long long int odist, cufftType type,
                               long long int batch, size_t* work_size) {
  return get_size(plan, {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch},
                  work_size);
}

cufftResult cufftGetSize(cufftHandle plan, size_t* work_size) {
  const std::shared_ptr<Plan> found = find_plan(plan);
  if (!found || !found->is_made) return CUFFT_INVALID_PLAN;
  if (work_size == nullptr) return CUFFT_INVALID_VALUE;
  *work_size = work_bytes(found->shape);
  return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle plan, void*) {
  return find_plan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
  return find_plan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  const std::shared_ptr<Plan> found = find_plan(plan);
  if (!found) return CUFFT_INVALID_PLAN;
  found->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int* version) {
  if (version != nullptr) *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  if (type < MAJOR_VERSION || type > PATCH_LEVEL) return CUFFT_INVALID_TYPE;
  if (value == nullptr) return CUFFT_INVALID_VALUE;
  *value = std::array{CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH}[type];
  return CUFFT_SUCCESS;
}

}  // extern "C"
