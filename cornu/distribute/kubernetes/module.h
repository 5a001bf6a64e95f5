#pragma once

#include "cornu/distribute/kubernetes/pods.h"

/// What libcornu loads libcornu_kubernetes for: libcurl and libyaml.
namespace cornu::inline v0::distribute {

struct KubernetesModule {
  const void* mark;  // own_module_mark()
  std::vector<Pod> (*list_pods)(const KubernetesAccess& access, const std::string& label_selector);
};

}  // namespace cornu::inline v0::distribute
