#include "cornu/backends/remote/worker/messages.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "cornu/backends/remote/wire/profile.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

BufferPiece to_piece(const proto::Piece& piece) {
  return {.buffer = piece.buffer(), .offset = piece.offset(), .size = piece.size(), .member = piece.member()};
}

ExecuteOrder to_order(const proto::ExecuteRequest& request) {
  ExecuteOrder order{
      .program = request.program(),
      .execution = request.execution(),
      .num_steps = request.num_steps(),
      .num_rows = request.num_rows(),
      .state = {request.state().begin(), request.state().end()},
      .fixed = {request.fixed().begin(), request.fixed().end()},
      .row_buffers = {request.row_buffers().begin(), request.row_buffers().end()},
      .output_buffers = {request.output_buffers().begin(), request.output_buffers().end()},
      .row_indices = {request.row_indices().begin(), request.row_indices().end()},
      .rows = {reinterpret_cast<const std::byte*>(request.rows().data()), request.rows().size()},
      .read_buffers = {request.read_buffers().begin(), request.read_buffers().end()},
      .begins_pass = request.begins_pass()};
  order.output_types.reserve(static_cast<std::size_t>(request.output_types_size()));
  for (const proto::Type& type : request.output_types()) order.output_types.push_back(to_type(type));
  if (request.has_profile())
    order.profile_slices = std::min<std::size_t>(request.profile().max_slices(), kMaxProfileSlices);
  return order;
}

}  // namespace

void write_pieces(Session& session, const proto::WriteRequest& request, Parts data) {
  PartsReader reader(std::move(data));
  const std::size_t num_bytes = reader.left();
  std::vector<WritePiece> pieces;
  pieces.reserve(static_cast<std::size_t>(request.items_size()));
  for (const proto::WriteRequest::Item& item : request.items()) {
    const BufferPiece piece = to_piece(item.piece());
    if (piece.size > reader.left())
      invalid_argument("[worker] the pieces to write are more than the {} bytes that came", num_bytes);
    pieces.push_back({piece, to_type(item.type()), reader.take(piece.size)});
  }
  session.write(pieces, request.transfer());
}

void read_pieces(Session& session, const proto::ReadRequest& request, const SendParts& send) {
  std::vector<BufferPiece> pieces;
  pieces.reserve(static_cast<std::size_t>(request.pieces_size()));
  for (const proto::Piece& piece : request.pieces()) pieces.push_back(to_piece(piece));
  session.read(pieces, kReplyBytes, send);
}

void run_call(Session& session, const proto::JoinRequest&, proto::JoinReply&) { session.join(); }

void run_call(Session& session, const proto::CompileRequest& request, proto::CompileReply& reply) {
  CompileOrder order{.program = request.program(),
                     .stablehlo = request.stablehlo(),
                     .name = request.name().substr(0, 200),
                     .direct_convolutions = request.direct_convolutions()};
  order.batch = request.batch();
  // A program's claimed costs move a simulated clock, and must be valid times.
  const auto is_amount = [](double value) { return std::isfinite(value) && value >= 0; };
  if (!is_amount(request.work_bytes()) || !is_amount(request.work_messages()) || request.work_replicas() < 0)
    invalid_argument("[worker] replicas cannot send each other {} bytes in {} messages", request.work_bytes(),
                     request.work_messages());
  if (request.work_replicas() > 0)
    order.replica_work = {.num_replicas = request.work_replicas(),
                          .exchanged_bytes = request.work_bytes(),
                          .num_messages = request.work_messages()};
  if (!request.precision().empty())
    order.precision =
        runtime::parse_precision(std::string_view(request.precision()).substr(0, 40), "[worker] ");
  constexpr runtime::ArgumentKind kKinds[] = {runtime::ArgumentKind::kState, runtime::ArgumentKind::kFixed,
                                              runtime::ArgumentKind::kRows,
                                              runtime::ArgumentKind::kValidRows};
  for (const int kind : request.arguments()) {
    if (kind < 0 || kind >= 4) invalid_argument("[worker] there is no kind {} of arguments", kind);
    order.arguments.push_back(kKinds[kind]);
  }
  const runtime::CompileStats stats = session.compile(order);
  reply.set_compile_seconds(stats.compile_seconds);
  reply.set_code_seconds(stats.code_seconds);
  reply.set_from_cache(stats.from_cache);
  reply.set_arena_bytes(stats.arena_bytes);
  reply.set_num_groups(stats.num_groups);
  reply.set_num_library_calls(stats.num_library_calls);
  reply.set_num_reference_fallbacks(stats.num_reference_fallbacks);
  reply.set_flops(stats.flops);
  reply.set_convolution_flops(stats.convolution_flops);
  reply.set_sequence_flops(stats.sequence_flops);
  reply.set_state_bytes(stats.state_bytes);
}

