#pragma once

#include "cornu/backends/remote/wire/slices.h"
#include "cornu/backends/remote/wire/wire.h"
#include "cornu/backends/remote/worker/execution_sequence.h"
#include "cornu/backends/remote/worker/message_size.h"
#include "cornu/backends/remote/worker/session.h"

/// Converts requests to calls of a session, and their results to replies. Clients are not trusted: see
/// Session.
namespace cornu::inline v0::backends::remote {

/// The kinds of a request's fields; see message_size.h.
template <typename Request>
inline constexpr FieldKinds kFieldsOf = {};
template <typename Request>
  requires requires { Request::kReleasedFieldNumber; }
inline constexpr FieldKinds kFieldsOf<Request> = {.bytes = {Request::kSessionFieldNumber},
                                                  .numbers = {Request::kReleasedFieldNumber}};
template <>
inline constexpr FieldKinds kFieldsOf<proto::WriteRequest> = {
    .bytes = {proto::WriteRequest::kSessionFieldNumber, proto::WriteRequest::kDataFieldNumber},
    .numbers = {proto::WriteRequest::kReleasedFieldNumber}};
template <>
inline constexpr FieldKinds kFieldsOf<proto::CompileRequest> = {
    .bytes = {proto::CompileRequest::kSessionFieldNumber, proto::CompileRequest::kStablehloFieldNumber},
    .numbers = {proto::CompileRequest::kReleasedFieldNumber, proto::CompileRequest::kArgumentsFieldNumber}};
template <>
inline constexpr FieldKinds kFieldsOf<proto::ExecuteRequest> = {
    .bytes = {proto::ExecuteRequest::kSessionFieldNumber, proto::ExecuteRequest::kRowsFieldNumber},
    .numbers = {proto::ExecuteRequest::kReleasedFieldNumber, proto::ExecuteRequest::kStateFieldNumber,
                proto::ExecuteRequest::kFixedFieldNumber, proto::ExecuteRequest::kRowBuffersFieldNumber,
                proto::ExecuteRequest::kRowIndicesFieldNumber,
                proto::ExecuteRequest::kOutputBuffersFieldNumber,
                proto::ExecuteRequest::kReadBuffersFieldNumber}};

/// Parses `message` and clears it. Returns the quota's share for the request's objects, which must outlive
/// them.
/// Errors: those of count_message.
template <typename Request>
QuotaShare read_message(MemoryQuota& quota, grpc::ByteBuffer& message, Request& request) {
  QuotaShare share;
  if (!is_small_message(message.Length()))
    share = count_message(quota, MessageSlices(message).parts(), kFieldsOf<Request>);
  if (!grpc::SerializationTraits<Request>::Deserialize(&message, &request).ok())
    invalid_argument("[worker] the bytes of a call are not its request");
  return share;
}

/// Writes the pieces of a request. Errors: those of Session; InvalidArgument for an inconsistent message.
/// `data`: the message's data, which are not in `request`.
void write_pieces(Session& session, const proto::WriteRequest& request, Parts data);
/// Reads the pieces of a request and passes their bytes, concatenated, to `send`.
void read_pieces(Session& session, const proto::ReadRequest& request, const SendParts& send);
void run_call(Session& session, const proto::JoinRequest& request, proto::JoinReply& reply);
void run_call(Session& session, const proto::CompileRequest& request, proto::CompileReply& reply);
void run_call(Session& session, const proto::CopyRequest& request, proto::CopyReply& reply);
/// A failure inside a step is reported in the reply. Returns the quota's share for a large reply, which must
/// outlive it. `sequence`: the executions of the same Run; null: none.
QuotaShare run_call(Session& session, const proto::ExecuteRequest& request, proto::ExecuteReply& reply,
                    ExecutionSequence* sequence = nullptr);
/// Reports the error of an execution.
void set_error(proto::ExecuteReply& reply, const Error& error);
void run_call(Session& session, const proto::StopRequest& request, proto::StopReply& reply);
void run_call(Session& session, const proto::ExplainRequest& request, proto::ExplainReply& reply);
void run_call(Session& session, const proto::OpenRequest& request, proto::OpenReply& reply);
void run_call(Session& session, const proto::SaveRequest& request, proto::SaveReply& reply);
void run_call(Session& session, const proto::LoadRequest& request, proto::LoadReply& reply);

}  // namespace cornu::inline v0::backends::remote
