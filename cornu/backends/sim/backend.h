#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/sim/profile.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::sim {

/// The text after "sim:": the name of a built-in profile or the path of a file, then changes of fields (see
/// profile_of_spec).
inline constexpr const char* kClientArgument = "PROFILE[,FIELD=VALUE...]";
/// The built-in profiles.
std::vector<runtime::KnownArgument> known_arguments();

/// Makes a client of a simulated device. Its programs run on the CPU engine, the host cannot address its
/// memory, and every operation takes the time of the profile: by waiting, or by advancing a virtual clock.
/// Each of the profile's num_cores cores is a device of the client.
///
/// docs/guide/devices.md describes the costs. Results are equal to the CPU engine's to the bit.
/// Errors: those of profile_of_spec; those of the CPU engine for the options; kUnavailable, from executions
///         and reads, for the profile's faults.
std::shared_ptr<runtime::Client> make_simulated_client(const Profile& profile,
                                                       const runtime::ClientOptions& options = {});
std::shared_ptr<runtime::Client> make_client(const std::string& argument,
                                             const runtime::ClientOptions& options);

}  // namespace cornu::inline v0::backends::sim
