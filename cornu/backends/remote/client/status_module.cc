#include "cornu/backends/remote/client/client.h"
#include "cornu/backends/remote/client/connection.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {

namespace {

proto::StatusReply ask_status(const WorkerAddress& address) {
  const std::string token = token_of(address);
  const auto stub = proto::Worker::NewStub(connected_channel(address, token));
  grpc::ClientContext context;
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  context.set_deadline(std::chrono::system_clock::now() + kConnectTimeout);
  proto::StatusReply reply;
  const grpc::Status status = stub->GetStatus(&context, proto::StatusRequest(), &reply);
  if (!status.ok()) throw call_error(status, address);
  return reply;
}

}  // namespace

std::vector<runtime::DeviceInfo> worker_device_list(const std::string& argument) {
  const proto::StatusReply reply = ask_status(parse_address(argument));
  std::vector<runtime::DeviceInfo> devices;
  for (const proto::Device& device : reply.devices())
    devices.push_back(to_device_info(device, static_cast<int>(devices.size())));
  return devices;
}

std::string worker_status_text(const std::string& argument) {
  const WorkerAddress address = parse_address(argument);
  const proto::StatusReply reply = ask_status(address);
  std::string text = fmt::format("worker {} at {}, up for {:.0f} s{}\n", reply.version(), address.host_port,
                                 reply.seconds_up(), reply.is_draining() ? ", draining" : "");
  for (const proto::Device& device : reply.devices())
    text += fmt::format("  {} {}\n", device.type(), device.kind());
  const std::string limit =
      reply.memory_limit_bytes() == 0 ? "" : fmt::format(" of {}", reply.memory_limit_bytes());
  return text + fmt::format("  {} of {} clients, {} buffers, {}{} bytes, {} executions, {} steps\n",
                            reply.num_sessions(), reply.max_sessions(), reply.num_buffers(),
                            reply.memory_used_bytes(), limit, reply.num_executions(), reply.num_steps());
}

}  // namespace cornu::inline v0::backends::remote
