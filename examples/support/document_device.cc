#include "examples/support/document_device.h"

#include <vector>

#include "cornu/distribute/connect.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::examples {
namespace {

struct Found {
  std::string name;
  distribute::Strategy strategy;
};

Found find(const std::string& spec) {
  if (spec == "cpu") return {canonical_device_name("CPU:0"), distribute::Strategy()};
  const distribute::TPUClusterResolver resolver(spec);
  // A simulated device is no task of a cluster: it is in this process.
  const std::vector<std::string> names = resolver.master().empty() ? distribute::connect_to_host(spec)
                                                                   : distribute::connect_to_cluster(resolver);
  if (names.front().find("/device:TPU:") == std::string::npos)
    return {names.front(), distribute::OneDeviceStrategy(names.front())};
  distribute::initialize_tpu_system(resolver);
  return {names.front(), distribute::TPUStrategy(resolver)};
}

}  // namespace

const char* kind_of(const runtime::Client& client) {
  return client.is_simulated() ? "simulated" : "measured";
}

bool computes_results(const std::string& device) { return device.find("results=zeros") == std::string::npos; }

DocumentDevice::DocumentDevice(std::string spec) : spec_(std::move(spec)) {
  const Found found = find(spec_);
  name_ = found.name;
  strategy_ = found.strategy;
  const DeviceScope scope(name_);
  client_ = current_placement().client();
}

bool DocumentDevice::has_profile(const std::string& profile) const {
  const std::string wanted = "sim:" + profile;
  return spec_ == wanted || spec_.starts_with(wanted + ",");
}

}  // namespace cornu::inline v0::examples
