#include "cornu/keras/models/source_inputs.h"

#include <algorithm>

#include "cornu/keras/layer/node.h"

namespace cornu::inline v0::keras::utils {

std::vector<KerasTensor> get_source_inputs(const KerasTensor& tensor) {
  std::vector<KerasTensor> sources, seen, open = {tensor};
  while (!open.empty()) {
    const KerasTensor next = open.back();
    open.pop_back();
    if (std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
    seen.push_back(next);
    if (next.is_input()) sources.push_back(next);
    const std::vector<KerasTensor>& inputs = next.node().inputs;
    open.insert(open.end(), inputs.rbegin(), inputs.rend());
  }
  return sources;
}

}  // namespace cornu::inline v0::keras::utils
