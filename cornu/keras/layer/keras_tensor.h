#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

struct Node;

/// A tensor of a functional model, before there are data: its shape (batch kUnknown), its dtype, and the
/// layer call that returns it.
///
///     keras::Input x({.shape = {4}});
///     KerasTensor y = layers::Dense({.units = 3})(x);
///     keras::Model model({.inputs = x, .outputs = y});
///
/// Copies are the same tensor.
/// Owns:    the calls that it comes from, and so their layers; shared.
/// Threads: safe (immutable).
class KerasTensor {
 public:
  /// Undefined: not a tensor of any model. Only defined(), str() and index() may then be called; others throw
  /// FailedPrecondition.
  KerasTensor() = default;
  /// Output `index` of a call. Errors: OutOfRange if the call has fewer outputs.
  KerasTensor(std::shared_ptr<const Node> node, std::size_t index);

  bool defined() const { return node_ != nullptr; }
  const TensorType& type() const;
  const Dims& shape() const { return type().dims; }
  DType dtype() const { return type().dtype; }
  std::int64_t rank() const { return type().rank(); }
  const std::string& name() const;

  const Node& node() const;
  const std::shared_ptr<const Node>& shared_node() const { return node_; }
  std::size_t index() const { return index_; }
  /// True for a tensor made by keras::Input.
  bool is_input() const;

  bool operator==(const KerasTensor& other) const { return node_ == other.node_ && index_ == other.index_; }

  /// "<KerasTensor shape=(None, 3), dtype=float32, name=keras_tensor>"
  std::string str() const;

 private:
  std::shared_ptr<const Node> node_;
  std::size_t index_ = 0;
};

/// One tensor or several, for options: `{.inputs = a}`, `{.inputs = {a, b}}`.
class KerasTensors : public std::vector<KerasTensor> {
 public:
  KerasTensors() = default;
  KerasTensors(const KerasTensor& tensor) : std::vector<KerasTensor>{tensor} {}
  KerasTensors(std::initializer_list<KerasTensor> tensors) : std::vector<KerasTensor>(tensors) {}
  KerasTensors(std::vector<KerasTensor> tensors) : std::vector<KerasTensor>(std::move(tensors)) {}
};

/// Arithmetic adds an operation to the graph, named as in Keras ("add", "add_1", "multiply", ...); numbers
/// and tensors become constants.
KerasTensor operator+(const KerasTensor& x, const KerasTensor& y);
KerasTensor operator+(const KerasTensor& x, const Tensor& y);
KerasTensor operator+(const Tensor& x, const KerasTensor& y);
KerasTensor operator-(const KerasTensor& x, const KerasTensor& y);
KerasTensor operator-(const KerasTensor& x, const Tensor& y);
KerasTensor operator-(const Tensor& x, const KerasTensor& y);
KerasTensor operator*(const KerasTensor& x, const KerasTensor& y);
KerasTensor operator*(const KerasTensor& x, const Tensor& y);
KerasTensor operator*(const Tensor& x, const KerasTensor& y);
KerasTensor operator/(const KerasTensor& x, const KerasTensor& y);
KerasTensor operator/(const KerasTensor& x, const Tensor& y);
KerasTensor operator/(const Tensor& x, const KerasTensor& y);
KerasTensor operator-(const KerasTensor& x);

}  // namespace cornu::inline v0::keras
