// kind: reading the solution
// rule: include
// says: before the first #define
#define FILE_NAME "/etc/passwd"
#include FILE_NAME
__global__ void kernel(int n, const float* in, float* out) {}
