#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// One tensor, or several by position or by name: the inputs and outputs of models.
///
///     fit(x, y)      fit({x1, x2}, y)      fit({{"title", title}, {"body", body}}, y)
///
/// Empty when default-constructed. Copies share the tensors' memory.
class Tensors {
 public:
  using Named = std::pair<std::string, Tensor>;

  Tensors() = default;
  Tensors(const Tensor& tensor);
  template <typename T>
    requires std::is_arithmetic_v<T>
  Tensors(const std::vector<T>& values) : Tensors(Tensor(values)) {}
  Tensors(std::vector<Tensor> tensors) : tensors_(std::move(tensors)) {}
  Tensors(std::initializer_list<Tensor> tensors) : tensors_(tensors) {}
  Tensors(std::initializer_list<Named> tensors);
  /// Errors: InvalidArgument if a name occurs twice.
  explicit Tensors(const std::vector<Named>& tensors);

  bool empty() const { return tensors_.empty(); }
  std::size_t size() const { return tensors_.size(); }
  const Tensor& operator[](std::size_t i) const { return tensors_[i]; }
  /// The tensor of this name: `load_npz("data.npz")["x"]`. Errors: InvalidArgument, listing the names.
  const Tensor& operator[](StringViewArgument name) const { return at(name); }
  const Tensor& at(StringViewArgument name) const;
  bool contains(StringViewArgument name) const;
  auto begin() const { return tensors_.begin(); }
  auto end() const { return tensors_.end(); }
  operator std::span<const Tensor>() const { return {tensors_.data(), tensors_.size()}; }

  bool is_named() const { return !names_.empty(); }
  /// In the order of the tensors; empty for tensors by position.
  const std::vector<std::string>& names() const { return names_; }
  /// The only tensor. Errors: InvalidArgument, naming `what`, if there is not exactly one.
  const Tensor& single(StringViewArgument what) const;
  /// Sorts the tensors as in `wanted`, of which the last `num_optional` may be missing; a missing one that
  /// precedes a given one is replaced by the last required tensor. Tensors by position are returned
  /// unchanged.
  /// Errors: InvalidArgument, naming `what`, if a name is missing or unknown or the number differs.
  Tensors ordered(std::span<const std::string> wanted, StringViewArgument what,
                  std::size_t num_optional = 0) const;

 private:
  std::vector<Tensor> tensors_;
  std::vector<std::string> names_;
};

}  // namespace cornu::inline v0::keras
