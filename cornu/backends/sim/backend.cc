#include "cornu/backends/sim/backend.h"

#include <utility>

#include "cornu/backends/sim/device.h"
#include "cornu/backends/sim/simulated_program.h"
#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/runtime/late_reads.h"
#include "cornu/runtime/pass_listener.h"
#include "cornu/runtime/virtual_clock.h"

namespace cornu::inline v0::backends::sim {
namespace {

std::vector<runtime::DeviceInfo> device_infos(const Profile& profile) {
  const runtime::DeviceInfo first = {
      .type = profile.device_type,
      .kind = profile.device_kind.empty() ? "simulated" : fmt::format("{} (simulated)", profile.device_kind),
      .number = 0,
      .memory_bytes = static_cast<std::size_t>(profile.memory_bytes),
      .is_addressable = false,
      .is_simulated = true};
  std::vector<runtime::DeviceInfo> cores(static_cast<std::size_t>(profile.num_cores), first);
  for (std::size_t i = 0; i < cores.size(); ++i) cores[i].number = static_cast<int>(i);
  return cores;
}

class SimulatedClient final : public runtime::Client,
                              public runtime::PassListener,
                              public runtime::VirtualClock,
                              public runtime::LateReads,
                              private runtime::DistantClient {
 public:
  SimulatedClient(const Profile& profile, const runtime::ClientOptions& options)
      : Client(device_infos(profile)), device_(std::make_shared<Device>(profile, options)) {
    if (!profile.computes_results())
      log_warning("[sim] device \"{}\" only keeps time (results=zeros): losses and predictions are zeros",
                  profile.name);
  }

  std::string platform() const override { return fmt::format("sim:{}", device_->profile().name); }
  std::string description() const override {
    const Profile& profile = device_->profile();
    return fmt::format("simulated {}, {} clock{}: {}", profile.device_type, profile.clock,
                       profile.computes_results() ? "" : ", results are zeros", profile.description);
  }
  int num_threads() const override { return device_->engine().num_threads(); }
  double now() const override { return seconds(device_->clock().now()); }
  bool has_virtual_clock() const override { return device_->clock().is_virtual(); }
  runtime::DistantClient* distant() override { return device_->profile().keeps_rows() ? this : nullptr; }
  bool has_lost_devices() const override { return device_->is_lost(); }
  void begin_pass() override { device_->begin_pass(); }

  /// Waits, unless calls overlap.
  runtime::Event read_later(std::span<const runtime::Read> reads) override {
    if (!device_->profile().has_overlapping_calls()) {
      read(reads);
      return {};
    }
    device_->check_no_failure();
    const MemoryReads from = memory_reads(reads);
    note(&runtime::TransferStatistics::reads, {.calls = 1,
                                               .items = static_cast<std::int64_t>(reads.size()),
                                               .bytes = static_cast<std::int64_t>(from.size_bytes)});
    return device_->read_later(from.size_bytes, [&] { device_->engine().read(from.reads); });
  }

  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override {
    return std::make_unique<SimulatedExecutable>(program, *this, device_);
  }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType& type, int device) override {
    return std::make_unique<SimulatedBuffer>(type, this, device, device_);
  }

  void do_write(std::span<const runtime::Write> writes) override {
    device_->check_is_there();
    std::size_t size_bytes = 0;
    std::vector<runtime::Write> to_memory;
    for (const runtime::Write& write : writes) {
      size_bytes += write.to->type().size_bytes();
      to_memory.push_back({&static_cast<SimulatedBuffer&>(*write.to).memory(), write.from});
    }
    device_->write(size_bytes, [&] { device_->engine().write(to_memory); });
  }

  void do_read(std::span<const runtime::Read> reads) override {
    device_->check_no_failure();
    const MemoryReads from = memory_reads(reads);
    device_->read(from.size_bytes, [&] { device_->engine().read(from.reads); });
  }

  /// A copy on the device, which takes no time in any profile.
  std::unique_ptr<runtime::Buffer> do_copy(const runtime::Buffer& buffer, int device) override {
    device_->check_no_failure();
    std::unique_ptr<runtime::Buffer> copy = do_allocate(buffer.type(), device);
    static_cast<SimulatedBuffer&>(*copy).memory().copy_from_host(
        static_cast<const SimulatedBuffer&>(buffer).memory().host_data());
    return copy;
  }

 private:
  /// Reads of the engine's buffers, in which the simulated ones have their values.
  struct MemoryReads {
    std::vector<runtime::Read> reads;
    std::size_t size_bytes = 0;
  };
  static MemoryReads memory_reads(std::span<const runtime::Read> reads) {
    MemoryReads found;
    for (const runtime::Read& read : reads) {
      found.size_bytes += read.from->type().size_bytes();
      found.reads.push_back({&static_cast<const SimulatedBuffer&>(*read.from).memory(), read.to});
    }
    return found;
  }

  /// A failed launch changes nothing; a lost device does not come back.
  void reconnect(std::uint64_t) override {
    try {
      device_->check_is_there();
    } catch (const Error& error) {
      fail(ErrorCode::kFailedPrecondition, "{}; it does not come back", error.what());
    }
  }
  std::uint64_t generation() const override { return 1; }

  std::shared_ptr<Device> device_;
};

}  // namespace

std::vector<runtime::KnownArgument> known_arguments() {
  std::vector<runtime::KnownArgument> known;
  for (const Profile& profile : built_in_profiles())
    known.push_back({profile.name, fmt::format("simulated {}, {} clock: {}", profile.device_type,
                                               profile.clock, profile.description)});
  return known;
}

std::shared_ptr<runtime::Client> make_simulated_client(const Profile& profile,
                                                       const runtime::ClientOptions& options) {
  return std::make_shared<SimulatedClient>(profile, options);
}

std::shared_ptr<runtime::Client> make_client(const std::string& argument,
                                             const runtime::ClientOptions& options) {
  return make_simulated_client(profile_of_spec(argument), options);
}

}  // namespace cornu::inline v0::backends::sim
