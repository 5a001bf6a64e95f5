#include "cornu/runtime/client.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::runtime {

namespace {

/// A hint for names of accelerators, and for texts that look like a worker's address: "10.0.0.2:8470",
/// "localhost:8470/TPU:0", "http://worker:8470".
std::string hint_for(const std::string& spec) {
  for (const std::string_view name : {"gpu", "GPU", "cuda", "CUDA"})
    if (spec == name) return "; for a GPU write \"pjrt:cuda\"";
  if (spec == "tpu" || spec == "TPU") return "; for a TPU write \"pjrt:tpu\"";
  const std::size_t scheme = spec.find("://");
  const std::string place = scheme == std::string::npos ? spec : spec.substr(scheme + 3);
  const std::string host = place.substr(0, place.find(':'));
  const bool is_address = place.size() > host.size() && (scheme != std::string::npos || host == "localhost" ||
                                                         host.find('.') != std::string::npos);
  return is_address ? fmt::format("; for a worker write \"grpc://{}\"", place) : "";
}

}  // namespace

std::shared_ptr<Client> make_client(const StringArgument& spec, const ClientOptions& options) {
  const std::size_t colon = spec.find(':');
  const std::string name = spec.substr(0, colon),
                    argument = colon == std::string::npos ? "" : spec.substr(colon + 1);
  std::vector<std::string> forms;
  for (const BackendEntry& entry : backend_entries()) {
    const std::string_view wanted = entry.argument;
    const std::string form = wanted.empty() ? entry.name : fmt::format("{}:{}", entry.name, wanted);
    forms.push_back(form);
    if (entry.name != name) continue;
    if (wanted.empty() && colon != std::string::npos)
      invalid_argument("[make_client] backend \"{}\" takes no argument; got \"{}\"", name, spec);
    if (!wanted.empty() && argument.empty())
      invalid_argument("[make_client] backend \"{}\" needs an argument: \"{}\"; got \"{}\"", name, form,
                       spec);
    std::shared_ptr<Client> client = entry.make(argument, options);
    if (options.node != nullptr && client->node().count != options.node->count)
      fail(ErrorCode::kUnimplemented,
           "[make_client] clients of backend \"{}\" are a process's own; got one of {} processes", name,
           options.node->count);
    return client;
  }
  fail(ErrorCode::kNotFound, "[make_client] no backend is called \"{}\"; there are: {}{}", name,
       fmt::join(forms, ", "), hint_for(spec));
}

}  // namespace cornu::inline v0::runtime
