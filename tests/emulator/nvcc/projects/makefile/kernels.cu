__global__ void answer(int* out) { *out = 5; }

void launch_answer(int* out) { answer<<<1, 1>>>(out); }
