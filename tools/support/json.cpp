#include "tools/support/json.hpp"

namespace tools {

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text); }

nlohmann::ordered_json parse_ordered_json(std::string_view text, bool allow_exceptions) {
  return nlohmann::ordered_json::parse(text, nullptr, allow_exceptions);
}

}  // namespace tools
