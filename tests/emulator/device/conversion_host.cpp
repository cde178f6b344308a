#include "conversion_host.hpp"

[[gnu::noipa]] unsigned plain_unsigned(float value) { return static_cast<unsigned>(value); }
[[gnu::noipa]] unsigned plain_shift(unsigned value, int count) { return value << count; }
[[gnu::noipa]] unsigned char plain_literal() { return static_cast<unsigned char>(300.0f); }
