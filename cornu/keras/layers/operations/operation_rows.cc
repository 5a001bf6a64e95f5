#include "cornu/keras/layers/operations/operation_call_support.h"

namespace cornu::inline v0::keras::layers {

std::vector<OperationRow> operation_rows() {
  std::vector<OperationRow> all;
  for (auto* const part : {&elementwise_operations, &reducing_operations, &shaping_operations,
                           &indexing_operations, &network_operations}) {
    const std::vector<OperationRow> rows = (*part)();
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace cornu::inline v0::keras::layers
