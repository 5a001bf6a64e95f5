#include "cornu/runtime/pass_listener.h"

#include "cornu/runtime/client.h"

namespace cornu::inline v0::runtime {

PassListener::~PassListener() = default;

void begin_pass(Client& client) {
  if (auto* const listener = dynamic_cast<PassListener*>(&client)) listener->begin_pass();
}

}  // namespace cornu::inline v0::runtime
