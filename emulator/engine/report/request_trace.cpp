#include "engine/report/request_trace.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "emulator/memory.h"
#include "engine/run/shared_windows.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kLaunchesOfAKernel = 16;
struct Document {
  Json launches = Json::array();
  std::map<std::string, unsigned> times;  // by signature
};

Document& document() {
  static Document& document = *new Document;  // never destroyed: written by an exit handler
  return document;
}

void write_document() {
  const std::string& path = settings().trace_file;
  const Json whole = {{"schema", 1}, {"backend", "emulator"}, {"launches", document().launches}};
  const std::string text = whole.dump() + "\n";
  std::FILE* file = std::fopen(path.c_str(), "w");
  const bool written = file && std::fputs(text.c_str(), file) >= 0;
  if ((file && std::fclose(file) != 0) || !written) {
    fmt::print(stderr, "emulator: cannot write {}: {}\n", path, std::strerror(errno));
    _exit(kUsageError);  // in an exit handler, only _exit can change the status
  }
}

// Registered at start, because a program without launches has a trace as well, an empty one.
[[gnu::constructor]] void write_trace_at_exit() {
  if (!settings().trace_file.empty()) std::atexit(write_document);
}

Json as_json(uint3 v) { return {v.x, v.y, v.z}; }

const char* name_of(AccessKind kind) {
  return kind == AccessKind::load ? "load" : kind == AccessKind::store ? "store" : "atomic";
}

const char* name_of(AccessSpace space) {
  constexpr std::array<const char*, kAccessSpaces> kNames = {"global", "shared", "dshared",
                                                             "other"};
  return kNames[static_cast<std::size_t>(space)];
}

}  // namespace

bool trace_wanted(const std::string& signature) {
  return !settings().trace_file.empty() && document().times[signature] < kLaunchesOfAKernel;
}

std::uint64_t RequestTrace::block() { return settings().trace_block; }

void RequestTrace::begin_block(uint3 index, const std::vector<uint3>& threads,
                               const SharedWindows* windows) {
  block_index_ = index;
  threads_ = threads;
  windows_ = windows;
  warps_.resize((threads.size() + kWarpSize - 1) / kWarpSize);
  shared_variables_ = visible_shared_variables(launch_.encoding, launch_.kernel);
  if (launch_.dynamic_shared_bytes)
    shared_variables_.push_back({"dynamic memory",
                                 reinterpret_cast<std::uintptr_t>(dynamic_shared()),
                                 launch_.dynamic_shared_bytes});
}

void RequestTrace::begin_phase(unsigned warp, unsigned) {
  warp_ = warp;
  ++warps_[warp].phases;
}

void RequestTrace::end_phase(const PhaseRows& rows) {
  rows.each_request([&](const Row& row, std::uint32_t all_lanes) {
    rows.each_space(row, all_lanes, [&](AccessSpace space, std::uint32_t lanes) {
      if (space == AccessSpace::other) return;
      TracedRequest request;
      request.space = space;
      request.program_counter = program_counter_of(row.site->key);
      request.kind = row.site->kind;
      request.access_bytes = row.site->access_bytes;
      request.lanes = lanes;
      for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        request.addresses[lane] = row.address(lane);
      }
      add(request);
    });
  });
}

void RequestTrace::add(const TracedRequest& request) {
  TracedWarp& warp = warps_[warp_];
  if (warp.times[request.program_counter]++ >= settings().trace_requests) return;
  Kept kept{warp.phases - 1, request, {}};
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (request.lanes >> lane & 1)
      kept.objects[lane] = object_at(request.addresses[lane], request.space);
  warp.requests.push_back(kept);
}

