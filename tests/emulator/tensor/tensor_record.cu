// Records a GPU's tensor core results for the tiles in tensor_cases.hpp, and which elements of a
// matrix nvcuda::wmma assigns to which lane. tensor_h200.txt is its output:
//   nvcc -std=c++20 -O2 -gencode arch=compute_90a,code=sm_90a -o record tensor_record.cu
//   ./record > tensor_h200.txt
// With a folder's name it also writes every result there, one file per instruction.
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "../device/record.hpp"
#include "tensor_cases.hpp"

namespace {

using record::require;
using tensor::Shape;

/// Text computed at compile time.
struct Text {
  char value[64];
  int length;
};

struct Device {
  const std::uint32_t* a;  // [tiles, m, k], in memory's format, words of 32 bits
  const std::uint32_t* b;  // [tiles, n, k]
  std::uint32_t* d;        // [tiles, m, n], in memory's format
};

/// The fragments of m16n8: A, B [n, k] and C are read as words, with `row_words` words per row of
/// k.
template <int a_words, int c_words>
struct Fragments {
  std::uint32_t a[a_words], b[a_words / 2], c[c_words];

  static constexpr int kRowWords = a_words * 2;  // 4 words a row and two registers

  __device__ void load(const Device& x, int tile, int m, int warp) {
    const int lane = threadIdx.x % 32, row = 16 * warp + lane / 4;
    const std::uint32_t* a_tile = x.a + static_cast<std::size_t>(tile) * m * kRowWords;
    const std::uint32_t* b_tile = x.b + static_cast<std::size_t>(tile) * 8 * kRowWords;
    for (int r = 0; r < a_words; ++r)
      a[r] = a_tile[(row + 8 * (r % 2)) * kRowWords + lane % 4 + 4 * (r / 2)];
    for (int r = 0; r < a_words / 2; ++r) b[r] = b_tile[lane / 4 * kRowWords + lane % 4 + 4 * r];
    for (int r = 0; r < c_words; ++r) c[r] = *result(x, tile, m, warp, r);
  }
  __device__ void store(const Device& x, int tile, int m, int warp) const {
    for (int r = 0; r < c_words; ++r) *result(x, tile, m, warp, r) = c[r];
  }

