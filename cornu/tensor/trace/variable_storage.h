#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "cornu/tensor/trace/variable.h"

namespace cornu::inline v0::detail {

/// Memory of a variable that is not a device's: a table in a file.
///
/// A program reads and writes the value in place. All other readers get copies, and runs of other threads see
/// the rows as they are at the moment.
/// Threads: safe.
class VariableStorage {
 public:
  virtual ~VariableStorage() = default;
  /// Its place, for errors: `the file "films.table"`.
  virtual std::string place() const = 0;
  /// True if rows get their initial values when they are first looked up: a lookup must be preceded by
  /// initialize_rows(), in a program by the op of this name.
  virtual bool initializes_rows() const = 0;
  /// Gives the rows that are named their initial values. Errors: ResourceExhausted if there is no space.
  virtual void initialize_rows(const Tensor& ids) const = 0;
  /// The value without a copy. Rows that were never looked up are zeros, and later writes are seen.
  virtual Tensor rows() const = 0;
  /// Memory for another value of the type. Errors: those of scratch_memory, with the variable's `path`.
  virtual std::shared_ptr<std::byte> memory(const std::string& path) const = 0;
  /// A copy of the value. Errors: those of memory().
  virtual std::shared_ptr<const std::byte> copy(const std::string& path) const = 0;
  /// A variable of the same type in the same kind of memory, all of whose elements begin as `initial`: an
  /// optimizer's slot `name`.
  virtual Variable make_slot(const std::string& name, double initial, VariableOptions options) const = 0;
};

/// The variable's storage; null: it has none.
const VariableStorage* storage_of(const Variable& variable);

}  // namespace cornu::inline v0::detail
