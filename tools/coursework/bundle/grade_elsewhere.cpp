// On a machine that cannot confine submissions, bundles can be made but not used for grading.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/coursework/bundle/grade_submission.hpp"
#include "tools/coursework/confine/elsewhere.hpp"

namespace coursework {

nlohmann::ordered_json grade_submission(const std::vector<Exercise>&, const std::filesystem::path&,
                                        std::uint64_t) {
  throw std::runtime_error(kNotConfinedHere);
}

}  // namespace coursework
