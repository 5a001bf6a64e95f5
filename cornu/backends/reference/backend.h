#pragma once

#include <memory>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::reference {

/// A client that interprets: slow, obvious, one thread, whatever the options say. The oracle for the other backends.
std::shared_ptr<runtime::Client> make_client(const runtime::ClientOptions& options);

}  // namespace cornu::inline v0::backends::reference
