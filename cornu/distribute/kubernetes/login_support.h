#pragma once

#include <string>

#include "cornu/distribute/kubernetes/pods.h"

namespace cornu::inline v0::distribute {

/// The address of the API and the credentials, from a configuration. Certificates and keys are PEM texts.
struct KubernetesLogin {
  std::string server;  // "https://10.0.0.1:6443"
  std::string authorities, certificate, key;
  std::string token;
  std::string user, password;
};

/// Errors: those of list_pods.
KubernetesLogin find_login(const KubernetesAccess& access);

}  // namespace cornu::inline v0::distribute
