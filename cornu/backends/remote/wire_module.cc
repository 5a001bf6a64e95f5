#include <algorithm>
#include <array>

#include "cornu/backends/remote/module.h"
#include "cornu/backends/remote/wire.h"
#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::backends::remote {
namespace {

struct CodePair {
  ErrorCode error;
  grpc::StatusCode status;
};
constexpr std::array<CodePair, 10> kCodes = {
    {{ErrorCode::kInvalidArgument, grpc::StatusCode::INVALID_ARGUMENT},
     {ErrorCode::kOutOfRange, grpc::StatusCode::OUT_OF_RANGE},
     {ErrorCode::kNotFound, grpc::StatusCode::NOT_FOUND},
     {ErrorCode::kFailedPrecondition, grpc::StatusCode::FAILED_PRECONDITION},
     {ErrorCode::kResourceExhausted, grpc::StatusCode::RESOURCE_EXHAUSTED},
     {ErrorCode::kUnimplemented, grpc::StatusCode::UNIMPLEMENTED},
     {ErrorCode::kCancelled, grpc::StatusCode::CANCELLED},
     {ErrorCode::kDataLoss, grpc::StatusCode::DATA_LOSS},
     {ErrorCode::kUnavailable, grpc::StatusCode::UNAVAILABLE},
     {ErrorCode::kInternal, grpc::StatusCode::INTERNAL}}};

std::string file_text(const std::string& path) {
  if (path.empty()) return "";
  const std::vector<std::byte> bytes = io::read_file(path, {.max_size_bytes = 1 << 20});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

grpc::StatusCode status_code(ErrorCode code) {
  for (const CodePair& pair : kCodes)
    if (pair.error == code) return pair.status;
  return grpc::StatusCode::INTERNAL;
}

ErrorCode error_code(int status_code) {
  if (status_code == grpc::StatusCode::UNAUTHENTICATED || status_code == grpc::StatusCode::PERMISSION_DENIED)
    return ErrorCode::kFailedPrecondition;
  if (status_code == grpc::StatusCode::DEADLINE_EXCEEDED) return ErrorCode::kUnavailable;
  for (const CodePair& pair : kCodes)
    if (pair.status == status_code) return pair.error;
  return ErrorCode::kInternal;
}

proto::Type to_proto(const ir::TensorType& type) {
  proto::Type result;
  result.set_dtype(std::string(ir::stablehlo_name(type.dtype)));
  for (const std::int64_t extent : type.dims) result.add_dims(extent);
  return result;
}

ir::TensorType to_type(const proto::Type& type) {
  const auto dtype = ir::dtype_from_name(type.dtype());
  if (!dtype) invalid_argument("[worker] there is no element type \"{}\"", type.dtype().substr(0, 40));
  ir::TensorType result{*dtype, {type.dims().begin(), type.dims().end()}};
  ir::check_type(result);
  return result;
}

std::shared_ptr<grpc::Channel> open_channel(const WorkerAddress& address) {
  grpc::ChannelArguments arguments;
  // A ping after the link was silent for 40 % of the time, an answer within the rest.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, address.keep_alive_ms * 2 / 5);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, address.keep_alive_ms * 3 / 5);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  if (!address.has_tls())
    return grpc::CreateCustomChannel(address.host_port, grpc::InsecureChannelCredentials(), arguments);
  const grpc::SslCredentialsOptions options{file_text(address.ca_file), file_text(address.key_file),
                                            file_text(address.cert_file)};
  return grpc::CreateCustomChannel(address.host_port, grpc::SslCredentials(options), arguments);
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (const ir::OpDef* def : ops::all_op_defs()) names.emplace_back(def->name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace cornu::inline v0::backends::remote

extern "C" [[gnu::visibility("default")]] const cornu::backends::remote::Module* cornu_remote_module() {
  namespace remote = cornu::backends::remote;
  static const remote::Module module{reinterpret_cast<const void*>(&cornu::runtime::backend_entries),
                                     &remote::make_remote_client, &remote::serve,
                                     &remote::worker_status_text};
  return &module;
}
