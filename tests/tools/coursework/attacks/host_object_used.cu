// kind: reading the solution
// rule: call
// says: std::
// What the header sets up is left out, and what device code uses of it is refused.
#include <iostream>
using std::cout;
__global__ void kernel(int n, const float* in, float* out) { cout << in[0]; }
