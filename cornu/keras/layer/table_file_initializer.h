#pragma once

#include <memory>
#include <string>

#include "cornu/keras/layer/variable_initializer.h"

namespace cornu::inline v0::keras {

class ElementInitializer;

/// Makes a weight that is kept in a file, where its rows get their initial values when they are first looked
/// up.
class TableFileInitializer final : public VariableInitializer {
 public:
  /// `values`: an initializer of elements (accepts()).
  TableFileInitializer(std::string path, std::shared_ptr<const Initializer> values);

  /// True if rows can be made one by one: each value follows from its index.
  static bool accepts(const Initializer& values);

  std::string class_name() const override { return values_->class_name(); }
  /// All values, in memory.
  ir::Literal operator()(const Dims& shape, DType dtype) const override { return (*values_)(shape, dtype); }
  /// The weight in its file. Errors: those of detail::table_variable.
  Variable variable(const TensorType& type, VariableOptions options) const override;

 private:
  std::string path_;
  std::shared_ptr<const Initializer> values_;
  const ElementInitializer* elements_;  // of values_
};

}  // namespace cornu::inline v0::keras
