// kind: uncounted access
// rule: include
// says: cwchar
#include <cwchar>
__global__ void kernel(int n, const float* in, float* out) {
  wmemcpy(reinterpret_cast<wchar_t*>(out), reinterpret_cast<const wchar_t*>(in), n);
}