 private:
  static __device__ std::uint32_t* result(const Device& x, int tile, int m, int warp, int r) {
    constexpr int kRow = 2 * c_words;  // words: 8 of 32 bits, or 4 with two of 16 bits
    constexpr int kLane = c_words / 2;
    const int lane = threadIdx.x % 32, row = 16 * warp + lane / 4 + 8 * (r / kLane);
    return x.d + static_cast<std::size_t>(tile) * m * kRow + row * kRow + lane % 4 * kLane +
           r % kLane;
  }
};

template <class Name, int a_words, int c_words>
__global__ void multiply_warp(Device x) {
  Fragments<a_words, c_words> f;
  f.load(x, blockIdx.x, 16, 0);
  if constexpr (a_words == 4 && c_words == 4)
    asm volatile("mma.sync.aligned.%10 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(f.c[0]), "+r"(f.c[1]), "+r"(f.c[2]), "+r"(f.c[3])
                 : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "r"(f.b[0]), "r"(f.b[1]),
                   "C"(Name::value));
  else if constexpr (a_words == 2 && c_words == 4)
    asm volatile("mma.sync.aligned.%7 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+r"(f.c[0]), "+r"(f.c[1]), "+r"(f.c[2]), "+r"(f.c[3])
                 : "r"(f.a[0]), "r"(f.a[1]), "r"(f.b[0]), "C"(Name::value));
  else if constexpr (a_words == 4)
    asm volatile("mma.sync.aligned.%8 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                 : "+r"(f.c[0]), "+r"(f.c[1])
                 : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "r"(f.b[0]), "r"(f.b[1]),
                   "C"(Name::value));
  else
    asm volatile("mma.sync.aligned.%5 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
                 : "+r"(f.c[0]), "+r"(f.c[1])
                 : "r"(f.a[0]), "r"(f.a[1]), "r"(f.b[0]), "C"(Name::value));
  f.store(x, blockIdx.x, 16, 0);
}

/// Multiplies A in registers by B in shared memory without a swizzle: two core matrices of 8 rows
/// of 16 bytes.
template <class Name, class Immediates, int c_words>
__global__ void multiply_warpgroup(Device x) {
  constexpr int kRows = 8, kRowWords = 8, kCoreWords = 4;  // of B; of a core matrix
  __shared__ __align__(128) std::uint32_t b[kRows * kRowWords];
  const int warp = threadIdx.x / 32;
  Fragments<4, c_words> f;
  f.load(x, blockIdx.x, 64, warp);
  if (threadIdx.x < kRows * kRowWords) {
    const int row = threadIdx.x / kRowWords, word = threadIdx.x % kRowWords;
    b[word / kCoreWords * kRows * kCoreWords + row * kCoreWords + word % kCoreWords] =
        x.b[static_cast<std::size_t>(blockIdx.x) * kRows * kRowWords + threadIdx.x];
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const auto start = static_cast<std::uint64_t>(__cvta_generic_to_shared(b));
  const std::uint64_t descriptor =
      (start & 0x3ffff) >> 4 | std::uint64_t{128 >> 4} << 16 | std::uint64_t{256 >> 4} << 32;
  if constexpr (c_words == 4)
    asm volatile(
        "{ .reg .pred p; setp.eq.b32 p, 0, 0; wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.%9 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, p%10;\n"
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"
        : "+r"(f.c[0]), "+r"(f.c[1]), "+r"(f.c[2]), "+r"(f.c[3])
        : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "l"(descriptor), "C"(Name::value),
          "C"(Immediates::value)
        : "memory");
  else
    asm volatile(
        "{ .reg .pred p; setp.eq.b32 p, 0, 0; wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.%7 {%0,%1}, {%2,%3,%4,%5}, %6, p%8;\n"
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"
        : "+r"(f.c[0]), "+r"(f.c[1])
        : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "l"(descriptor), "C"(Name::value),
          "C"(Immediates::value)
        : "memory");
  f.store(x, blockIdx.x, 64, warp);
}

/// Packs elements as in memory.
std::vector<std::uint32_t> packed(const std::vector<std::uint32_t>& elements, int bytes) {
  std::vector<std::uint32_t> words(elements.size() * bytes / 4);
  for (std::size_t i = 0; i < elements.size(); ++i)
    words[i * bytes / 4] |= elements[i] << (8 * (i * bytes % 4));
  return words;
}
std::vector<std::uint32_t> unpacked(const std::vector<std::uint32_t>& words, int bytes) {
  std::vector<std::uint32_t> elements(words.size() * 4 / bytes);
  for (std::size_t i = 0; i < elements.size(); ++i)
    elements[i] = words[i * bytes / 4] >> (8 * (i * bytes % 4)) &
                  (bytes == 4 ? ~0u : (1u << (8 * bytes)) - 1);
  return elements;
}

std::uint32_t* to_device(const std::vector<std::uint32_t>& words) {
  void* memory = nullptr;
  require(cudaMalloc(&memory, words.size() * sizeof(words[0])));
  require(cudaMemcpy(memory, words.data(), words.size() * sizeof(words[0]), cudaMemcpyDefault));
  return static_cast<std::uint32_t*>(memory);
}

void append(std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Returns the bits of D, [tiles, m, n].
template <class Kernel>
std::vector<std::uint32_t> run(const Shape& shape, Kernel kernel) {
  std::vector<std::uint32_t> a, b, c;
  for (int tile = 0; tile < tensor::tiles_of(shape); ++tile) {
    const tensor::Tile t = tensor::make_tile(shape, tile);
    std::vector<std::uint32_t> columns;  // of B, one after the other
    for (int j = 0; j < shape.n; ++j)
      for (int p = 0; p < shape.k; ++p) columns.push_back(t.b[p * shape.n + j]);
    append(a, t.a);
    append(b, columns);
    append(c, t.c);
  }
  c = packed(c, shape.c.bytes);
  const Device x = {to_device(packed(a, shape.a.bytes)), to_device(packed(b, shape.b.bytes)),
                    to_device(c)};
  kernel<<<tensor::tiles_of(shape), 2 * shape.m>>>(x);
  require(cudaGetLastError());
  require(cudaMemcpy(c.data(), x.d, c.size() * sizeof(c[0]), cudaMemcpyDefault));
  for (const std::uint32_t* p : {x.a, x.b, static_cast<const std::uint32_t*>(x.d)})
    require(cudaFree(const_cast<std::uint32_t*>(p)));
  return unpacked(c, shape.c.bytes);
}

/// Prints a line per tile: the digest of its results, and one of them.
void print(const Shape& shape, const std::vector<std::uint32_t>& d) {
  std::printf("%s\n", std::string(shape.name).c_str());
  const int results = shape.m * shape.n;
  for (int tile = 0; tile < tensor::tiles_of(shape); ++tile) {
    const std::uint32_t* of_tile = d.data() + static_cast<std::size_t>(tile) * results;
    std::printf("%08x %x\n", tensor::digest(of_tile, results), of_tile[tile * 37 % results]);
  }
}

void keep(const std::string& folder, const Shape& shape, const std::vector<std::uint32_t>& d) {
  const std::string path = folder + "/" + std::string(shape.name) + ".bin";
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(d.data(), sizeof(d[0]), d.size(), file) != d.size() ||
      std::fclose(file) != 0) {
    std::fprintf(stderr, "record: cannot write %s\n", path.c_str());
    std::exit(2);
  }
}

constexpr bool is_mma(int shape) { return tensor::kShapes[shape].m == 16; }

/// Returns PTX's name: the shape, then its suffixes.
constexpr Text text_of(int shape) {
  Text text{};
  const auto put = [&](std::string_view part) {
    for (const char c : part) text.value[text.length++] = c;
  };
  std::string_view name = tensor::kShapes[shape].name;
  name.remove_prefix(name.find('.') + 1);
  const std::string_view size = name.substr(0, name.find('.'));
  std::string_view rest = name.substr(size.size());
  constexpr std::string_view kSatfinite = ".satfinite";
  const bool saturates = rest.substr(0, kSatfinite.size()) == kSatfinite;
  if (saturates) rest.remove_prefix(kSatfinite.size());
  put(size);
  if (is_mma(shape)) put(".row.col");
  if (saturates && is_mma(shape)) put(kSatfinite);
  put(rest);
  if (saturates && !is_mma(shape)) put(kSatfinite);
  return text;
}

/// Returns the signs of A and B, then how B is stored, if there is a choice.
constexpr Text immediates_of(int shape) {
  const tensor::Format& a = tensor::kShapes[shape].a;
  if (a.exponent_bits == 0) return {"", 0};
  if (a.bytes == 2) return {", 1, 1, 0", 9};
  return {", 1, 1", 6};
}

/// A text as the array of char that `asm` takes.
template <Text make(int), int shape, class = std::make_integer_sequence<int, make(shape).length>>
struct Letters;
template <Text make(int), int shape, int... i>
struct Letters<make, shape, std::integer_sequence<int, i...>> {
  static constexpr char value[] = {make(shape).value[i]..., 0};
};

template <int shape>
struct Instruction {
  static constexpr Shape kShape = tensor::kShapes[shape];
  using Name = Letters<text_of, shape>;
  using Immediates = Letters<immediates_of, shape>;
  static constexpr int kAWords = kShape.k * kShape.a.bytes / 8;
  static constexpr int kCWords = kShape.c.bytes;
};

template <int shape>
void record_shape(const std::string& folder) {
  using It = Instruction<shape>;
  std::vector<std::uint32_t> d;
  if constexpr (is_mma(shape))
    d = run(It::kShape, multiply_warp<typename It::Name, It::kAWords, It::kCWords>);
  else
    d = run(It::kShape,
            multiply_warpgroup<typename It::Name, typename It::Immediates, It::kCWords>);
  print(It::kShape, d);
  if (!folder.empty()) keep(folder, It::kShape, d);
}

// Load a matrix whose elements are their own indices, to see which lanes nvcuda::wmma assigns them
// to.

namespace wmma = nvcuda::wmma;

template <class Fragment, class Memory>
__global__ void load_fragment(const Memory* matrix, int width, std::uint32_t* elements) {
  Fragment f;
  if constexpr (requires { wmma::load_matrix_sync(f, matrix, width); })
    wmma::load_matrix_sync(f, matrix, width);
  else
    wmma::load_matrix_sync(f, matrix, width, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &f.x[i], sizeof f.x[i]);
    elements[threadIdx.x * f.num_elements + i] = bits;
  }
}

/// Prints each lane's elements by their index in row-major or column-major memory.
template <class Fragment, class Memory>
void record_layout(const char* name, int elements, int width) {
  constexpr int kBytes = sizeof(Memory);
  std::vector<std::uint32_t> found(32 * Fragment::num_elements);
  // 8-bit elements hold half of their index, one half after the other.
  for (int part = 0; part < (kBytes == 1 ? 2 : 1); ++part) {
    std::vector<std::uint32_t> numbers(elements);
    for (int i = 0; i < elements; ++i) numbers[i] = kBytes == 1 ? i >> (8 * part) & 0xff : i;
    std::uint32_t* matrix = to_device(packed(numbers, kBytes));
    std::vector<std::uint32_t> got(found.size());
    std::uint32_t* result = to_device(got);
    load_fragment<Fragment, Memory>
        <<<1, 32>>>(reinterpret_cast<const Memory*>(matrix), width, result);
    require(cudaGetLastError());
    require(cudaMemcpy(got.data(), result, got.size() * sizeof(got[0]), cudaMemcpyDefault));
    require(cudaFree(matrix));
    require(cudaFree(result));
    for (std::size_t i = 0; i < got.size(); ++i) found[i] |= got[i] << (8 * part);
  }
  std::printf("layout %s %d", name, Fragment::num_elements);
  for (const std::uint32_t number : found) std::printf(" %x", number);
  std::printf("\n");
}

template <int m, int n, int k, class Element, class Memory>
void record_operands(const std::string& name) {
  using wmma::col_major, wmma::row_major, wmma::fragment, wmma::matrix_a, wmma::matrix_b;
  record_layout<fragment<matrix_a, m, n, k, Element, row_major>, Memory>((name + " a row").c_str(),
                                                                         m * k, k);
  record_layout<fragment<matrix_a, m, n, k, Element, col_major>, Memory>((name + " a col").c_str(),
                                                                         m * k, m);
  record_layout<fragment<matrix_b, m, n, k, Element, row_major>, Memory>((name + " b row").c_str(),
                                                                         k * n, n);
  record_layout<fragment<matrix_b, m, n, k, Element, col_major>, Memory>((name + " b col").c_str(),
                                                                         k * n, k);
}
template <int m, int n, int k, class Element>
void record_accumulator(const std::string& name) {
  record_layout<wmma::fragment<wmma::accumulator, m, n, k, Element>, Element>(
      (name + " c row").c_str(), m * n, n);
}

template <int m, int n>
void record_layouts(const std::string& size) {
  record_operands<m, n, 16, __half, __half>(size + "k16 f16");
  record_operands<m, n, 16, __nv_bfloat16, __nv_bfloat16>(size + "k16 bf16");
  record_operands<m, n, 16, signed char, signed char>(size + "k16 s8");
  record_operands<m, n, 16, unsigned char, unsigned char>(size + "k16 u8");
  record_accumulator<m, n, 16, __half>(size + "k16 f16");
  record_accumulator<m, n, 16, float>(size + "k16 f32");
  record_accumulator<m, n, 16, int>(size + "k16 s32");
}

template <int... shapes>
void record_all(const std::string& folder, std::integer_sequence<int, shapes...>) {
  (record_shape<shapes>(folder), ...);
}

}  // namespace

int main(int argc, char** argv) {
  int driver = 0;
  cudaDeviceProp properties{};
  require(cudaDriverGetVersion(&driver));
  require(cudaGetDeviceProperties(&properties, 0));
  std::printf("# %s, driver for CUDA %d.%d, toolkit %d.%d\n", properties.name, driver / 1000,
              driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  std::printf("# an instruction, then a line per tile: digest (FNV-1a) of D, and one result\n");
  record_all(argc > 1 ? argv[1] : "",
             std::make_integer_sequence<int, int(std::size(tensor::kShapes))>());
  std::printf("# layout: shape, type, matrix, order; elements a lane; then for each lane, which\n");
  record_layouts<16, 16>("m16n16");
  record_layouts<32, 8>("m32n8");
  record_layouts<8, 32>("m8n32");
  record_operands<16, 16, 8, wmma::precision::tf32, float>("m16n16k8 tf32");
  record_accumulator<16, 16, 8, float>("m16n16k8 f32");
  return 0;
}
