#include "cornu/base/environment.h"

#include <sys/auxv.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cornu/base/check.h"
#include "cornu/base/cluster_environment.h"
#include "cornu/base/data_environment.h"
#include "cornu/base/parse_number.h"

namespace cornu::inline v0::environment {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxThreads = 1024;

std::optional<std::string> read(const char* name) {
  const char* value = secure_getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

/// Adds the package folders below lib of a Python installation; newer versions first, each folder once.
void add_package_folders(const fs::path& root, std::vector<std::string>& folders) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(root / "lib", error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with("python3"))
      for (const char* const name : {"site-packages", "dist-packages"})
        if (fs::path folder = it->path() / name; fs::is_directory(folder, error))
          found.push_back(folder.string());
  std::sort(found.rbegin(), found.rend());
  for (std::string& folder : found)
    if (std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(std::move(folder));
}

}  // namespace

std::optional<int> num_threads() {
  const std::optional<std::string> text = read("CORNU_NUM_THREADS");
  if (!text) return std::nullopt;
  const std::optional<int> value = parse_number<int>(*text);
  if (!value || *value < 1 || *value > kMaxThreads) {
    invalid_argument("[environment] CORNU_NUM_THREADS must be an integer from 1 to {}; got \"{}\"",
                     kMaxThreads, *text);
  }
  return value;
}

std::optional<IsaLevel> isa_level() {
  const std::optional<std::string> text = read("CORNU_ISA");
  if (!text) return std::nullopt;
  const std::optional<IsaLevel> level = isa_level_from_name(*text);
  if (!level) invalid_argument("[environment] CORNU_ISA must be sse2, avx2 or avx512; got \"{}\"", *text);
  return level;
}

std::optional<Bf16Level> bf16_level() {
  const std::optional<std::string> text = read("CORNU_BF16");
  if (!text) return std::nullopt;
  const std::optional<Bf16Level> level = bf16_level_from_name(*text);
  if (!level) invalid_argument("[environment] CORNU_BF16 must be off, vectors or tiles; got \"{}\"", *text);
  return level;
}

bool direct_convolutions() {
  const std::optional<std::string> text = read("CORNU_CONVOLUTION");
  if (text && *text != "direct" && *text != "auto")
    invalid_argument("[environment] CORNU_CONVOLUTION must be auto or direct; got \"{}\"", *text);
  return text == "direct";
}

std::optional<LogSeverity> log_level() {
  const std::optional<std::string> text = read("CORNU_LOG_LEVEL");
  if (!text) return std::nullopt;
  for (const LogSeverity severity : {LogSeverity::kInfo, LogSeverity::kWarning, LogSeverity::kError})
    if (*text == log_severity_name(severity)) return severity;
  invalid_argument("[environment] CORNU_LOG_LEVEL must be info, warning or error; got \"{}\"", *text);
}

std::optional<std::string> cache_folder() {
  if (const std::optional<std::string> folder = read("CORNU_CACHE_DIR"))
    return *folder == "off" ? std::nullopt : folder;
  // The XDG specification requires relative paths to be ignored.
  if (const std::optional<std::string> caches = read("XDG_CACHE_HOME"); caches && caches->front() == '/')
    return *caches + "/cornu";
  const std::optional<std::string> home = read("HOME");
  std::error_code error;
  // A home folder that does not exist, as for a service's user, is not created.
  return home && home->front() == '/' && fs::is_directory(*home, error)
             ? std::optional(*home + "/.cache/cornu")
             : std::nullopt;
}

std::optional<std::string> tfds_data_dir() {
  if (std::optional<std::string> folder = read("TFDS_DATA_DIR")) return folder;
  const std::optional<std::string> home = read("HOME");
  return home && home->front() == '/' ? std::optional(*home + "/tensorflow_datasets") : std::nullopt;
}

std::optional<std::string> keras_home() {
  if (std::optional<std::string> folder = read("KERAS_HOME")) return folder;
  const std::optional<std::string> home = read("HOME");
  return home && home->front() == '/' ? std::optional(*home + "/.keras") : std::nullopt;
}

std::optional<std::string> google_access_token() { return read("CLOUDSDK_AUTH_ACCESS_TOKEN"); }
std::optional<std::string> google_access_token_file() { return read("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"); }
std::optional<std::string> storage_emulator() { return read("STORAGE_EMULATOR_HOST"); }

std::optional<std::string> pjrt_plugins() { return read("CORNU_PJRT_PLUGINS"); }

std::vector<std::string> python_package_folders() {
  std::vector<std::string> roots, folders;
  for (const char* const name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const std::optional<std::string> root = read(name)) roots.push_back(*root);
  const std::string path = read("PATH").value_or("");
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const fs::path folder = path.substr(begin, end - begin);
    if (folder.filename() == "bin") roots.push_back(folder.parent_path().string());
    begin = end + 1;
  }
  if (const std::optional<std::string> home = read("HOME")) roots.push_back(*home + "/.local");
  for (const std::string& root : roots)
    if (root.front() == '/') add_package_folders(root, folders);
  return folders;
}

