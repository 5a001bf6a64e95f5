#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/runtime/client.h"

/// For tests: devices whose memory the host cannot address, computed by the CPU backend. They count calls,
/// keep a clock that each call advances by one second, and fail on request.
namespace cornu::inline v0::runtime {

/// Tracks the buffers of running executions and counts accesses that Buffer's contract forbids meanwhile.
/// Threads: safe.
class BuffersInUse {
 public:
  void begin(const Buffer& buffer, bool writes) { change(buffer, writes, 1); }
  void end(const Buffer& buffer, bool writes) { change(buffer, writes, -1); }
  void note_read(const Buffer& buffer) { note(buffer, false); }
  void note_write(const Buffer& buffer) { note(buffer, true); }
  int num_races() const { return num_races_; }

 private:
  struct Uses {
    int num = 0, num_writing = 0;
  };
  void change(const Buffer& buffer, bool writes, int by) {
    const std::lock_guard lock(mutex_);
    Uses& uses = uses_[&buffer];
    uses.num += by;
    uses.num_writing += writes ? by : 0;
  }
  void note(const Buffer& buffer, bool writes) {
    const std::lock_guard lock(mutex_);
    const auto found = uses_.find(&buffer);
    if (found != uses_.end() && (writes ? found->second.num : found->second.num_writing) > 0) ++num_races_;
  }

  std::mutex mutex_;
  std::map<const Buffer*, Uses> uses_;
  std::atomic<int> num_races_{0};
};

class FakeBuffer final : public Buffer {
 public:
  FakeBuffer(std::unique_ptr<Buffer> hidden, Client* client, int device, std::shared_ptr<BuffersInUse> in_use)
      : Buffer(hidden->type(), client, device), hidden_(std::move(hidden)), in_use_(std::move(in_use)) {}
  ~FakeBuffer() override { in_use_->note_write(*this); }
  Buffer& hidden() const { return *hidden_; }

 private:
  std::unique_ptr<Buffer> hidden_;
  std::shared_ptr<BuffersInUse> in_use_;
};

class FakeClient final : public Client {
 public:
  /// `memory_bytes` of each device; 0: not reported.
  explicit FakeClient(int num_devices = 1, std::size_t memory_bytes = 0)
      : Client(infos(num_devices, memory_bytes)), cpu_(make_client("cpu", {.num_threads = 1})) {}

  std::string platform() const override { return "fake"; }
  std::string description() const override { return "a CPU that hides its memory"; }
  double now() const override { return seconds_.load(); }
  std::unique_ptr<Executable> compile(const StepProgram& program) override;
  bool keeps_rows() override { return keeps_rows_; }

  /// Advances the clock.
  void pass_time(double seconds) { seconds_ = seconds_ + seconds; }
  /// Makes keeps_rows() true from now on.
  void keep_rows() { keeps_rows_ = true; }
  /// From now on transfers and executions fail.
  void go_away() { is_gone_ = true; }
  void come_back() { is_gone_ = false; }
  /// From now on each execution calls this once it has its buffers, on its thread.
  void in_executions(std::function<void()> meanwhile) { meanwhile_ = std::move(meanwhile); }
  /// The number of times that a buffer was read, written or freed while an execution wrote it, or written or
  /// freed while an execution read it.
  int num_races() const { return in_use_->num_races(); }
  /// Makes the next execution fail after `steps` of its steps.
  void fail_after_steps(std::int64_t steps, ErrorCode code = ErrorCode::kUnavailable) {
    fail_with_ = code;
    fail_after_ = steps;
  }

 protected:
  std::unique_ptr<Buffer> do_allocate(const ir::TensorType& type, int device) override {
    return std::make_unique<FakeBuffer>(cpu_->allocate(type), this, device, in_use_);
  }
  void do_write(std::span<const Write> writes) override {
    begin_call();
    for (const Write& write : writes) {
      in_use_->note_write(*write.to);
      hidden(*write.to).copy_from_host(write.from);
    }
  }
  void do_read(std::span<const Read> reads) override {
    begin_call();
    for (const Read& read : reads) {
      in_use_->note_read(*read.from);
      hidden(*read.from).copy_to_host(read.to);
    }
  }
  std::unique_ptr<Buffer> do_copy(const Buffer& buffer, int device) override {
    begin_call();
    in_use_->note_read(buffer);
    std::vector<std::byte> bytes(buffer.type().size_bytes());
    hidden(buffer).copy_to_host(bytes.data());
    std::unique_ptr<Buffer> copy = do_allocate(buffer.type(), device);
    hidden(*copy).copy_from_host(bytes.data());
    return copy;
  }

