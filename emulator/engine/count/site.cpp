#include "engine/count/site.hpp"

namespace emu {

/// Returns the slot that holds the site, or the empty one where it belongs.
inline std::size_t AccessSites::slot_of(std::uintptr_t key) const {
  const std::size_t last = table_.size() - 1;
  std::size_t slot = (key ^ key >> kPartShift) * 0x9e3779b97f4a7c15u >> 32 & last;
  while (table_[slot] && table_[slot]->key != key) slot = (slot + 1) & last;
  return slot;
}

AccessSite& AccessSites::find(std::uintptr_t key, AccessKind kind, unsigned access_bytes) {
  const std::size_t slot = slot_of(key);
  AccessSite* found = table_[slot];
  if (!found) {
    sites_.push_back(std::make_unique<AccessSite>());
    found = table_[slot] = sites_.back().get();
    found->key = key;
    found->kind = kind;
    found->access_bytes = access_bytes;
    found->traits = hot.traits;
    if (2 * sites_.size() > table_.size()) grow();
  }
  if (!found->touched) {
    found->touched = true;
    touched_.push_back(found);
  }
  return *found;
}

void AccessSites::grow() {
  table_.assign(2 * table_.size(), nullptr);
  for (const auto& site : sites_) table_[slot_of(site->key)] = site.get();
}

}  // namespace emu
