#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/runtime/processes.h"

/// What may fail on some processes only.
namespace cornu::inline v0::distribute {

/// The texts of all processes in the order of their ranks, each cut to 1023 bytes. All call it together.
std::vector<std::string> gather_texts(runtime::Processes& processes, std::string_view own);

/// Work that each process does alone.
struct OwnWork {
  const char* strategy = "";  // stands at the begin of errors
  const char* failure = "";   // what the others say of a rank: "cannot use its devices"
  const char* argument = "";  // ErrorFields::argument of what they say
};
/// Does what may fail on some processes only, and then fails on all, so that none waits for another that does
/// not come. All call it together; `work` calls no other process.
/// Errors: where it fails, the work's own; elsewhere FailedPrecondition, naming a rank and what it says.
void on_all_processes(runtime::Processes& processes, const OwnWork& what, const std::function<void()>& work);

}  // namespace cornu::inline v0::distribute
