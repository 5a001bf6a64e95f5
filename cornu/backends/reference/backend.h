#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::reference {

/// It takes no argument (see BackendEntry).
inline constexpr const char* kClientArgument = "";
inline std::vector<runtime::KnownArgument> known_arguments() { return {}; }

/// A client that interprets: slow, obvious, one thread with any options. The oracle for the other
/// backends.
std::shared_ptr<runtime::Client> make_client(const std::string& argument,
                                             const runtime::ClientOptions& options);

}  // namespace cornu::inline v0::backends::reference
