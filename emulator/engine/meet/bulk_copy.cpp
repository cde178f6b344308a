#include "engine/meet/bulk_copy.hpp"

#include <algorithm>
#include <cstring>

#include "engine/count/cost.hpp"

namespace emu {

BulkCopy::Row BulkCopy::row(std::uint32_t index) const {
  Row row{index * tensor.row_bytes(), nullptr, 0, 0};
  std::uint64_t address = tensor.address;
  for (unsigned d = 1; d < tensor.rank; ++d) {
    const std::int64_t coordinate = at[d] + index % tensor.box[d];
    index /= tensor.box[d];
    if (coordinate < 0 || static_cast<std::uint64_t>(coordinate) >= tensor.sizes[d]) return row;
    address += static_cast<std::uint64_t>(coordinate) * tensor.strides[d - 1];
  }
  const std::int64_t begin = std::max<std::int64_t>(at[0], 0);
  const std::int64_t end =
      std::min(at[0] + std::int64_t{tensor.box[0]}, static_cast<std::int64_t>(tensor.sizes[0]));
  if (begin >= end) return row;
  row.source = reinterpret_cast<const char*>(address) + begin * tensor.element_bytes;
  row.before = static_cast<std::uint32_t>(begin - at[0]) * tensor.element_bytes;
  row.bytes = static_cast<std::uint32_t>(end - begin) * tensor.element_bytes;
  if (leaves_shared) row.bytes = (row.bytes + kCopyGrain - 1) / kCopyGrain * kCopyGrain;
  return row;
}

std::uint64_t BulkCopy::sectors() const {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tensor.box_rows(); ++i) {
    const Row part = row(i);
    if (part.bytes == 0) continue;
    const auto begin = reinterpret_cast<std::uintptr_t>(part.source);
    sum += (begin + part.bytes - 1) / kSectorBytes - begin / kSectorBytes + 1;
  }
  return sum;
}

void BulkCopy::make() const {
  const std::uint32_t row_bytes = tensor.row_bytes(), rows = tensor.box_rows();
  const std::uint32_t step = tensor.swizzle_bytes == 0 ? row_bytes : kCopyGrain;
  for (std::uint32_t i = 0; i < rows; ++i) {
    const Row part = row(i);
    const std::uint32_t end = part.before + part.bytes;
    for (std::uint32_t offset = 0; offset < row_bytes; offset += step) {
      char* const to = swizzled_address(part.offset + offset);
      const std::uint32_t from = std::clamp(part.before, offset, offset + step);
      const std::uint32_t upto = std::clamp(end, from, offset + step);
      std::memset(to, 0, from - offset);
      if (upto > from)
        std::memcpy(to + (from - offset), part.source + (from - part.before), upto - from);
      std::memset(to + (upto - offset), 0, offset + step - upto);
    }
  }
}

void BulkCopy::store() const {
  const std::uint32_t rows = tensor.box_rows();
  for (std::uint32_t i = 0; i < rows; ++i) {
    const Row part = row(i);
    char* const to = const_cast<char*>(part.source);
    for (std::uint32_t done = 0; done < part.bytes;) {
      const std::uint32_t offset = part.before + done;
      const std::uint32_t left = part.bytes - done;
      const std::uint32_t bytes =
          tensor.swizzle_bytes == 0 ? left : std::min(left, kCopyGrain - offset % kCopyGrain);
      std::memcpy(to + done, swizzled_address(part.offset + offset), bytes);
      done += bytes;
    }
  }
}

}  // namespace emu
