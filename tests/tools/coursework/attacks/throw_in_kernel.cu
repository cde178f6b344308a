// kind: ending the process
// rule: language
// says: throw
__global__ void kernel(int n, const float* in, float* out) { throw 1; }
