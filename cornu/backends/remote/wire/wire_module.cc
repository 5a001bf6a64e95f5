#include "cornu/backends/remote/wire/wire.h"

#include <algorithm>
#include <array>

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

}  // namespace

grpc::StatusCode status_code(ErrorCode code) {
  for (const CodePair& pair : kCodes)
    if (pair.error == code) return pair.status;
  return grpc::StatusCode::INTERNAL;
}

ErrorCode error_code(int status_code) {
  if (status_code == grpc::StatusCode::UNAUTHENTICATED || status_code == grpc::StatusCode::PERMISSION_DENIED)
    return ErrorCode::kFailedPrecondition;
  if (status_code == grpc::StatusCode::DEADLINE_EXCEEDED || status_code == grpc::StatusCode::ABORTED)
    return ErrorCode::kUnavailable;
  for (const CodePair& pair : kCodes)
    if (pair.status == status_code) return pair.error;
  return ErrorCode::kInternal;
}

proto::ErrorFields to_proto(const Error& error) {
  const ErrorFields& known = error.fields();
  proto::ErrorFields fields;
  fields.set_message(error.message());
  fields.set_op(known.op);
  fields.set_argument(known.argument);
  fields.set_layer(known.layer);
  fields.set_model(known.model);
  fields.set_metric(known.metric);
  fields.set_inputs(known.inputs);
  fields.set_notes(known.notes);
  if (fields.ByteSizeLong() > kMaxErrorFieldsBytes) fields.Clear();
  return fields;
}

Error to_error(ErrorCode code, const std::string& sentence, const proto::ErrorFields& fields) {
  if (fields.message().empty()) return {code, sentence};
  return {code,
          fields.message(),
          {.op = fields.op(),
           .argument = fields.argument(),
           .layer = fields.layer(),
           .model = fields.model(),
           .metric = fields.metric(),
           .inputs = fields.inputs(),
           .notes = fields.notes()}};
}

grpc::Status to_status(grpc::StatusCode code, const Error& error) {
  return {code, error.what(), to_proto(error).SerializeAsString()};
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

proto::Device to_proto(const runtime::DeviceInfo& info) {
  proto::Device device;
  device.set_type(info.type);
  device.set_kind(info.kind);
  device.set_memory_bytes(info.memory_bytes);
  device.set_is_simulated(info.is_simulated);
  return device;
}

runtime::DeviceInfo to_device_info(const proto::Device& device, int number) {
  return {.type = device.type(),
          .kind = device.kind(),
          .number = number,
          .memory_bytes = device.memory_bytes(),
          .is_addressable = false,
          .is_simulated = device.is_simulated()};
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (const ir::OpDef* def : ops::all_op_defs()) names.emplace_back(def->name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string pem_text(const std::string& path) {
  const std::vector<std::byte> bytes = io::read_file(path, {.max_size_bytes = 1 << 20});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace cornu::inline v0::backends::remote
