#pragma once

#include <pjrt_c_api.h>

#include <string>

/// A plug-in for tests: the one for CPUs (CORNU_TEST_PJRT_CPU names its library), which fails when it is told
/// to and says how much memory it has.
namespace cornu::inline v0::pjrt_tests {

/// What fails next.
struct PlannedFailure {
  enum class Call { kNone, kExecute, kExecuteLater, kSend, kReceive, kMemory };
  Call call = Call::kNone;  // kExecuteLater: it begins, and fails on its way
  int after = 0;            // so many such calls succeed before
  PJRT_Error_Code code = PJRT_Error_Code_UNAVAILABLE;
  std::string message;
};

/// The symbol "plan_failure" of the library.
using PlanFailure = void (*)(const PlannedFailure&);

}  // namespace cornu::inline v0::pjrt_tests
