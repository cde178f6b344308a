// kind: ending the process
// rule: main
// says: main
int main() { return 0; }
__global__ void kernel(int n, const float* in, float* out) {}
