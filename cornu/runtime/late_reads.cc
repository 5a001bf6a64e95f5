#include "cornu/runtime/late_reads.h"

namespace cornu::inline v0::runtime {

LateReads::~LateReads() = default;

LateReads* late_reads(Client& client) { return dynamic_cast<LateReads*>(&client); }

}  // namespace cornu::inline v0::runtime
