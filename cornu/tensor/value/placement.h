#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0 {

/// Where programs run: a client, and those of its devices that run a program together, a replica on each. A
/// value; programs keep the one that they were compiled for.
/// Owns: a share of the client.
class Placement {
 public:
  /// An undefined placement.
  Placement() = default;
  /// `devices` are places in client->devices(); empty: the first alone. Errors: FailedPrecondition for a null
  /// client.
  explicit Placement(std::shared_ptr<runtime::Client> client, std::vector<int> devices = {});

  const std::shared_ptr<runtime::Client>& client() const { return client_; }
  std::size_t num_replicas() const { return devices_.empty() ? 1 : devices_.size(); }
  int device(std::size_t replica = 0) const { return devices_.empty() ? 0 : devices_[replica]; }
  /// The places of the devices, as StepProgram::devices has them.
  const std::vector<int>& devices() const { return devices_; }
  /// A table of what its client did so far on devices that the host cannot address, which says where its
  /// seconds are simulated; empty without such.
  std::string explain_calls() const;
  bool operator==(const Placement&) const = default;

 private:
  std::shared_ptr<runtime::Client> client_;
  std::vector<int> devices_;  // empty: {0}
};

/// The placement that this thread's DeviceScope says, else the default client. Errors: NotFound when the
/// scope's device has been removed.
Placement current_placement();

}  // namespace cornu::inline v0
