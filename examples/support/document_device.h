#pragma once

#include <memory>
#include <string>

#include "cornu/distribute/cluster_resolver/tpu_cluster_resolver.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::examples {

/// What figures of a client are: "measured", or "simulated" where no such device is there.
const char* kind_of(const runtime::Client& client);

/// False for a simulated device that only takes its time ("sim:k80,results=zeros").
bool computes_results(const std::string& device);

/// The device that a document's program runs on, found as the document finds it: by a resolver that is asked,
/// connected and, where there is a TPU, initialized.
class DocumentDevice {
 public:
  /// "cpu"; "sim:PROFILE" with its fields; a worker's "grpc://HOST:PORT"; what else TPUClusterResolver takes.
  /// Errors: as of resolving and connecting.
  explicit DocumentDevice(std::string spec);

  /// As it was given.
  const std::string& spec() const { return spec_; }
  /// Its full name; of several the first.
  const std::string& name() const { return name_; }
  /// One replica on each of its devices.
  const distribute::Strategy& strategy() const { return strategy_; }
  const char* kind() const { return kind_of(*client_); }
  /// Whether its profile is this one ("colab-tpu-node").
  bool has_profile(const std::string& profile) const;
  runtime::Client& client() const { return *client_; }

 private:
  std::string spec_, name_;
  distribute::Strategy strategy_;
  std::shared_ptr<runtime::Client> client_;
};

/// Seconds by the device's clock, which may be a virtual one, and its calls, since the watch was made.
class DocumentWatch {
 public:
  explicit DocumentWatch(const DocumentDevice& device)
      : device_(&device), start_(device.client().now()), before_(device.client().counts()) {}
  double seconds() const { return device_->client().now() - start_; }
  runtime::TransferStatistics calls() const { return device_->client().counts().since(before_); }

 private:
  const DocumentDevice* device_;
  double start_;
  runtime::TransferStatistics before_;
};

}  // namespace cornu::inline v0::examples
