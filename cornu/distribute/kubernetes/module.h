#pragma once

#include "cornu/distribute/kubernetes/pods.h"

/// Interface of libcornu_kubernetes, which is linked with libcurl and libyaml.
namespace cornu::inline v0::distribute {

struct KubernetesModule {
  const void* mark;  // own_module_mark()
  std::vector<Pod> (*list_pods)(const KubernetesAccess& access, const std::string& label_selector);
};

}  // namespace cornu::inline v0::distribute