 private:
  class Program;

  static std::vector<DeviceInfo> infos(int num_devices, std::size_t memory_bytes) {
    std::vector<DeviceInfo> all;
    for (int i = 0; i < num_devices; ++i)
      all.push_back({.type = "GPU",
                     .kind = "fake",
                     .number = i,
                     .memory_bytes = memory_bytes,
                     .is_addressable = false});
    return all;
  }
  static Buffer& hidden(const Buffer& buffer) { return dynamic_cast<const FakeBuffer&>(buffer).hidden(); }
  void begin_call() {
    seconds_ = seconds_ + 1;
    if (is_gone_) throw Error(ErrorCode::kUnavailable, "the device does not answer", {.op = "fake"});
  }

  std::shared_ptr<Client> cpu_;
  std::shared_ptr<BuffersInUse> in_use_ = std::make_shared<BuffersInUse>();
  std::function<void()> meanwhile_;
  std::atomic<double> seconds_{0};
  std::atomic<bool> is_gone_{false};
  std::atomic<bool> keeps_rows_{false};
  std::atomic<std::int64_t> fail_after_{-1};
  std::atomic<ErrorCode> fail_with_{ErrorCode::kUnavailable};
};

class FakeClient::Program final : public Executable {
 public:
  Program(FakeClient& client, std::unique_ptr<Executable> hidden)
      : client_(client), hidden_(std::move(hidden)) {}

  Submission execute(const Execution& execution) override {
    const Replica& replica = execution.replicas[0];
    const auto hidden_of = [&](std::span<Buffer* const> buffers) {
      std::vector<Buffer*> all;
      for (Buffer* buffer : buffers) {
        client_.require_own(*buffer, "a buffer of an execution");
        all.push_back(&hidden(*buffer));
      }
      return all;
    };
    const std::vector<Buffer*> state = hidden_of(replica.state), fixed = hidden_of(replica.fixed),
                               rows = hidden_of(replica.row_buffers),
                               outputs = hidden_of(replica.output_buffers);
    const double start = client_.now();
    client_.begin_call();
    const Using in_use{*client_.in_use_, replica};
    if (client_.meanwhile_) client_.meanwhile_();
    Replica there = replica;
    there.state = state;
    there.fixed = fixed;
    there.row_buffers = rows;
    there.output_buffers = outputs;
    const std::int64_t fail_after = client_.fail_after_.exchange(-1);
    const std::int64_t num_steps =
        fail_after < 0 ? execution.num_steps : std::min(fail_after, execution.num_steps);
    const std::int64_t done = hidden_->run(there, num_steps, execution.progress);
    client_.note(&TransferStatistics::executions,
                 {.calls = 1, .items = done, .bytes = 0, .seconds = client_.now() - start});
    if (fail_after >= 0) throw Error(client_.fail_with_, "[fake] the device failed");
    return {.done = {}, .num_steps = done};
  }
  const CompileStats& stats() const override { return hidden_->stats(); }
  std::string explain(const Profiler*) const override { return "run by a fake device\n"; }
  std::string dump(const std::string& stage) const override { return hidden_->dump(stage); }

 private:
  struct Using {
    BuffersInUse& in_use;
    const Replica& replica;
    Using(BuffersInUse& all, const Replica& of) : in_use(all), replica(of) {
      for (const Buffer* buffer : replica.state) in_use.begin(*buffer, true);
      for (const Buffer* buffer : replica.fixed) in_use.begin(*buffer, false);
    }
    ~Using() {
      for (const Buffer* buffer : replica.state) in_use.end(*buffer, true);
      for (const Buffer* buffer : replica.fixed) in_use.end(*buffer, false);
    }
  };

  FakeClient& client_;
  std::unique_ptr<Executable> hidden_;
};

inline std::unique_ptr<Executable> FakeClient::compile(const StepProgram& program) {
  StepProgram on_cpu = program;
  on_cpu.devices.clear();
  note(&TransferStatistics::compiles, {.calls = 1, .items = 1});
  return std::make_unique<Program>(*this, cpu_->compile(on_cpu));
}

}  // namespace cornu::inline v0::runtime
