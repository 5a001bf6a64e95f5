#include "cornu/distribute/strategy/per_replica.h"

#include <fmt/format.h>

#include "cornu/ir/type.h"

namespace cornu::inline v0::distribute {

std::string tensorflow_str(const Tensor& tensor) {
  return fmt::format("tf.Tensor({}{}, shape={}, dtype={})", tensor.rank() > 1 ? "\n" : "", tensor.str(),
                     ir::shape_str(tensor.shape()), ir::numpy_name(tensor.dtype()));
}

}  // namespace cornu::inline v0::distribute
