#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/buffer.h"
#include "cornu/backends/pjrt/compile.h"
#include "cornu/backends/pjrt/connection.h"
#include "cornu/runtime/event.h"

namespace cornu::inline v0::backends::pjrt {

/// Destination of a launch's output.
struct OutputPlace {
  ir::TensorType type;             // of the program's result
  std::byte* host = nullptr;       // if not null: destination of the whole result
  DeviceBuffer* buffer = nullptr;  // else: bytes from `begin_bytes` on, `size_bytes` of them
  std::size_t begin_bytes = 0;
  std::size_t size_bytes = 0;
};

/// A running launch, and the objects that it needs until it is done.
/// Threads: safe after it is shared.
class Launch final : public runtime::Event::State {
 public:
  /// `spans_nodes`: the program also runs on other nodes, and waits for them.
  Launch(std::shared_ptr<Connection> connection, std::string name, int device, bool spans_nodes = false)
      : connection_(std::move(connection)),
        name_(std::move(name)),
        device_(device),
        spans_nodes_(spans_nodes) {}
  ~Launch() override;

  /// Passes host memory as an argument; it must stay unchanged until wait() returns.
  PJRT_Buffer* borrow(const ir::TensorType& type, const std::byte* from);
  PJRT_Buffer* scalar(std::int32_t value);
  /// Keeps an argument that was made for this launch.
  PJRT_Buffer* keep(OwnedBuffer value);
  /// Keeps the program that makes that argument; may be null.
  void keep(std::shared_ptr<const CompiledProgram> program) { program_ = std::move(program); }
  /// Takes a result; begins a copy to the host if it is the destination.
  void take_output(OwnedBuffer result, const OutputPlace& place);
  void set_complete(OwnedEvent complete) { complete_ = std::move(complete); }

  bool is_ready() override;
  void wait() override;

 private:
  struct Output {
    OwnedBuffer value;
    OutputPlace place;
    OwnedEvent arrived;
  };
  void finish();
  void store(Output& output);
  void release();
  void keep_for_ever();

  std::shared_ptr<Connection> connection_;
  std::string name_;
  int device_;
  bool spans_nodes_;
  std::shared_ptr<const CompiledProgram> program_;
  std::vector<OwnedBuffer> stacks_;
  std::vector<OwnedEvent> released_;
  std::vector<std::shared_ptr<const OwnedBuffer>> scalars_;
  std::vector<Output> outputs_;
  OwnedEvent complete_;
  std::mutex mutex_;
  bool is_finished_ = false;
  std::exception_ptr error_;
};

/// Combines launches on several devices that run together into one event: the launch itself if there is one,
/// an empty event if all are done.
/// Errors: those of the first failed launch, from here or from the event.
runtime::Event event_of(std::vector<std::shared_ptr<Launch>> launches);

}  // namespace cornu::inline v0::backends::pjrt
