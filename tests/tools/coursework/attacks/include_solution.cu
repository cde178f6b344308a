// kind: reading the solution
// rule: include
// says: exercise.cu
#include "@COURSE@/chapters/02_coalescing/exercises/1_row_from_a_line/exercise.cu"
__global__ void kernel(int n, const float* in, float* out) {}
