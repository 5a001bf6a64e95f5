#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/backends/remote/client/connection.h"
#include "cornu/runtime/distant_client.h"

/// Files of the worker's data root. All functions require the connection's order(). Errors: those of
/// DistantClient.
namespace cornu::inline v0::backends::remote {

std::vector<std::unique_ptr<runtime::Buffer>> open_files(const runtime::DistantFiles& files,
                                                         runtime::Client& client,
                                                         const std::shared_ptr<Connection>& connection);
void save_buffers(const std::string& path, std::uint64_t mark, std::span<const runtime::NamedBuffer> buffers,
                  Connection& connection);
void load_buffers(const std::string& path, std::uint64_t mark, std::span<const runtime::NamedBuffer> buffers,
                  Connection& connection);

}  // namespace cornu::inline v0::backends::remote
