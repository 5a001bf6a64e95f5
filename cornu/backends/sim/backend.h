#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/sim/profile.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::sim {

/// What stands behind "sim:": the name of a built-in profile or the path of a file, then changes of fields
/// (see profile_of_spec).
inline constexpr const char* kClientArgument = "PROFILE[,FIELD=VALUE...]";
/// The built-in profiles.
std::vector<runtime::KnownArgument> known_arguments();

/// A client of a device that is not there: its programs run on the CPU engine, its memory cannot be addressed
/// by the host, and everything takes the time that a profile says, which is waited for or moves a virtual
/// clock. Each of the profile's num_cores cores is a device of the client.
///
/// The costs and what they are charged for: docs/guide/devices.md. What it computes has the bits that the CPU
/// engine computes.
/// Errors: as profile_of_spec; those of the CPU engine for the options; kUnavailable, from executions and
///         reads, for faults that the profile asks for.
std::shared_ptr<runtime::Client> make_simulated_client(const Profile& profile,
                                                       const runtime::ClientOptions& options = {});
std::shared_ptr<runtime::Client> make_client(const std::string& argument,
                                             const runtime::ClientOptions& options);

}  // namespace cornu::inline v0::backends::sim
