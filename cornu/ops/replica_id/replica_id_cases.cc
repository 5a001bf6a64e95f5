#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/replica_id/replica_id.h"

namespace cornu::inline v0::ops::replica_id_folder {

std::vector<ConformanceCase> conformance_cases() {
  return {{.name = "replica_id",
           .inputs = {},
           .build = [](ir::Builder& b, ConformanceValues) -> ConformanceResults { return {replica_id(b)}; }}};
}

}  // namespace cornu::inline v0::ops::replica_id_folder