std::optional<std::string> take(const char* name) {
  const std::optional<std::string> value = read(name);
  unsetenv(name);
  return value;
}

void set_default(const char* name, const std::string& value) { setenv(name, value.c_str(), 0); }

bool has_more_rights_than_its_caller() { return getauxval(AT_SECURE) != 0; }

bool no_color() { return read("NO_COLOR").has_value(); }

std::optional<int> columns() {
  const std::optional<std::string> text = read("COLUMNS");
  const std::optional<int> value = text ? parse_number<int>(*text) : std::nullopt;
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<std::string> terminal() { return read("TERM"); }

std::optional<std::string> colab_tpu_address() { return read("COLAB_TPU_ADDR"); }
std::optional<std::string> tpu_name() { return read("TPU_NAME"); }
std::optional<std::string> tpu_table() { return read("CORNU_TPU_TABLE"); }
std::optional<std::string> tf_config() { return read("TF_CONFIG"); }

std::optional<double> processes_timeout() {
  const std::optional<std::string> text = read("CORNU_PROCESSES_TIMEOUT");
  if (!text) return std::nullopt;
  const std::optional<int> value = parse_number<int>(*text);
  if (!value || *value < 0)
    invalid_argument(
        "[environment] CORNU_PROCESSES_TIMEOUT must be a number of seconds, 0 for none; got \"{}\"", *text);
  return *value;
}

std::string visible_gpus() {
  std::string all;
  for (const char* const name : {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"})
    all += read(name).value_or("") + ";";
  return all;
}

SlurmStep slurm_step() {
  const auto either = [](const char* of_step, const char* of_job) {
    const std::optional<std::string> value = read(of_step);
    return value ? value : read(of_job);
  };
  return {.nodes = either("SLURM_STEP_NODELIST", "SLURM_NODELIST"),
          .tasks_per_node = either("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"),
          .num_tasks = either("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"),
          .task = read("SLURM_PROCID")};
}

KubernetesPlace kubernetes_place() {
  KubernetesPlace place{
      .host = read("KUBERNETES_SERVICE_HOST"), .port = read("KUBERNETES_SERVICE_PORT"), .configs = {}};
  if (const std::optional<std::string> names = read("KUBECONFIG")) {
    for (std::size_t begin = 0; begin <= names->size();) {
      const std::size_t end = std::min(names->find(':', begin), names->size());
      if (end > begin) place.configs.push_back(names->substr(begin, end - begin));
      begin = end + 1;
    }
  } else if (const std::optional<std::string> home = read("HOME"); home && home->front() == '/') {
    place.configs.push_back(*home + "/.kube/config");
  }
  return place;
}

}  // namespace cornu::inline v0::environment