const RequestTrace::Object* RequestTrace::object_at(std::uintptr_t address, AccessSpace space) {
  const auto after = objects_.upper_bound(address);
  if (after != objects_.begin()) {
    const Object& known = std::prev(after)->second;
    if (address - known.begin < known.bytes) return &known;
  }
  Object found;
  found.space = space;
  const void* const pointer = reinterpret_cast<const void*>(address);
  if (space == AccessSpace::shared || space == AccessSpace::dshared) {
    std::uintptr_t own = address;  // address in the shared memory of the block on the stage
    if (space == AccessSpace::dshared) {
      found.rank = windows_->rank_of(pointer);
      own = reinterpret_cast<std::uintptr_t>(windows_->in_place(pointer));
    }
    for (const NamedVariable& variable : shared_variables_)
      if (const std::uintptr_t offset = own - variable.begin; offset < variable.bytes) {
        found.name = variable.name;
        found.begin = address - offset;
        found.bytes = variable.bytes;
      }
  } else {
    Allocation allocation{};
    if (const NamedVariable variable = variable_at(pointer); !variable.name.empty()) {
      found.name = variable.name;
      found.begin = variable.begin;
      found.bytes = variable.bytes;
    } else if (find_allocation(pointer, &allocation)) {
      found.begin = reinterpret_cast<std::uintptr_t>(allocation.begin);
      found.bytes = allocation.bytes;
    }
  }
  if (found.bytes == 0) return nullptr;
  return &(objects_[found.begin] = found);
}

void RequestTrace::finish() {
  Json objects = Json::array(), warps = Json::array();
  // Numbered in the order in which the document names them.
  std::map<const Object*, std::size_t> numbers;
  const auto number_of = [&](const Object& object) {
    const auto [entry, is_new] = numbers.try_emplace(&object, objects.size());
    if (!is_new) return entry->second;
    Json json{{"space", name_of(object.space)},
              {"name", object.name.empty() ? Json() : Json(object.name)},
              {"bytes", object.bytes},
              {"begin_in_line", object.begin % kLineBytes}};
    if (object.rank) json["rank"] = *object.rank;
    objects.push_back(std::move(json));
    return entry->second;
  };
  const auto as_json_request = [&](const Kept& kept) {
    const TracedRequest& request = kept.request;
    Json lanes = Json::array();
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const Object* const object = kept.objects[lane];
      if (!(request.lanes >> lane & 1))
        lanes.push_back(nullptr);
      else if (object)
        lanes.push_back({number_of(*object), request.addresses[lane] - object->begin});
      else
        lanes.push_back({nullptr, request.addresses[lane] % kLineBytes});
    }
    Json json{{"phase", kept.phase},
              {"line", source_line(request.program_counter)},
              {"kind", name_of(request.kind)},
              {"space", name_of(request.space)},
              {"access_bytes", request.access_bytes},
              {"lanes", std::move(lanes)}};
    if (request.space == AccessSpace::shared) {
      const SharedCost cost =
          shared_cost(request.kind, request.addresses, request.lanes, request.access_bytes);
      json["wavefronts"] = cost.wavefronts;
      json["wavefronts_ideal"] = cost.wavefronts_ideal;
    } else {
      const GlobalCost cost =
          global_cost(request.kind, request.addresses, request.lanes, request.access_bytes);
      json["sectors"] = cost.sectors;
      if (request.space == AccessSpace::global) json["lines"] = cost.lines;
      json["bytes"] = cost.bytes;
    }
    return json;
  };
  for (std::size_t warp = 0; warp < warps_.size(); ++warp) {
    Json threads = Json::array(), requests = Json::array();
    const std::size_t first = warp * kWarpSize;
    for (std::size_t i = first; i < std::min(first + kWarpSize, threads_.size()); ++i)
      threads.push_back(as_json(threads_[i]));
    for (const Kept& kept : warps_[warp].requests) requests.push_back(as_json_request(kept));
    warps.push_back({{"warp", warp}, {"threads", threads}, {"requests", requests}});
  }
  const unsigned time = document().times[launch_.signature]++;
  document().launches.push_back({{"kernel", launch_.name},
                                 {"signature", launch_.signature},
                                 {"launch", time},
                                 {"grid", as_json(launch_.grid)},
                                 {"block", as_json(launch_.block)},
                                 {"traced_block", as_json(block_index_)},
                                 {"objects", objects},
                                 {"warps", warps}});
}

}  // namespace emu
