#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

/// Layers that join several inputs, element by element. Inputs of lower rank get axes of extent 1 after the
/// batch; extents broadcast.
///
/// Masks: where every input has one, the output's is true where any is. Maximum and Minimum take masked
/// elements from the other input, Multiply takes them as 1, as in Keras.
/// Errors: InvalidArgument for shapes that do not broadcast or batches that differ.
struct MergeOptions {  // options/layers.toml
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(MergeOptions, activity_regularizer, name, trainable, dtype, input_shape)

/// The sum of the inputs.
///
/// Shapes:  inputs [batch, ...] that broadcast -> their common shape.
class Add : public LayerHandle {
 public:
  explicit Add(MergeOptions options = {});
  explicit Add(NoOptions) : Add() {}
};

/// The first of exactly two inputs minus the second.
///
/// Shapes:  inputs [batch, ...] that broadcast -> their common shape.
class Subtract : public LayerHandle {
 public:
  explicit Subtract(MergeOptions options = {});
  explicit Subtract(NoOptions) : Subtract() {}
};

/// The product of the inputs.
///
/// Shapes:  inputs [batch, ...] that broadcast -> their common shape.
class Multiply : public LayerHandle {
 public:
  explicit Multiply(MergeOptions options = {});
  explicit Multiply(NoOptions) : Multiply() {}
};

/// The mean of the inputs.
///
/// Shapes:  inputs [batch, ...] that broadcast -> their common shape.
class Average : public LayerHandle {
 public:
  explicit Average(MergeOptions options = {});
  explicit Average(NoOptions) : Average() {}
};

/// The largest of the inputs, element by element.
///
/// Shapes:  inputs [batch, ...] that broadcast -> their common shape.
class Maximum : public LayerHandle {
 public:
  explicit Maximum(MergeOptions options = {});
  explicit Maximum(NoOptions) : Maximum() {}
};

/// The smallest of the inputs, element by element.
///
/// Shapes:  inputs [batch, ...] that broadcast -> their common shape.
class Minimum : public LayerHandle {
 public:
  explicit Minimum(MergeOptions options = {});
  explicit Minimum(NoOptions) : Minimum() {}
};

struct ConcatenateOptions {  // options/layers.toml
  /// Axis along which the inputs are joined; negative: from the end.
  std::int64_t axis = -1;
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ConcatenateOptions, axis, activity_regularizer, name, trainable, dtype, input_shape)
/// Concatenates the inputs along one axis. If only some inputs have masks, the others count as all true.
///
/// Shapes:  inputs that are equal except along `axis` -> the sum of their extents along it.
/// Errors:  InvalidArgument if another extent or the ranks differ, or the axis is out of range.
class Concatenate : public LayerHandle {
 public:
  explicit Concatenate(ConcatenateOptions options = {});
  explicit Concatenate(NoOptions) : Concatenate() {}
};

/// One axis for both inputs of a Dot, or one for each.
struct DotAxes {
  DotAxes(int axis) : first(axis), second(axis) {}
  DotAxes(std::int64_t first_axis, std::int64_t second_axis) : first(first_axis), second(second_axis) {}
  std::int64_t first;
  std::int64_t second;
};

struct DotOptions {  // options/layers.toml
  /// Axis of both inputs, or one of each; negative: from the end. 0, the batch, is not allowed.
  DotAxes axes = -1;
  /// True: scales the vectors along the axes to length 1 first, so results are cosine similarities.
  bool normalize = false;
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(DotOptions, axes, normalize, activity_regularizer, name, trainable, dtype, input_shape)
/// The dot products of two inputs along one axis of each, for each row.
///
/// Shapes:  [batch, ...] and [batch, ...] -> [batch, rest of the first..., rest of the second...], at least
///          [batch, 1].
/// Errors:  InvalidArgument unless there are two inputs, and the axes exist and have the same extent.
class Dot : public LayerHandle {
 public:
  explicit Dot(DotOptions options);
};

KerasTensor add(const KerasTensors& inputs, MergeOptions options = {});
Tensor add(const Tensors& inputs, MergeOptions options = {});
KerasTensor subtract(const KerasTensors& inputs, MergeOptions options = {});
Tensor subtract(const Tensors& inputs, MergeOptions options = {});
KerasTensor multiply(const KerasTensors& inputs, MergeOptions options = {});
Tensor multiply(const Tensors& inputs, MergeOptions options = {});
KerasTensor average(const KerasTensors& inputs, MergeOptions options = {});
Tensor average(const Tensors& inputs, MergeOptions options = {});
KerasTensor maximum(const KerasTensors& inputs, MergeOptions options = {});
Tensor maximum(const Tensors& inputs, MergeOptions options = {});
KerasTensor minimum(const KerasTensors& inputs, MergeOptions options = {});
Tensor minimum(const Tensors& inputs, MergeOptions options = {});
KerasTensor concatenate(const KerasTensors& inputs, ConcatenateOptions options = {});
Tensor concatenate(const Tensors& inputs, ConcatenateOptions options = {});
KerasTensor dot(const KerasTensors& inputs, DotOptions options);
Tensor dot(const Tensors& inputs, DotOptions options);

}  // namespace cornu::inline v0::keras::layers
