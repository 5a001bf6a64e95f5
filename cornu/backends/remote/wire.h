#pragma once

#include <grpcpp/grpcpp.h>
#include <worker.grpc.pb.h>

#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/remote/address.h"
#include "cornu/backends/remote/backend.h"
#include "cornu/base/error.h"
#include "cornu/ir/type.h"

/// What client and worker share of gRPC. For sources of the module only: its headers are heavy.
namespace cornu::inline v0::backends::remote {

namespace proto = ::cornu::remote::v1;

/// Raised when a message changes so that an older side would misread it.
inline constexpr std::uint32_t kProtocolVersion = 1;
/// Of what frames the data in a message.
inline constexpr std::size_t kMessageOverheadBytes = std::size_t{1} << 20;
/// Data of one Write or Read; more goes in several.
inline constexpr std::size_t kPieceBytes = std::size_t{16} << 20;

grpc::StatusCode status_code(ErrorCode code);
ErrorCode error_code(int status_code);

proto::Type to_proto(const ir::TensorType& type);
/// Errors: InvalidArgument for an unknown dtype or extents that no tensor has.
ir::TensorType to_type(const proto::Type& type);

/// A channel with the address's security that notices within its keep_alive when the other side is gone.
std::shared_ptr<grpc::Channel> open_channel(const WorkerAddress& address);
/// The names of all ops, sorted.
std::vector<std::string> op_names();

std::shared_ptr<runtime::Client> make_remote_client(const std::string& argument);
std::string worker_status_text(const std::string& argument);
void serve(const WorkerOptions& options);

}  // namespace cornu::inline v0::backends::remote
