namespace tools {
__device__ inline int only_on_device() { return 1; }
}  // namespace tools
