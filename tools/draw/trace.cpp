#include "tools/draw/trace.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "course/device_buffer.hpp"
#include "tools/support/json.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace pictures {

namespace {

using json = nlohmann::json;

Request request_from(const json& traced, const json& objects) {
  Request request;
  request.line = traced.at("line");
  request.kind = traced.at("kind");
  request.is_shared = traced.at("space") == "shared";
  request.phase = traced.at("phase");
  request.access_bytes = traced.at("access_bytes");
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const json& place = traced.at("lanes").at(lane);
    if (place.is_null()) continue;
    if (place.at(0).is_null()) throw std::runtime_error(request.line + " leaves its array");
    const std::size_t object = place.at(0);
    // A chapter's allocations begin after a guard band; a kernel's variables do not.
    const bool is_buffer = objects.at(object).at("name").is_null();
    request.lanes[lane] = {
        object, place.at(1).get<std::uint64_t>() - (is_buffer ? course::kGuardBytes : 0)};
  }
  if (request.is_shared) {
    request.wavefronts = traced.at("wavefronts");
    request.wavefronts_ideal = traced.at("wavefronts_ideal");
  } else {
    request.sectors = traced.at("sectors");
    request.lines = traced.at("lines");
    request.bytes = traced.at("bytes");
  }
  return request;
}

/// Returns a function's name without result, parameters and template arguments, from a signature
/// such as "void tuned::sgemm<...>(int, ...)".
std::string qualified_name(const std::string& signature) {
  const std::string head = signature.substr(0, signature.find_first_of("<("));
  return head.substr(head.rfind(' ') + 1);
}

Launch launch_from(const json& traced) {
  Launch launch;
  launch.kernel = qualified_name(traced.at("signature"));
  launch.block = traced.at("block").get<std::array<unsigned, 3>>();
  for (const json& object : traced.at("objects")) {
    launch.object_begins.push_back(object.at("begin_in_line"));
    launch.object_names.push_back(object.at("name").is_null() ? "" : object.at("name"));
  }
  for (const json& warp : traced.at("warps")) {
    TracedWarp& traced_warp = launch.warps.emplace_back();
    for (const json& thread : warp.at("threads"))
      traced_warp.threads.push_back(thread.get<std::array<unsigned, 3>>());
    for (const json& request : warp.at("requests"))
      traced_warp.requests.push_back(request_from(request, traced.at("objects")));
  }
  return launch;
}

}  // namespace

std::uint64_t Launch::address_of(const Request& request, unsigned lane) const {
  const Place& place = request.lanes.at(lane).value();
  return place.offset + (request.is_shared ? 0 : object_begins.at(place.object));
}

Pattern pattern_of(const Launch& launch, const Request& request) {
  Pattern pattern{request.kind, request.is_shared, request.access_bytes, {}};
  std::array<std::vector<std::uint64_t>, kBanks> words;  // [bank] words in the order of lanes
  std::uint64_t first = ~std::uint64_t{0};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!request.lanes[lane]) continue;
    std::uint64_t address = launch.address_of(request, lane);
    if (request.is_shared) {
      const std::uint64_t word = address / kWordBytes;
      auto& of_bank = words[word % kBanks];
      const auto known = std::ranges::find(of_bank, word);
      const auto number = static_cast<std::uint64_t>(known - of_bank.begin());
      if (known == of_bank.end()) of_bank.push_back(word);
      address = (number * kBanks + word % kBanks) * kWordBytes + address % kWordBytes;
    }
    pattern.lanes[lane] = address;
    first = std::min(first, address);
  }
  if (!request.is_shared)
    for (auto& address : pattern.lanes)
      if (address) *address -= first / kLineBytes * kLineBytes;
  return pattern;
}

Trace::Trace(const std::vector<std::string>& command, unsigned requests_per_instruction) {
  const tools::TemporaryFolder folder;
  const std::string file = (folder.path() / "trace.json").string();
  tools::CommandOptions options;
  // Where blocks append to one array, the picture depends on their order.
  options.environment = {{"COURSE_THREADS", "1"},
                         {"COURSE_TRACE", file},
                         {"COURSE_TRACE_REQUESTS", std::to_string(requests_per_instruction)}};
  const auto result = tools::run_command(command, options);
  if (result.status != 0) throw std::runtime_error(command.at(0) + " failed: " + result.err);
  const json traced = tools::parse_json(tools::read_file(file));
  for (const json& launch : traced.at("launches")) launches_.push_back(launch_from(launch));
}

const Launch& Trace::launch(const std::string& kernel, std::size_t number) const {
  std::size_t seen = 0;
  for (const Launch& launch : launches_)
    if (launch.kernel == kernel && seen++ == number) return launch;
  throw std::runtime_error("there is no launch " + std::to_string(number) + " of " + kernel);
}

std::string source_text(const std::filesystem::path& folder, const std::string& line) {
  const std::size_t colon = line.rfind(':');
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != line.substr(0, colon)) continue;
    const auto lines = tools::lines_of(tools::read_file(entry.path()));
    return tools::code_of_line(lines.at(std::stoul(line.substr(colon + 1)) - 1));
  }
  throw std::runtime_error(folder.string() + " has no " + line);
}

}  // namespace pictures
