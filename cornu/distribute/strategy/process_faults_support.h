#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/runtime/collective.h"

/// Work that may fail on some processes only.
namespace cornu::inline v0::distribute {

/// Gathers the texts of all processes in the order of their ranks, each cut to 1023 bytes. All call it
/// together.
std::vector<std::string> gather_texts(runtime::Collective& processes, std::string_view own);

/// Work that each process does independently.
struct OwnWork {
  const char* strategy = "";  // begin of errors
  const char* failure = "";   // failure of a rank as reported by the others: "cannot use its devices"
  const char* argument = "";  // ErrorFields::argument of these reports
};
/// Runs work that may fail on some processes only, and then fails on all, so that no process waits for one
/// that will not arrive. All call it together; `work` must not communicate.
/// Errors: where it fails, the work's own; elsewhere FailedPrecondition, with a rank and its error.
void on_all_processes(runtime::Collective& processes, const OwnWork& what, const std::function<void()>& work);

}  // namespace cornu::inline v0::distribute
