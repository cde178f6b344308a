// The kernels that were given are empty.
//! as given, global, copied, few, break-even, large block
//= look_up is not as it was given: its sums are wrong
__global__ void look_up(int n, int rounds, const int* table, const int* first, int* out) {}
__global__ void look_up_copied(int n, int rounds, const int* table, const int* first, int* out) {}
__global__ void answers(int* requests) {}
