#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "cornu/ir/type.h"

namespace cornu::inline v0::keras {

/// Values of a tensor by the row-major index of the element.
struct ElementValues {
  /// Names the values, apart from their seed: "uniform 0.05".
  std::string description;
  /// Empty: all values are 0.
  std::function<double(std::uint64_t index)> at = {};
};

/// Interface of initializers each of whose values follows from its index alone, so that a part of a tensor
/// can be made without the rest.
class ElementInitializer {
 public:
  virtual ~ElementInitializer() = default;
  /// The seed that the initializer was given; unset: it takes the process's next default seed.
  virtual std::optional<std::uint64_t> seed() const { return {}; }
  virtual bool is_random() const { return true; }
  /// Errors: InvalidArgument for a shape or dtype that it cannot make.
  virtual ElementValues element_values(const ir::Dims& shape, ir::DType dtype, std::uint64_t seed) const = 0;
};

/// Writes the elements from number `first` on, converted to the dtype; `to` holds a whole number of them.
void write_elements(ir::DType dtype, std::uint64_t first, const std::function<double(std::uint64_t)>& at,
                    std::span<std::byte> to);

}  // namespace cornu::inline v0::keras
