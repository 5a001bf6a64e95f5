#include "cornu/distribute/cluster_resolver/tpu_cluster_resolver.h"

#include <algorithm>
#include <sstream>

#include "cornu/base/check.h"
#include "cornu/base/cluster_environment.h"
#include "cornu/base/nearest_names.h"
#include "cornu/distribute/cluster_resolver/device_lists.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::distribute {
namespace {

constexpr const char* kTpuTag = "TPUClusterResolver";
constexpr const char* kForms =
    "give \"grpc://HOST:PORT\", \"HOST:PORT\", \"local\", \"sim:PROFILE\", a name in the table file, or set "
    "COLAB_TPU_ADDR or TPU_NAME";

/// "h:1" for "grpc://h:1,token_file=t".
std::string host_port_of(const std::string& spec) {
  std::string rest = spec.substr(spec.find("://") + 3);
  return rest.substr(0, rest.find_first_of(",/"));
}

/// Splits "h:1,token_file=t,i:2" into "h:1,token_file=t" and "i:2": a field has an "=" before any colon.
std::vector<std::string> split_addresses(const std::string& text) {
  std::vector<std::string> addresses;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    if (!addresses.empty() && part.find('=') < part.find(':'))
      addresses.back() += "," + part;
    else
      addresses.push_back(part);
  }
  return addresses;
}

std::map<std::string, std::string> read_table(const std::string& path) {
  std::istringstream lines(io::read_text_file(path, {.max_size_bytes = 1 << 20}));
  std::map<std::string, std::string> table;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, address, more;
    if (!(words >> name)) continue;
    if (!(words >> address) || words >> more)
      invalid_argument("[{}] {}:{}: a line must be \"NAME ADDRESS\"", kTpuTag, path, number);
    table.emplace(name, address);
  }
  return table;
}

std::string look_up(const std::string& name, const TPUClusterOptions& options) {
  const std::string path =
      options.table_file.empty() ? environment::tpu_table().value_or("") : options.table_file;
  if (path.empty())
    invalid_argument("[{}] tpu = \"{}\" is not an address, and there is no table to look it up in; {}",
                     kTpuTag, name, kForms);
  const std::map<std::string, std::string> table = read_table(path);
  const auto found = table.find(name);
  if (found != table.end()) return found->second;
  std::vector<std::string> known;
  known.reserve(table.size());
  for (const auto& [entry, address] : table) known.push_back(entry);
  fail(ErrorCode::kNotFound, "[{}] tpu = \"{}\" is not in \"{}\"; {}", kTpuTag, name, path,
       name_proposal(name, known));
}

/// Adds the protocol to an address; empty if it is not an address.
std::string as_address(const std::string& text) {
  const std::size_t scheme = text.find("://");
  if (scheme != std::string::npos && !text.starts_with("grpc://"))
    invalid_argument("[{}] tpu = \"{}\": workers use gRPC; {}", kTpuTag, text, kForms);
  std::string spec = scheme == std::string::npos ? "grpc://" + text : text;
  const std::string host_port = host_port_of(spec);
  const std::size_t colon = host_port.rfind(':');
  const bool is_address = colon != std::string::npos && colon > 0 && colon + 1 < host_port.size();
  if (is_address) {
    (void)ClusterSpec(std::map<std::string, std::vector<std::string>>{{"worker", {host_port}}});
    return spec;
  }
  if (scheme != std::string::npos)
    invalid_argument("[{}] tpu = \"{}\" has no port; {}", kTpuTag, text, kForms);
  return "";
}

}  // namespace

TPUClusterResolver::TPUClusterResolver(TPUClusterOptions options) : job_name_(options.job_name) {
  if (job_name_.empty()) invalid_argument("[{}] job_name must not be empty", kTpuTag);
  std::string tpu = options.tpu;
  if (tpu.empty()) {
    if (const std::optional<std::string> colab = environment::colab_tpu_address()) {
      tpu = *colab;
      environment_ = "colab";
    } else if (const std::optional<std::string> name = environment::tpu_name()) {
      tpu = *name;
    } else {
      invalid_argument("[{}] tpu = \"\", and neither COLAB_TPU_ADDR nor TPU_NAME is set; {}", kTpuTag,
                       kForms);
    }
  }
  if (tpu == "local") return;
  if (tpu.starts_with("sim:")) {
    client_specs_ = {tpu};
    return;
  }
  if (split_addresses(tpu).size() == 1 && as_address(tpu).empty()) {
    const std::string found = look_up(tpu, options);
    if (as_address(split_addresses(found)[0]).empty())
      invalid_argument("[{}] the table has no address for tpu = \"{}\"; {}", kTpuTag, tpu, kForms);
    tpu = found;
  }
  for (const std::string& address : split_addresses(tpu)) {
    const std::string spec = as_address(address);
    if (spec.empty() || std::find(client_specs_.begin(), client_specs_.end(), spec) != client_specs_.end())
      invalid_argument(
          "[{}] tpu = \"{}\": several addresses must be those of different workers; got \"{}\"; {}", kTpuTag,
          tpu, address, kForms);
    client_specs_.push_back(spec);
  }
}

ClusterSpec TPUClusterResolver::cluster_spec() const {
  if (client_specs_.empty() || !client_specs_[0].starts_with("grpc://")) return {};
  std::vector<std::string> addresses;
  addresses.reserve(client_specs_.size());
  for (const std::string& spec : client_specs_) addresses.push_back(host_port_of(spec));
  return ClusterSpec(std::map<std::string, std::vector<std::string>>{{job_name_, addresses}});
}

std::string TPUClusterResolver::master(const TaskName& task) const {
  const ClusterSpec spec = cluster_spec();
  if (spec.empty()) return "";
  return master_url(spec.task_address(task.task_type.value_or(job_name_), task.task_id.value_or(0)),
                    task.rpc_layer.value_or(rpc_layer()));
}

NumAccelerators TPUClusterResolver::num_accelerators(const TaskName& task) const {
  const auto number = static_cast<std::size_t>(task.task_id.value_or(0));
  if (!client_specs_.empty() && number >= client_specs_.size())
    fail(ErrorCode::kNotFound, "[{}] there is no task {}; there are {}", kTpuTag, number,
         client_specs_.size());
  NumAccelerators all =
      client_specs_.empty() ? count_local_accelerators() : count_accelerators(client_specs_[number]);
  const auto found = all.find("TPU");
  return {{"TPU", found == all.end() ? 0 : found->second}};
}

TaskSpecs TPUClusterResolver::task_specs() const {
  TaskSpecs specs = ClusterResolver::task_specs();
  for (auto& [job, tasks] : specs)
    for (auto& [task, spec] : tasks) spec = client_specs_[static_cast<std::size_t>(task)];
  return specs;
}

}  // namespace cornu::inline v0::distribute
