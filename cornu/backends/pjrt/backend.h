#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::pjrt {

/// The text after "pjrt:": a plug-in's name ("cpu", "cuda", "tpu") or the path of its library, then settings
/// of its client; or "target=CHIP[,steps=K]" for a chip that is not present (see ahead.h).
inline constexpr const char* kClientArgument = "PLUGIN[,SETTING=VALUE...]";
/// The plug-ins that are found, each with its devices or the reason why they cannot be used. Loads them.
std::vector<runtime::KnownArgument> known_arguments();

/// The plug-ins that are found whose devices are of this type ("GPU"), by their names.
std::vector<std::string> arguments_for(std::string_view device_type);

/// Makes a client of a library with PJRT's C interface: its devices run StableHLO programs.
/// Errors: NotFound for a plug-in that is missing, with the existing ones; those of Plugin::load,
///         ClientSettings and Connection.
std::shared_ptr<runtime::Client> make_client(const std::string& argument,
                                             const runtime::ClientOptions& options);

}  // namespace cornu::inline v0::backends::pjrt
