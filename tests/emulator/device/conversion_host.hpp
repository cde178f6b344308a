/// @file
/// Results of the same conversions in host code compiled by g++.
#pragma once

unsigned plain_unsigned(float value);
unsigned plain_shift(unsigned value, int count);
unsigned char plain_literal();
