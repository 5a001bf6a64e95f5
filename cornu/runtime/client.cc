#include "cornu/runtime/client.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::runtime {

std::shared_ptr<Client> make_client(const std::string& platform, const ClientOptions& options) {
  std::vector<std::string> names;
  for (const BackendEntry& entry : backend_entries()) {
    if (entry.platform == platform) return entry.make(options);
    names.emplace_back(entry.platform);
  }
  fail(ErrorCode::kNotFound, "no backend is called \"{}\"; there are: {}", platform, fmt::join(names, ", "));
}

}  // namespace cornu::inline v0::runtime
