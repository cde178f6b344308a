#include "trace.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "course/device_buffer.hpp"
#include "support/subprocess.hpp"

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
    // What a chapter allocates begins behind a guard band; what a kernel declares does not.
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

Launch launch_from(const json& traced) {
  Launch launch;
  launch.kernel = traced.at("kernel");
  launch.block = traced.at("block").get<std::array<unsigned, 3>>();
  for (const json& object : traced.at("objects"))
    launch.object_begins.push_back(object.at("begin_in_line"));
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

Trace::Trace(const std::vector<std::string>& command, unsigned requests_per_instruction) {
  const test_support::TemporaryFolder folder;
  const std::string file = (folder.path() / "trace.json").string();
  test_support::CommandOptions options;
  options.environment = {{"COURSE_TRACE", file},
                         {"COURSE_TRACE_REQUESTS", std::to_string(requests_per_instruction)}};
  const auto result = test_support::run_command(command, options);
  if (result.status != 0) throw std::runtime_error(command.at(0) + " failed: " + result.err);
  const json traced = json::parse(test_support::read_file(file));
  for (const json& launch : traced.at("launches")) launches_.push_back(launch_from(launch));
}

const Launch& Trace::launch(const std::string& kernel, std::size_t number) const {
  std::size_t seen = 0;
  for (const Launch& launch : launches_)
    if (launch.kernel.substr(0, launch.kernel.find('<')) == kernel && seen++ == number)
      return launch;
  throw std::runtime_error("there is no launch " + std::to_string(number) + " of " + kernel);
}

std::string source_text(const std::filesystem::path& folder, const std::string& line) {
  const std::size_t colon = line.rfind(':');
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != line.substr(0, colon)) continue;
    const auto lines = test_support::lines_of(test_support::read_file(entry.path()));
    std::string text = lines.at(std::stoul(line.substr(colon + 1)) - 1);
    text = text.substr(0, text.find("//"));
    const std::size_t first = text.find_first_not_of(' ');
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
  }
  throw std::runtime_error(folder.string() + " has no " + line);
}

}  // namespace pictures
