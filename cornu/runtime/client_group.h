#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/device_group.h"

namespace cornu::inline v0::runtime {

/// A group of devices of several clients: replica i runs on the first device of clients[i]. The executions
/// run side by side, so that the replicas can meet in collectives, which the clients see to: to each of them
/// a program of the group is an ordinary program.
/// Owns: shares of the clients.
/// Threads: safe.
class ClientGroup : public Client, public DeviceGroup {
 public:
  /// `clients`: two or more, none addressable; the first one's device speaks for all.
  explicit ClientGroup(std::vector<std::shared_ptr<Client>> clients);

  const std::vector<std::shared_ptr<Client>>& members() const { return *members_; }
  std::int64_t size() const final { return static_cast<std::int64_t>(members_->size()); }

  std::string platform() const override;
  std::string description() const override;
  /// Those of a member.
  bool has_lost_devices() const override;

  std::unique_ptr<Executable> compile(const StepProgram& program) final;
  std::unique_ptr<Executable> compile_parts(const StepProgram& program, std::int64_t batch) final;

  /// How members work at the same time.
  enum class Work {
    kApart,     // none needs another: one that fails leaves the others' work alone, unless it is lost
    kTogether,  // they wait for each other: when one fails, for whatever reason, the others' work is given up
  };

  /// Calls call(i) for every member, each in a thread of its own, and waits for all.
  /// Errors: that of the first member that failed otherwise than by losing another one (kUnavailable); where
  ///         there is none, that of the first.
  void for_each_member(const std::function<void(std::size_t)>& call, Work work = Work::kApart);

 protected:
  std::unique_ptr<Buffer> do_allocate(const ir::TensorType& type, int device) override;
  void do_write(std::span<const Write> writes) override;
  void do_read(std::span<const Read> reads) override;
  std::unique_ptr<Buffer> do_copy(const Buffer& buffer, int device) override;

 private:
  /// Ends what the others wait for, when a member was lost or has failed while they work with it.
  /// Threads: any.
  virtual void give_up(std::size_t lost, const Error& error) = 0;

  std::shared_ptr<const std::vector<std::shared_ptr<Client>>> members_;
};

}  // namespace cornu::inline v0::runtime
