#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/device_group.h"

namespace cornu::inline v0::runtime {

/// A group of devices of several clients: replica i runs on the first device of clients[i]. The executions
/// run concurrently, so that the replicas can exchange data in collectives, which the clients implement. Each
/// client receives the group's program as an ordinary program.
/// Owns: shares of the clients.
/// Threads: safe.
class ClientGroup : public Client, public DeviceGroup {
 public:
  /// `clients`: two or more, none addressable; the group's DeviceInfo is derived from the first one's device.
  explicit ClientGroup(std::vector<std::shared_ptr<Client>> clients);

  const std::vector<std::shared_ptr<Client>>& members() const { return *members_; }
  std::int64_t size() const final { return static_cast<std::int64_t>(members_->size()); }

  std::string platform() const override;
  std::string description() const override;
  /// True if a member has lost its devices.
  bool has_lost_devices() const override;

  std::unique_ptr<Executable> compile(const StepProgram& program) final;
  std::unique_ptr<Executable> compile_parts(const StepProgram& program, std::int64_t batch) final;
  void write_members(std::span<const MemberWrite> writes) final;
  void read_members(std::span<const MemberRead> reads) final;

  /// The dependence between members that work concurrently.
  enum class Work {
    kApart,     // independent: an error leaves the other members' work running, unless it is the loss of a
                // member
    kTogether,  // members wait for each other: any error cancels the other members' work
  };

  /// Calls call(i) for every member, each on its own thread, and waits for all.
  /// Errors: the first one that is not the loss of another member (kUnavailable); if there is none, the first
  ///         one.
  void for_each_member(const std::function<void(std::size_t)>& call, Work work = Work::kApart);

 protected:
  std::unique_ptr<Buffer> do_allocate(const ir::TensorType& type, int device) override;
  void do_write(std::span<const Write> writes) override;
  void do_read(std::span<const Read> reads) override;
  std::unique_ptr<Buffer> do_copy(const Buffer& buffer, int device) override;

 private:
  /// Cancels the other members' work after a member was lost, or has failed during Work::kTogether.
  /// Threads: any.
  virtual void give_up(std::size_t lost, const Error& error) = 0;

  std::shared_ptr<const std::vector<std::shared_ptr<Client>>> members_;
};

}  // namespace cornu::inline v0::runtime
