// kind: changing the check's source
// rule: specialisation
// says: shuffle
template <class T>
__device__ T mine(T x) { return x; }
template <>
__device__ int mine<int>(int x) { return x; }
template <>
struct cooperative_groups::shuffle<int> {};
__global__ void kernel(int n, const float* in, float* out) {}
