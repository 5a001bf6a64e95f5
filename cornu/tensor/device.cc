#include "cornu/tensor/device.h"

#include <mutex>

#include "cornu/base/environment.h"

namespace cornu {
namespace {

std::mutex mutex;
std::shared_ptr<runtime::Client>& slot() {
  static std::shared_ptr<runtime::Client> client;
  return client;
}

}  // namespace

runtime::ClientOptions default_client_options() { return {.num_threads = environment::num_threads().value_or(0)}; }

std::shared_ptr<runtime::Client> default_client() {
  const std::lock_guard lock(mutex);
  if (slot() == nullptr) slot() = runtime::make_client("cpu", default_client_options());
  return slot();
}

void set_default_client(std::shared_ptr<runtime::Client> client) {
  const std::lock_guard lock(mutex);
  slot() = std::move(client);
}

}  // namespace cornu
