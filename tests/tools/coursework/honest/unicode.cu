// Übungsblatt 2 – „doppelt“
/* /* Namen mit Umlauten, rohe Zeichenketten, die wie Zeilen des Präprozessors aussehen. */
__global__ void kernel(int n, const float* in, float* out) {
  const int größe = blockDim.x;
  const char* const text = R"(# not a line
    "of the preprocessor")";
  const int stelle = blockIdx.x * größe + threadIdx.x;
  if (stelle < n) out[stelle] = 2.0f * in[stelle] + (text == nullptr ? 1.0f : 0.0f);
}
