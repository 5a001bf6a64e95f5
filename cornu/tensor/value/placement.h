#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0 {

/// A client, and those of its devices that run a program together, one replica each. A value type; programs
/// keep the placement that they were compiled for.
/// Owns: a share of the client.
class Placement {
 public:
  /// An undefined placement.
  Placement() = default;
  /// `devices` are indices in client->devices(); empty: the first alone. Errors: FailedPrecondition for a
  /// null client.
  explicit Placement(std::shared_ptr<runtime::Client> client, std::vector<int> devices = {});

  const std::shared_ptr<runtime::Client>& client() const { return client_; }
  std::size_t num_replicas() const { return devices_.empty() ? 1 : devices_.size(); }
  int device(std::size_t replica = 0) const { return devices_.empty() ? 0 : devices_[replica]; }
  /// The indices of the devices, for StepProgram::devices.
  const std::vector<int>& devices() const { return devices_; }
  /// A table of the client's calls to devices that are not addressable; marks simulated times. Empty without
  /// such devices.
  std::string explain_calls() const;
  bool operator==(const Placement&) const = default;

 private:
  std::shared_ptr<runtime::Client> client_;
  std::vector<int> devices_;  // empty: {0}
};

/// The placement of this thread's DeviceScope, else the default client. Errors: NotFound if the scope's
/// device has been removed.
Placement current_placement();

}  // namespace cornu::inline v0
