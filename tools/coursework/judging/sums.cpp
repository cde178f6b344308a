#include "tools/coursework/judging/sums.hpp"

#include <algorithm>
#include <utility>

namespace coursework {

void add_sums(std::map<std::string, double>& values) {
  const auto of = [&](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? 0.0 : found->second;
  };
  constexpr double kSectorsPerLine = 4;
  values["read_requests"] =
      of("global_load_requests") + of("global_atomic_requests") + of("bulk_copies");
  values["read_sectors"] =
      of("global_load_sectors") + of("global_atomic_sectors") + of("bulk_sectors");
  values["read_lines"] = of("global_load_lines") + of("global_atomic_lines") +
                         std::max(of("bulk_copies"), of("bulk_sectors") / kSectorsPerLine);
  values["written_requests"] =
      of("global_store_requests") + of("global_atomic_requests") + of("bulk_stores");
  values["written_sectors"] =
      of("global_store_sectors") + of("global_atomic_sectors") + of("bulk_store_sectors");
  values["written_lines"] = of("global_store_lines") + of("global_atomic_lines") +
                            std::max(of("bulk_stores"), of("bulk_store_sectors") / kSectorsPerLine);
  values["written_bytes"] =
      of("global_store_bytes") + of("global_atomic_bytes") + of("bulk_store_bytes");
  values["busiest_warp_lane_requests"] = of("busiest_warp_global_requests");
  values["busiest_warp_global_requests"] +=
      std::max(of("bulk_copies"), of("bulk_sectors") / kSectorsPerLine) +
      std::max(of("bulk_stores"), of("bulk_store_sectors") / kSectorsPerLine);
  values["meetings"] = of("barriers") + of("mbarrier_operations");
  // Accesses to other blocks of a cluster go over the network and count in sectors.
  const std::pair<std::string, std::string> figures[] = {
      {"requests", "requests"}, {"wavefronts", "sectors"}, {"wavefronts_ideal", "sectors_ideal"}};
  for (const auto& [figure, far] : figures) {
    const double atomics = of("shared_atomic_" + figure) + of("dshared_atomic_" + far);
    values["shared_read_" + figure] =
        of("shared_load_" + figure) + of("dshared_load_" + far) + atomics;
    values["shared_written_" + figure] =
        of("shared_store_" + figure) + of("dshared_store_" + far) + atomics;
  }
}

}  // namespace coursework
