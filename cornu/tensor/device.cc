#include "cornu/tensor/device.h"

#include <mutex>

namespace cornu {
namespace {

std::mutex mutex;
std::shared_ptr<runtime::Client>& slot() {
  static std::shared_ptr<runtime::Client> client;
  return client;
}

}  // namespace

std::shared_ptr<runtime::Client> default_client() {
  const std::lock_guard lock(mutex);
  if (slot() == nullptr) slot() = runtime::make_client("cpu");
  return slot();
}

void set_default_client(std::shared_ptr<runtime::Client> client) {
  const std::lock_guard lock(mutex);
  slot() = std::move(client);
}

}  // namespace cornu
