#include "cornu/runtime/distant_client.h"

namespace cornu::inline v0::runtime {

DistantClient::~DistantClient() = default;

}  // namespace cornu::inline v0::runtime
