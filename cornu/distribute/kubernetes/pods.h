#pragma once

#include <string>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::distribute {

/// Access to the API of a Kubernetes cluster.
struct KubernetesAccess {
  /// A configuration in kubectl's format, in YAML or JSON. Empty: in a pod the one that Kubernetes provides,
  /// elsewhere the files in KUBECONFIG, separated by ":", of which the first that sets a value counts, else
  /// ~/.kube/config.
  std::string config_file = {};
  /// A context of the file; empty: its current-context.
  std::string context = {};
  int timeout_ms = 10000;
};

struct Pod {
  std::string name;
  std::string phase;    // "Running"
  std::string host_ip;  // the machine that it runs on
  bool operator==(const Pod&) const = default;
};

/// The pods of all namespaces whose labels match a selector ("job-name=worker"), sorted by name. Login
/// programs in a configuration are not run.
/// Errors: FailedPrecondition for a configuration that is missing or cannot be used, with the entry;
///         kUnavailable if the API does not answer in time, or answers with an error; DataLoss for an invalid
///         response; kUnavailable if the module for HTTP is not installed.
std::vector<Pod> list_pods(const KubernetesAccess& access, const StringArgument& label_selector);

}  // namespace cornu::inline v0::distribute
