// kind: changing the check's source
// rule: text
// says: has no partner
__global__ void kernel(int n, const float* in, float* out) { out[0] = 1.0f; }
namespace hidden {
