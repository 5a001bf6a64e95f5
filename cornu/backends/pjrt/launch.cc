#include "cornu/backends/pjrt/launch.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cornu::inline v0::backends::pjrt {
namespace {

/// A buffer's bytes on the host.
std::vector<std::byte> bytes_of(const Connection& connection, PJRT_Buffer* buffer,
                                const ir::TensorType& type) {
  std::vector<std::byte> bytes(type.size_bytes());
  if (!bytes.empty()) connection.receive(buffer, type, bytes.data()).wait("give a tensor");
  return bytes;
}

/// Launches on devices that run a program together.
class JointLaunch final : public runtime::Event::State {
 public:
  explicit JointLaunch(std::vector<std::shared_ptr<Launch>> launches) : launches_(std::move(launches)) {}
  bool is_ready() override {
    return std::all_of(launches_.begin(), launches_.end(),
                       [](const std::shared_ptr<Launch>& launch) { return launch->is_ready(); });
  }
  /// All launches have ended when it returns or throws.
  void wait() override {
    std::exception_ptr error;
    for (const std::shared_ptr<Launch>& launch : launches_) {
      try {
        launch->wait();
      } catch (...) {
        if (error == nullptr) error = std::current_exception();
      }
    }
    if (error != nullptr) std::rethrow_exception(error);
  }

 private:
  std::vector<std::shared_ptr<Launch>> launches_;
};

}  // namespace

Launch::~Launch() { release(); }

runtime::Event event_of(std::vector<std::shared_ptr<Launch>> launches) {
  std::shared_ptr<runtime::Event::State> state = launches.front();
  if (launches.size() > 1) state = std::make_shared<JointLaunch>(std::move(launches));
  if (!state->is_ready()) return runtime::Event(std::move(state));
  state->wait();
  return {};
}

PJRT_Buffer* Launch::borrow(const ir::TensorType& type, const std::byte* from) {
  OwnedEvent& released = released_.emplace_back();
  stacks_.push_back(connection_->send(type, device_, from, Connection::Send::kBorrow, &released));
  return stacks_.back().get();
}

PJRT_Buffer* Launch::scalar(std::int32_t value) {
  scalars_.push_back(connection_->scalar(device_, value));
  return scalars_.back()->get();
}

PJRT_Buffer* Launch::keep(OwnedBuffer value) {
  stacks_.push_back(std::move(value));
  return stacks_.back().get();
}

void Launch::take_output(OwnedBuffer result, const OutputPlace& place) {
  if (place.type.size_bytes() == 0) return;
  if (place.buffer != nullptr && place.buffer->type() == place.type) {
    place.buffer->set_value(std::move(result));
    return;
  }
  Output output{.value = std::move(result), .place = place, .arrived = {}};
  if (place.host != nullptr && !connection_->is_on_host())
    output.arrived = connection_->receive(output.value.get(), place.type, place.host);
  outputs_.push_back(std::move(output));
}

bool Launch::is_ready() {
  const std::lock_guard lock(mutex_);
  if (is_finished_) return true;
  if (!complete_.is_ready()) return false;
  for (const Output& output : outputs_)
    if (output.arrived && !output.arrived.is_ready()) return false;
  return true;
}

void Launch::wait() {
  const std::lock_guard lock(mutex_);
  if (!is_finished_) finish();
  if (error_ != nullptr) std::rethrow_exception(error_);
}

void Launch::finish() {
  try {
    const std::string doing = fmt::format("run \"{}\"", name_);
    if (spans_nodes_)
      connection_->wait_for_nodes(complete_, doing);
    else
      complete_.wait(doing);
    for (Output& output : outputs_) store(output);
  } catch (...) {
    error_ = std::current_exception();
  }
  release();
  is_finished_ = true;
}

void Launch::store(Output& output) {
  const OutputPlace& place = output.place;
  if (output.arrived) return output.arrived.wait("give an output");
  if (place.host != nullptr) {
    std::memcpy(place.host, connection_->address(output.value.get()), place.type.size_bytes());
    return;
  }
  // A part of a buffer, or a buffer of another shape, is copied through the host.
  DeviceBuffer& buffer = *place.buffer;
  std::vector<std::byte> all = bytes_of(*connection_, buffer.value(), buffer.type());
  const std::vector<std::byte> part = bytes_of(*connection_, output.value.get(), place.type);
  std::memcpy(all.data() + place.begin_bytes, part.data(), place.size_bytes);
  buffer.set_value(connection_->send(buffer.type(), device_, all.data(), Connection::Send::kCopy, nullptr));
}

/// The host memory is free once its buffers are destroyed and the plug-in has released it.
void Launch::release() {
  if (connection_->is_left_alone()) return keep_for_ever();
  outputs_.clear();
  stacks_.clear();
  for (const OwnedEvent& released : released_) {
    try {
      if (released) released.wait("release host memory");
    } catch (const Error&) {
      continue;  // it failed, so it does not read either
    }
  }
  released_.clear();
  program_.reset();
}

/// The device waits for a process that is gone, so destroying its operands, or its client, would block.
void Launch::keep_for_ever() {
  struct Kept {
    std::shared_ptr<Connection> connection;
    std::shared_ptr<const CompiledProgram> program;
    std::vector<OwnedBuffer> stacks;
    std::vector<OwnedEvent> released;
    std::vector<Output> outputs;
    OwnedEvent complete;
  };
  static auto& kept = *new std::vector<std::unique_ptr<Kept>>;
  static std::mutex& mutex = *new std::mutex;
  if (stacks_.empty() && outputs_.empty() && !complete_) return;
  auto all = std::make_unique<Kept>(Kept{connection_, std::move(program_), std::move(stacks_),
                                         std::move(released_), std::move(outputs_), std::move(complete_)});
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(all));
}

}  // namespace cornu::inline v0::backends::pjrt
