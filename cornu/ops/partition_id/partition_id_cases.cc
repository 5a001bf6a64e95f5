#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/partition_id/partition_id.h"

namespace cornu::inline v0::ops::partition_id_folder {

std::vector<ConformanceCase> conformance_cases() {
  return {
      {.name = "partition_id",
       .inputs = {},
       .build = [](ir::Builder& b, ConformanceValues) -> ConformanceResults { return {partition_id(b)}; }}};
}

}  // namespace cornu::inline v0::ops::partition_id_folder
