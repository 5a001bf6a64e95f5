#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::runtime {

/// Several devices of one client as one device, whose programs have a replica on each of them; see docs/adr/0080.
///
/// A buffer of it is a buffer on each device, and all hold the same: a write goes to all, a read takes the first's.
/// What is executed must keep it so, by collectives in the program. They are StableHLO's among size() replicas.
/// Owns: a share of the client.
/// Threads: safe.
class DeviceGroup final : public Client {
 public:
  /// `devices` are places in client->devices(), of replica 0 first. Errors: FailedPrecondition for a null client or
  /// for one whose memory the host can address; InvalidArgument for fewer than two devices, for one that is not
  /// there, or one that comes twice.
  DeviceGroup(std::shared_ptr<Client> client, std::vector<int> devices);

  const std::shared_ptr<Client>& client() const { return client_; }
  /// Those of the members, in their order.
  const std::vector<int>& members() const { return members_; }
  std::int64_t size() const { return static_cast<std::int64_t>(members_.size()); }

  std::string platform() const override { return client_->platform(); }
  std::string description() const override;
  int num_threads() const override { return client_->num_threads(); }
  double now() const override { return client_->now(); }

  /// Every replica works on the same rows; the outputs are replica 0's.
  std::unique_ptr<Executable> compile(const StepProgram& program) override;
  /// Each replica works on its part of a step's `batch` rows, in order: parts of ceil(batch / size()) rows, which the
  /// program's row arguments, and its outputs, have. Where a replica has fewer, or none, it gets others' rows as
  /// padding, and its number of valid rows says so. An execution gives rows and takes outputs of whole batches.
  /// Errors: InvalidArgument when row arguments or outputs have another extent.
  std::unique_ptr<Executable> compile_parts(const StepProgram& program, std::int64_t batch);

 protected:
  std::unique_ptr<Buffer> do_allocate(const ir::TensorType& type, int device) override;
  void do_write(std::span<const Write> writes) override;
  void do_read(std::span<const Read> reads) override;
  std::unique_ptr<Buffer> do_copy(const Buffer& buffer, int device) override;

 private:
  std::shared_ptr<Client> client_;
  std::vector<int> members_;
};

/// Null for a client that is none.
DeviceGroup* device_group(Client* client);

}  // namespace cornu::inline v0::runtime
