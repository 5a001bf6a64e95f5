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

/// What client and worker share of the protocol. For sources of the module
/// only: gRPC's headers are heavy.
namespace cornu::inline v0::backends::remote {

namespace proto = ::cornu::remote::v1;

/// Raised when a message changes so that an older side would misread it, or be misread.
inline constexpr std::uint32_t kProtocolVersion = 8;
/// Of what frames the data in a message.
inline constexpr std::size_t kMessageOverheadBytes = std::size_t{1} << 20;
/// Data of one message of a Read's answer: who takes it in works in memory that stays in a core's caches.
inline constexpr std::size_t kReplyBytes = std::size_t{1} << 20;
/// What travels with an execution instead of in calls of its own: buffers of at
/// most so many bytes, and so many in all each way.
inline constexpr std::size_t kSmallBytes = 64, kMaxSmallBytes = 4096;

/// What the fields of an error take in a message: a status travels in gRPC's 8 KiB of headers, with the
/// sentence.
inline constexpr std::size_t kMaxErrorFieldsBytes = 1024;

/// The methods of Transfers, whose messages both sides make by hand.
inline constexpr const char* kWriteMethod = "/cornu.remote.v1.Transfers/Write";
inline constexpr const char* kReadMethod = "/cornu.remote.v1.Transfers/Read";

/// Of Worker, where a client makes the message by hand.
inline constexpr const char* kExecuteMethod = "/cornu.remote.v1.Worker/Execute";
/// Of Peers, as of Transfers; and where a worker introduces itself.
inline constexpr const char* kMeetMethod = "/cornu.remote.v1.Peers/Meet";
inline constexpr const char* kIntroductionKey = "cornu-introduction-bin";
/// Key of the trailing metadata that hold the seconds of the device's virtual clock, as decimal text.
inline constexpr const char* kClockKey = "cornu-clock";
/// Data of one PeerPiece; and members of a group.
inline constexpr std::size_t kPeerPieceBytes = std::size_t{1} << 20;
inline constexpr int kMaxGroupMembers = 64;

grpc::StatusCode status_code(ErrorCode code);
ErrorCode error_code(int status_code);

/// None of the fields where all of them would take more than kMaxErrorFieldsBytes.
proto::ErrorFields to_proto(const Error& error);
/// An error of the other side; of its whole sentence alone where it sent no fields.
Error to_error(ErrorCode code, const std::string& sentence, const proto::ErrorFields& fields);
/// A call's status, whose details are the fields.
grpc::Status to_status(grpc::StatusCode code, const Error& error);

proto::Type to_proto(const ir::TensorType& type);
/// Errors: InvalidArgument for an unknown dtype or extents that no tensor has.
ir::TensorType to_type(const proto::Type& type);

proto::Device to_proto(const runtime::DeviceInfo& info);
/// As a client has it, whose device `number` it is: the host cannot address it.
runtime::DeviceInfo to_device_info(const proto::Device& device, int number = 0);

/// The names of all ops, sorted.
std::vector<std::string> op_names();

/// A file with a certificate or a key. Errors: those of io::read_file.
std::string pem_text(const std::string& path);

}  // namespace cornu::inline v0::backends::remote
