#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cornu/tensor/value/tensor.h"

/// Argument types shared by all groups of operations.
namespace cornu::inline v0::ops {

/// The dtype of an operation on both. Equal dtypes stay; a weak number takes the other's (a weak float with
/// integers gives f32); float beats integer beats bool; the wider wins, and f16 with bf16 gives f32.
DType promote(const Tensor& x, const Tensor& y);

/// Axes of a reduction. Negative ones count from the end; by default all axes.
class Axes {
 public:
  Axes() = default;
  Axes(int axis) : axes_{axis}, all_(false) {}
  Axes(std::int64_t axis) : axes_{axis}, all_(false) {}
  Axes(std::initializer_list<std::int64_t> axes) : axes_(axes), all_(false) {}
  Axes(std::vector<std::int64_t> axes) : axes_(std::move(axes)), all_(false) {}
  /// The axes as numbers in [0, rank), sorted. Errors: InvalidArgument with `op` if one is out of range or
  /// occurs twice.
  Dims normalized(std::int64_t rank, const char* op = "reduce") const;
  /// True if no axis was given: all are reduced.
  bool all() const { return all_; }
  /// The axes as given by the caller.
  const std::vector<std::int64_t>& given() const { return axes_; }

 private:
  std::vector<std::int64_t> axes_;
  bool all_ = true;
};

/// The options of operations along one axis.
struct LastAxisOptions {  // options/ops.toml
  /// Axis of the operation; negative: from the end.
  std::int64_t axis = -1;
};

/// One integer or a list, for arguments where Keras distinguishes `3` from `[3]`.
class IntOrInts {
 public:
  IntOrInts(int value) : values_{value}, is_list_(false) {}
  IntOrInts(std::int64_t value) : values_{value}, is_list_(false) {}
  IntOrInts(std::initializer_list<std::int64_t> values) : values_(values) {}
  IntOrInts(Dims values) : values_(std::move(values)) {}
  bool is_list() const { return is_list_; }
  const Dims& values() const { return values_; }

 private:
  Dims values_;
  bool is_list_ = true;
};

/// One integer, a list of them, or nothing.
using OptionalIntOrInts = OptionalInts<IntOrInts>;

}  // namespace cornu::inline v0::ops
