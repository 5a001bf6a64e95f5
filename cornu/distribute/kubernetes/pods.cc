#include "cornu/distribute/kubernetes/pods.h"

#include "cornu/base/module_loader.h"
#include "cornu/distribute/kubernetes/module.h"

namespace cornu::inline v0::distribute {

std::vector<Pod> list_pods(const KubernetesAccess& access, const StringArgument& label_selector) {
  static const KubernetesModule& module =
      *static_cast<const KubernetesModule*>(load_own_module({.tag = "KubernetesClusterResolver",
                                                             .does = "speaks HTTP",
                                                             .file = "libcornu_kubernetes.so",
                                                             .symbol = "cornu_kubernetes_module"}));
  return module.list_pods(access, label_selector);
}

}  // namespace cornu::inline v0::distribute
