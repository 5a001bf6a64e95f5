#include "cornu/keras/layer/table_file_initializer.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/initializers/element_values.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/table_variable_support.h"

namespace cornu::inline v0::keras {

using backends::cpu::FillRow;

TableFileInitializer::TableFileInitializer(std::string path, std::shared_ptr<const Initializer> values)
    : path_(std::move(path)),
      values_(std::move(values)),
      elements_(dynamic_cast<const ElementInitializer*>(values_.get())) {
  CORNU_CHECK(elements_ != nullptr);
}

bool TableFileInitializer::accepts(const Initializer& values) {
  return dynamic_cast<const ElementInitializer*>(&values) != nullptr;
}

Variable TableFileInitializer::variable(const TensorType& type, VariableOptions options) const {
  const std::optional<std::uint64_t> given = elements_->seed();
  // Drawn for a known file, too, so that later layers get the same seeds.
  const std::uint64_t seed = given ? *given : elements_->is_random() ? next_seed() : 0;
  const ElementValues values = elements_->element_values(type.dims, type.dtype, seed);
  const auto rows_of = [elements = elements_, held = values_, type](std::uint64_t of_file) -> FillRow {
    const auto row_size = static_cast<std::uint64_t>(type.num_elements() / type.dims[0]);
    return [at = elements->element_values(type.dims, type.dtype, of_file).at, dtype = type.dtype, row_size](
               std::int64_t row, std::span<std::byte> to) {
      write_elements(dtype, static_cast<std::uint64_t>(row) * row_size, at, to);
    };
  };
  return cornu::detail::table_variable(
      {.path = path_,
       .type = type,
       .initial_values = values.description,
       .seed = seed,
       .requires_seed = given.has_value(),
       .make_fill = values.at ? rows_of : std::function<FillRow(std::uint64_t)>()},
      std::move(options));
}

}  // namespace cornu::inline v0::keras
