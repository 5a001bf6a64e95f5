#include "cornu/backends/remote/client/files.h"

#include <algorithm>
#include <utility>

#include "cornu/backends/remote/client/remote_buffer.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

std::optional<runtime::ValueRange> range_of(const proto::OpenReply::Array& array) {
  if (!array.has_range()) return std::nullopt;
  return runtime::ValueRange{array.least(), array.greatest(), array.are_integers()};
}

proto::OpenReply call_open(Connection& connection, proto::OpenRequest request) {
  proto::OpenReply reply;
  connection.send_pending();
  connection.fill(request);
  connection.call(&proto::Worker::Stub::Open, request, reply);
  if (reply.arrays_size() != request.items_size())
    fail(ErrorCode::kInternal, "[grpc] the worker at {} answered with {} arrays instead of {}",
         connection.address().host_port, reply.arrays_size(), request.items_size());
  return reply;
}

/// The paths of a request, and one of its items.
proto::OpenRequest only(const proto::OpenRequest& request, int item) {
  proto::OpenRequest one;
  *one.mutable_paths() = request.paths();
  *one.add_items() = request.items(item);
  return one;
}

/// Saved buffers as a request names them.
template <typename Request>
Request backup_request(const std::string& path, std::uint64_t mark,
                       std::span<const runtime::NamedBuffer> buffers) {
  Request request;
  request.set_path(path);
  request.set_mark(mark);
  for (const runtime::NamedBuffer& named : buffers) {
    proto::SavedBuffer& saved = *request.add_buffers();
    saved.set_buffer(remote_buffer(*named.buffer).number());
    saved.set_name(named.name);
    *saved.mutable_type() = to_proto(named.buffer->type());
  }
  return request;
}

}  // namespace

void RemoteBuffer::open_again() const {
  const proto::OpenReply reply = call_open(*connection_, origin_->request);
  if (to_type(reply.arrays(0).type()) != type())
    fail(ErrorCode::kDataLoss,
         "[grpc] \"{}\" on the worker at {} is another array than before: {} instead of {}",
         origin_->request.paths(0), connection_->address().host_port, to_type(reply.arrays(0).type()).str(),
         type().str());
  generation_ = connection_->generation();
}

std::vector<std::unique_ptr<runtime::Buffer>> open_files(const runtime::DistantFiles& files,
                                                         runtime::Client& client,
                                                         const std::shared_ptr<Connection>& connection) {
  proto::OpenRequest request;
  for (const std::string& path : files.paths) request.add_paths(path);
  const std::size_t count = std::max<std::size_t>(files.names.size(), 1);
  for (std::size_t i = 0; i < count; ++i) {
    proto::OpenRequest::Item& item = *request.add_items();
    item.set_buffer(connection->next_number());
    if (i < files.names.size()) item.set_name(files.names[i]);
    if (i < files.features.size()) *item.mutable_row() = to_proto(files.features[i]);
  }
  const proto::OpenReply reply = call_open(*connection, request);
  std::vector<std::unique_ptr<runtime::Buffer>> buffers;
  buffers.reserve(static_cast<std::size_t>(request.items_size()));
  for (int i = 0; i < request.items_size(); ++i)
    buffers.push_back(std::make_unique<RemoteBuffer>(
        to_type(reply.arrays(i).type()), &client, connection, request.items(i).buffer(),
        FileOrigin{.request = only(request, i), .range = range_of(reply.arrays(i))}));
  return buffers;
}

void save_buffers(const std::string& path, std::uint64_t mark, std::span<const runtime::NamedBuffer> buffers,
                  Connection& connection) {
  for (const runtime::NamedBuffer& named : buffers) remote_buffer(*named.buffer).make_alive();
  connection.send_pending();
  auto request = backup_request<proto::SaveRequest>(path, mark, buffers);
  proto::SaveReply reply;
  connection.fill(request);
  connection.call(&proto::Worker::Stub::Save, request, reply);
}

void load_buffers(const std::string& path, std::uint64_t mark, std::span<const runtime::NamedBuffer> buffers,
                  Connection& connection) {
  connection.send_pending();
  auto request = backup_request<proto::LoadRequest>(path, mark, buffers);
  proto::LoadReply reply;
  connection.fill(request);
  connection.call(&proto::Worker::Stub::Load, request, reply);
  for (const runtime::NamedBuffer& named : buffers) remote_buffer(*named.buffer).set_written();
}

}  // namespace cornu::inline v0::backends::remote
