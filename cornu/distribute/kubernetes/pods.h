#pragma once

#include <string>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::distribute {

/// How the API of a Kubernetes cluster is reached.
struct KubernetesAccess {
  /// As kubectl has it, in YAML or JSON. Empty: in a pod what Kubernetes puts there, elsewhere the files that
  /// KUBECONFIG names with ":" between, of which the first that sets a value counts, else ~/.kube/config.
  std::string config_file = {};
  /// Of the file; empty: its current-context.
  std::string context = {};
  int timeout_ms = 10000;
};

struct Pod {
  std::string name;
  std::string phase;    // "Running"
  std::string host_ip;  // of the machine that it runs on
  bool operator==(const Pod&) const = default;
};

/// The pods of all namespaces whose labels a selector ("job-name=worker") finds, sorted by name. Programs
/// that a configuration names for logging in are not run.
/// Errors: FailedPrecondition for a configuration that is not there or cannot be used, saying which entry;
///         kUnavailable when the API does not answer in time, or answers with an error; DataLoss for an
///         answer that is none; kUnavailable when the module that speaks HTTP is not installed.
std::vector<Pod> list_pods(const KubernetesAccess& access, const StringArgument& label_selector);

}  // namespace cornu::inline v0::distribute
