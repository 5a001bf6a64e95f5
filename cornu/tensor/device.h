#pragma once

#include <memory>

#include "cornu/runtime/client.h"

namespace cornu {

/// What the default client is made with: CORNU_NUM_THREADS threads if that is set. Errors: InvalidArgument when it holds no such number.
runtime::ClientOptions default_client_options();

/// The client that variables and programs use: platform "cpu" (with CORNU_NUM_THREADS threads if that is set) unless another was set,
/// made on first need. Threads: safe.
std::shared_ptr<runtime::Client> default_client();

/// Replaces the default client; null: back to a lazily made "cpu". Variables move to it with their next use.
void set_default_client(std::shared_ptr<runtime::Client> client);

}  // namespace cornu
