#pragma once

#include <cstdlib>
#include <string_view>

namespace cornu::inline v0 {

/// True in the full tier, where CTest sets CORNU_TEST_CASES=all: tests run all their cases in full size.
inline bool is_full_tier() {
  const char* const cases = std::getenv("CORNU_TEST_CASES");
  return cases != nullptr && std::string_view(cases) == "all";
}

}  // namespace cornu::inline v0
