// kind: environment
// rule: call
// says: environ
extern "C" char** environ;
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = environ[0][0]; }
