#include "emulator/counters.h"

namespace emu {

Counters& Counters::operator+=(const Counters& other) {
  course::Counters::operator+=(other);
  sectors_ideal.global_load += other.sectors_ideal.global_load;
  sectors_ideal.global_store += other.sectors_ideal.global_store;
  sectors_ideal.global_atomic += other.sectors_ideal.global_atomic;
  return *this;
}

}  // namespace emu
