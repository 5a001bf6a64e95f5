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

/// A group of devices of several clients: replica i runs on the first device of clients[i], each by an execution of
/// its own. They run side by side, so that the replicas can meet in collectives, which is the clients' business: to
/// one of them a program of the group is an ordinary program.
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

  std::unique_ptr<Executable> compile(const StepProgram& program) final;
  std::unique_ptr<Executable> compile_parts(const StepProgram& program, std::int64_t batch) final;

  /// How members work at the same time.
  enum class Work {
    kApart,     // none needs another: who fails leaves the others' work as it is, unless it is lost
    kTogether,  // they wait for each other: whatever one fails with, the others' work is given up
  };

  /// Calls call(i) for every member, each in a thread of its own, and waits for all. Errors: of those that failed, that
  /// of the first which lost no other (kUnavailable), else of the first.
  void for_each_member(const std::function<void(std::size_t)>& call, Work work = Work::kApart);

 protected:
  std::unique_ptr<Buffer> do_allocate(const ir::TensorType& type, int device) override;
  void do_write(std::span<const Write> writes) override;
  void do_read(std::span<const Read> reads) override;
  std::unique_ptr<Buffer> do_copy(const Buffer& buffer, int device) override;

 private:
  /// A member is lost, or has failed, while others work with it: makes an end of what they wait for. Threads: any.
  virtual void give_up(std::size_t lost, const Error& error) = 0;

  std::shared_ptr<const std::vector<std::shared_ptr<Client>>> members_;
};

}  // namespace cornu::inline v0::runtime
