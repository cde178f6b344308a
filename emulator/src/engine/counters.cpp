#include "emulator/counters.h"

namespace emu {

MemoryCounters& MemoryCounters::operator+=(const MemoryCounters& other) {
  requests += other.requests;
  sectors += other.sectors;
  lines += other.lines;
  bytes += other.bytes;
  sectors_ideal += other.sectors_ideal;
  return *this;
}

SharedCounters& SharedCounters::operator+=(const SharedCounters& other) {
  requests += other.requests;
  wavefronts += other.wavefronts;
  wavefronts_ideal += other.wavefronts_ideal;
  return *this;
}

BulkCounters& BulkCounters::operator+=(const BulkCounters& other) {
  copies += other.copies;
  bytes += other.bytes;
  return *this;
}

Counters& Counters::operator+=(const Counters& other) {
  global_load += other.global_load;
  global_store += other.global_store;
  global_atomic += other.global_atomic;
  shared_load += other.shared_load;
  shared_store += other.shared_store;
  shared_atomic += other.shared_atomic;
  bulk += other.bulk;
  warp_instructions += other.warp_instructions;
  lane_instructions += other.lane_instructions;
  return *this;
}

}  // namespace emu
