#pragma once

#include <optional>
#include <string>
#include <vector>

/// Environment variables set by launchers of clusters; see environment.h.
namespace cornu::inline v0::environment {

/// COLAB_TPU_ADDR: "10.0.0.2:8470".
std::optional<std::string> colab_tpu_address();
/// TPU_NAME.
std::optional<std::string> tpu_name();
/// CORNU_TPU_TABLE: the file that maps names of TPUs to addresses.
std::optional<std::string> tpu_table();
/// TF_CONFIG: JSON.
std::optional<std::string> tf_config();

/// CORNU_PROCESSES_TIMEOUT: seconds that a process waits for another; 0: for ever.
std::optional<double> processes_timeout();

/// The values of CUDA_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES, joined: processes of one
/// machine with equal values see the same GPUs.
std::string visible_gpus();

/// Variables of Slurm's current job step.
struct SlurmStep {
  std::optional<std::string> nodes;           // SLURM_STEP_NODELIST, else SLURM_NODELIST
  std::optional<std::string> tasks_per_node;  // SLURM_STEP_TASKS_PER_NODE, else SLURM_TASKS_PER_NODE
  std::optional<std::string> num_tasks;       // SLURM_STEP_NUM_TASKS, else SLURM_NTASKS
  std::optional<std::string> task;            // SLURM_PROCID
};
SlurmStep slurm_step();

/// Variables for the address of Kubernetes' API, inside and outside of a pod.
struct KubernetesPlace {
  std::optional<std::string> host, port;  // KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT
  std::vector<std::string> configs;       // the files that KUBECONFIG names, else ~/.kube/config
};
KubernetesPlace kubernetes_place();

}  // namespace cornu::inline v0::environment
