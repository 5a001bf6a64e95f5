#pragma once

#include "cornu/backends/remote/wire/wire.h"
#include "cornu/backends/remote/worker/session.h"

/// What messages ask of a session, and its answers as messages. Clients are not
/// believed: see Session.
namespace cornu::inline v0::backends::remote {

/// Errors: as those of Session; InvalidArgument for a message that contradicts itself.
/// `data`: the message's, which `request` has without it.
void write_pieces(Session& session, const proto::WriteRequest& request, Parts data);
/// Returns the bytes, one behind the other.
void read_pieces(Session& session, const proto::ReadRequest& request, const SendParts& send);
void run_call(Session& session, const proto::JoinRequest& request, proto::JoinReply& reply);
void run_call(Session& session, const proto::CompileRequest& request, proto::CompileReply& reply);
void run_call(Session& session, const proto::CopyRequest& request, proto::CopyReply& reply);
/// A failure inside a step is in the reply.
void run_call(Session& session, const proto::ExecuteRequest& request, proto::ExecuteReply& reply);
void run_call(Session& session, const proto::StopRequest& request, proto::StopReply& reply);
void run_call(Session& session, const proto::ExplainRequest& request, proto::ExplainReply& reply);
void run_call(Session& session, const proto::OpenRequest& request, proto::OpenReply& reply);
void run_call(Session& session, const proto::SaveRequest& request, proto::SaveReply& reply);
void run_call(Session& session, const proto::LoadRequest& request, proto::LoadReply& reply);

}  // namespace cornu::inline v0::backends::remote
