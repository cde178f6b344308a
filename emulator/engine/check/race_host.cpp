#include "engine/check/race_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/check/check_host.hpp"
#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"
#include "engine/settings.hpp"

namespace emu {

struct HostRaceCheck::Contact {
  std::uintptr_t address;
  unsigned bytes;
  bool host_writes;
  std::uintptr_t program_counter;  // in host code
  AccessRecord kernels;
  bool kernel_writes;
};

void HostRaceCheck::begin_launch(const Launch& launch, std::uint32_t first) {
  if (!settings().checks.race) return;
  if (running_.empty() || running_.back().second != launch.name)
    running_.emplace_back(first, launch.name);
  launches_are_running = true;
}

void HostRaceCheck::waited() {
  since_ = context_.segment + 1;
  running_.clear();
  copies_.clear();
}

void HostRaceCheck::begin_copy(const Copy& copy) {
  copies_.push_back(copy);
  launches_are_running = true;
}

std::string HostRaceCheck::kernel_of(std::uint32_t segment) const {
  const auto after =
      std::upper_bound(running_.begin(), running_.end(), segment,
                       [](std::uint32_t s, const auto& launch) { return s < launch.first; });
  return after == running_.begin() ? "" : std::prev(after)->second;
}

void HostRaceCheck::access(std::uintptr_t address, unsigned bytes, AccessKind kind,
                           std::uintptr_t program_counter, bool is_atomic) {
  const bool writes = kind != AccessKind::load;
  for (const Copy& copy : copies_)
    if (copy.writes || writes)
      for (std::uintptr_t at = address; at < address + bytes; ++at)
        if (copy.box.contains(at)) return report(copy, address, bytes, writes, program_counter);
  for (std::uintptr_t at = address; at < address + bytes;) {
    ShadowPage* const page = context_.global->find(at);
    if (!page) return;
    const auto index = at % kPageBytes >> page->shift;
    at = ((at >> page->shift) + 1) << page->shift;
    const auto unfinished = [&](const ShadowPage::Records& records) {
      const AccessRecord record{records ? records[index] : 0};
      const bool is_over = record.segment() < since_ || record.segment() == 0;
      return is_over || (is_atomic && record.flag(kStrongFlag)) ? AccessRecord{} : record;
    };
    AccessRecord written = unfinished(page->writes);
    AccessRecord read = writes ? unfinished(page->reads) : AccessRecord{};
    // Behind the record of an atomic operation, `others` may hold a plain access, which can race
    // with the host's atomic operation.
    if (const AccessRecord other = unfinished(page->others); is_atomic && other.bits != 0) {
      if (other.flag(kWriteFlag) && written.bits == 0) written = other;
      if (!other.flag(kWriteFlag) && writes && read.bits == 0) read = other;
    }
    if (written.bits == 0 && read.bits == 0) continue;
    const bool was_written = written.bits != 0;
    return report(
        {address, bytes, writes, program_counter, was_written ? written : read, was_written});
  }
}

void HostRaceCheck::report(const Contact& contact) {
  const std::uintptr_t site = program_counter_of_site(contact.kernels.site());
  const std::string key = fmt::format("host race|{}|{}", contact.program_counter, site);
  if (count_finding(key, 1, contact.bytes)) return;
  Finding finding = finding_of(Hazard::host_race);
  finding.title = contact.host_writes
                      ? "host code writes to memory that a kernel may still be using"
                      : "host code reads memory that a kernel may still be writing to";
  finding.kernel = kernel_of(contact.kernels.segment());
  finding.first = {contact.host_writes ? "write by the host" : "read by the host",
                   source_line(contact.program_counter), "", ""};
  finding.second = {contact.kernel_writes ? "write" : "read", source_line(site), "", ""};
  finding.memory = address_in_words(reinterpret_cast<const void*>(contact.address));
  finding.hint = "a launch does not wait: cudaDeviceSynchronize() does";
  finding.bytes = contact.bytes;
  add_finding(key, std::move(finding));
  print_new_findings();
}

void HostRaceCheck::report(const Copy& copy, std::uintptr_t address, unsigned bytes,
                           bool host_writes, std::uintptr_t program_counter) {
  const std::string key = fmt::format("host race|{}|{}", program_counter, copy.call_site);
  if (count_finding(key, 1, bytes)) return;
  Finding finding = finding_of(Hazard::host_race);
  finding.title = fmt::format("host code {} memory that {} may still be {}",
                              host_writes ? "writes to" : "reads", copy.call,
                              copy.writes ? "writing to" : "reading");
  finding.first = {host_writes ? "write by the host" : "read by the host",
                   source_line(program_counter), "", ""};
  finding.second = {copy.call, source_line(copy.call_site), "", ""};
  finding.memory = address_in_words(reinterpret_cast<const void*>(address));
  finding.hint = "an asynchronous call does not wait: cudaStreamSynchronize() does";
  finding.bytes = bytes;
  add_finding(key, std::move(finding));
  print_new_findings();
}

}  // namespace emu
