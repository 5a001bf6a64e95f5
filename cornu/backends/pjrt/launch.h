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

/// Where an output of a launch goes.
struct OutputPlace {
  ir::TensorType type;             // of the program's result
  std::byte* host = nullptr;       // if not null: all of it
  DeviceBuffer* buffer = nullptr;  // else: from its byte `begin` on, so many
  std::size_t begin_bytes = 0;
  std::size_t size_bytes = 0;
};

/// A launch on its way, and what must stay until it is done.
/// Threads: safe once it is given away.
class Launch final : public runtime::Event::State {
 public:
  /// `meets_nodes`: the program runs on other nodes, too, and waits for them.
  Launch(std::shared_ptr<Connection> connection, std::string name, int device, bool meets_nodes = false)
      : connection_(std::move(connection)),
        name_(std::move(name)),
        device_(device),
        meets_nodes_(meets_nodes) {}
  ~Launch() override;

  /// Memory of the host as an argument: it must stay as it is until this has been waited for.
  PJRT_Buffer* borrow(const ir::TensorType& type, const std::byte* from);
  PJRT_Buffer* scalar(std::int32_t value);
  /// An argument that was made for this launch.
  PJRT_Buffer* keep(OwnedBuffer value);
  /// The program that makes it; may be null.
  void keep(std::shared_ptr<const CompiledProgram> program) { program_ = std::move(program); }
  /// What becomes of a result; copies to the host begin.
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
  bool meets_nodes_;
  std::shared_ptr<const CompiledProgram> program_;
  std::vector<OwnedBuffer> slabs_;
  std::vector<OwnedEvent> released_;
  std::vector<std::shared_ptr<const OwnedBuffer>> scalars_;
  std::vector<Output> outputs_;
  OwnedEvent complete_;
  std::mutex mutex_;
  bool is_finished_ = false;
  std::exception_ptr error_;
};

/// One event for launches on several devices that run together; the launch itself where it is one, nothing
/// where all are done already.
/// Errors: of the first that failed, from here or from the event.
runtime::Event event_of(std::vector<std::shared_ptr<Launch>> launches);

}  // namespace cornu::inline v0::backends::pjrt