void run_call(Session& session, const proto::CopyRequest& request, proto::CopyReply&) {
  session.copy(request.from(), request.to());
}

void set_error(proto::ExecuteReply& reply, const Error& error) {
  reply.set_error(error.what());
  *reply.mutable_error_fields() = to_proto(error);
  reply.set_error_code(status_code(error.code()));
}

QuotaShare run_call(Session& session, const proto::ExecuteRequest& request, proto::ExecuteReply& reply,
                    ExecutionSequence* sequence) {
  using Clock = std::chrono::steady_clock;
  runtime::Progress progress;
  reply.set_execution(request.execution());
  try {
    if (request.has_write()) {
      const std::string& data = request.write().data();
      write_pieces(session, request.write(), {std::as_bytes(std::span(data))});
    }
    const ExecuteOrder order = to_order(request);
    const Clock::time_point start = Clock::now();
    ExecuteResult result =
        sequence == nullptr ? session.execute(order, progress) : sequence->execute(session, order, progress);
    reply.set_seconds(std::chrono::duration<double>(Clock::now() - start).count());
    reply.set_steps_done(result.steps_done);
    *reply.mutable_outputs() = std::move(result.outputs);
    *reply.mutable_read() = std::move(result.read);
    if (result.profile.has_value())
      *reply.mutable_profile() =
          to_proto(result.profile->record, result.profile->numbers, request.profile().known_facts());
    return std::move(result.share);
  } catch (const Error& error) {
    if (sequence != nullptr) sequence->note_failure(std::current_exception());
    reply.set_steps_done(progress.steps_done.load());
    set_error(reply, error);
    return {};
  }
}

namespace {

template <typename Request>
BackupOrder to_backup(const Request& request) {
  BackupOrder order{.path = request.path(), .mark = request.mark(), .buffers = {}};
  order.buffers.reserve(static_cast<std::size_t>(request.buffers_size()));
  for (const proto::SavedBuffer& saved : request.buffers())
    order.buffers.push_back({saved.buffer(), saved.name(), to_type(saved.type())});
  return order;
}

}  // namespace

void run_call(Session& session, const proto::OpenRequest& request, proto::OpenReply& reply) {
  OpenOrder order{.paths = {request.paths().begin(), request.paths().end()}, .items = {}};
  order.items.reserve(static_cast<std::size_t>(request.items_size()));
  for (const proto::OpenRequest::Item& item : request.items()) {
    order.items.push_back({.buffer = item.buffer(), .name = item.name(), .row = std::nullopt});
    if (item.has_row()) order.items.back().row = to_type(item.row());
  }
  for (const OpenedArray& array : session.open(order)) {
    proto::OpenReply::Array& said = *reply.add_arrays();
    *said.mutable_type() = to_proto(array.type);
    if (!array.range.has_value()) continue;
    said.set_has_range(true);
    said.set_least(array.range->least);
    said.set_greatest(array.range->greatest);
    said.set_are_integers(array.range->are_integers);
  }
}

void run_call(Session& session, const proto::SaveRequest& request, proto::SaveReply& reply) {
  reply.set_size_bytes(session.save(to_backup(request)));
}

void run_call(Session& session, const proto::LoadRequest& request, proto::LoadReply&) {
  session.load(to_backup(request));
}

void run_call(Session& session, const proto::StopRequest& request, proto::StopReply&) {
  session.stop(request.execution());
}

void run_call(Session& session, const proto::ExplainRequest& request, proto::ExplainReply& reply) {
  reply.set_text(session.explain(request.program(), request.stage()));
}

}  // namespace cornu::inline v0::backends::remote
