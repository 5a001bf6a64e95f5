#include "cli/text/suggestion.h"

#include "cornu/base/nearest_names.h"

namespace cornu::inline v0::cli {

std::string suggestion(std::string_view wanted, std::span<const std::string> known,
                       const std::string& otherwise) {
  return nearest_names(wanted, known).empty() ? otherwise : name_proposal(wanted, known);
}

}  // namespace cornu::inline v0::cli
