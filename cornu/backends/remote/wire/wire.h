#pragma once

#include <grpcpp/grpcpp.h>
#include <worker.grpc.pb.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/ir/type.h"
#include "cornu/runtime/device_info.h"

/// Parts of the protocol shared by client and worker. For sources of the module only: gRPC's headers are
/// large.
namespace cornu::inline v0::backends::remote {

namespace proto = ::cornu::remote::v1;

/// Incremented when a message changes incompatibly in either direction.
inline constexpr std::uint32_t kProtocolVersion = 9;
/// Size of a message besides its data.
inline constexpr std::size_t kMessageOverheadBytes = std::size_t{1} << 20;
/// Data of one message of a Read's reply: small enough for a core's caches.
inline constexpr std::size_t kReplyBytes = std::size_t{1} << 20;
/// Limits for buffers that are sent with an execution instead of in calls of their own: the size of a buffer,
/// and the total in each direction.
inline constexpr std::size_t kSmallBytes = 64, kMaxSmallBytes = 4096;

/// Size limit of an error's fields in a message: a status, with its text, is sent in gRPC's 8 KiB of headers.
inline constexpr std::size_t kMaxErrorFieldsBytes = 1024;

/// The methods of Transfers, whose messages both sides encode by hand.
inline constexpr const char* kWriteMethod = "/cornu.remote.v1.Transfers/Write";
inline constexpr const char* kReadMethod = "/cornu.remote.v1.Transfers/Read";

/// The methods of Worker whose messages the client encodes by hand, and the metadata key of a Run's session.
inline constexpr const char* kExecuteMethod = "/cornu.remote.v1.Worker/Execute";
inline constexpr const char* kRunMethod = "/cornu.remote.v1.Worker/Run";
inline constexpr const char* kSessionKey = "cornu-session-bin";
/// The method of Peers, with messages encoded by hand, and the metadata key of a worker's introduction.
inline constexpr const char* kMeetMethod = "/cornu.remote.v1.Peers/Meet";
inline constexpr const char* kIntroductionKey = "cornu-introduction-bin";
/// Key of the trailing metadata with the seconds of the device's virtual clock, as decimal text.
inline constexpr const char* kClockKey = "cornu-clock";
/// Data of one PeerPiece; and members of a group.
inline constexpr std::size_t kPeerPieceBytes = std::size_t{1} << 20;
inline constexpr int kMaxGroupMembers = 64;

grpc::StatusCode status_code(ErrorCode code);
ErrorCode error_code(int status_code);

/// Leaves out all fields if they exceed kMaxErrorFieldsBytes.
proto::ErrorFields to_proto(const Error& error);
/// An error of the other side; made from the text alone if it sent no fields.
Error to_error(ErrorCode code, const std::string& sentence, const proto::ErrorFields& fields);
/// A call's status with the fields as details.
grpc::Status to_status(grpc::StatusCode code, const Error& error);

proto::Type to_proto(const ir::TensorType& type);
/// Errors: InvalidArgument for an unknown dtype or invalid extents.
ir::TensorType to_type(const proto::Type& type);

proto::Device to_proto(const runtime::DeviceInfo& info);
/// The device's info in a client, with index `number`: the host cannot address it.
runtime::DeviceInfo to_device_info(const proto::Device& device, int number = 0);

/// The names of all ops, sorted.
std::vector<std::string> op_names();

/// A file with a certificate or a key. Errors: those of io::read_file.
std::string pem_text(const std::string& path);

}  // namespace cornu::inline v0::backends::remote
