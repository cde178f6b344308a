/// @file
/// What plain g++ makes of the same in host code.
#pragma once

unsigned plain_unsigned(float value);
unsigned plain_shift(unsigned value, int count);
unsigned char plain_literal();
