#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/layers/core/quantization_support.h"
#include "cornu/keras/quantizers/calibration_support.h"

/// Code shared by the layers whose kernel GPTQ and AWQ quantize; not part of the interface.
namespace cornu::inline v0::keras::layers {

/// A layer whose kernel is quantized by the inputs of calibration calls.
class CalibratedLayer {
 public:
  /// Passes the input of each call to `observer`; empty: to none.
  void observe_inputs(std::function<void(const Tensor&)> observer) { observer_ = std::move(observer); }
  /// Throws unless the kernel can be quantized by `config`.
  virtual void check_may_calibrate(const QuantizationConfig& config) const = 0;
  /// The kernel as a matrix, on the host. Requires: check_may_calibrate() passed.
  virtual Tensor kernel_matrix() const = 0;
  /// Replaces the kernel by quantized values.
  virtual void set_calibrated(const std::shared_ptr<QuantizationConfig>& config,
                              const quantizers::CalibratedValues& values) = 0;

 protected:
  ~CalibratedLayer() = default;
  void observe(const Tensor& input) const {
    if (observer_) observer_(input);
  }

 private:
  std::function<void(const Tensor&)> observer_;
};

/// The weights of a kernel that GPTQ or AWQ quantized; see quantizers::CalibratedValues.
struct CalibratedWeights {
  Variable kernel, scale, zero_point, row_scale, group_of;

  /// The order in files, after the bias.
  std::vector<Variable> in_file_order(const Variable& bias) const;
};

/// Their values in a call.
struct CalibratedTensors {
  Tensor kernel, scale, zero_point, row_scale, group_of;
  std::int64_t packed_columns = 0;  // of four bits; 0: one integer in a byte

  CalibratedTensors(const CalibratedWeights& weights, std::int64_t packed_columns);
  /// The kernel as floats, [columns, rows].
  Tensor floats(DType dtype) const;
  /// x . kernel, with a gradient for x.
  Tensor product(const Tensor& x, std::int64_t columns) const;
};

/// Rows and columns of a kernel as a matrix. Of three axes Keras takes the first as the rows if it is the
/// longest, else the first two.
/// Errors: InvalidArgument unless there are two or three axes.
std::pair<std::int64_t, std::int64_t> calibrated_extents(const Dims& kernel);

/// A layer that GPTQ and AWQ quantize.
template <typename Base>
class WithCalibration : public WithQuantization<Base>, public CalibratedLayer {
 public:
  using WithQuantization<Base>::WithQuantization;

  void check_may_calibrate(const QuantizationConfig& config) const final {
    this->check_may_change(config);
    if (this->lora() != nullptr) this->option_error("GPTQ and AWQ need a kernel without LoRA");
    (void)calibrated_extents(float_kernel().shape());
  }
  Tensor kernel_matrix() const final {
    const auto [rows, columns] = calibrated_extents(float_kernel().shape());
    return ops::cast(ops::reshape(weight_on_host(float_kernel()), {rows, columns}), DType::kF32);
  }
  void set_calibrated(const std::shared_ptr<QuantizationConfig>& config,
                      const quantizers::CalibratedValues& values) final {
    Variable& kernel = const_cast<Variable&>(float_kernel());
    const Dims shape = kernel.shape();
    this->remove_weight(kernel);
    kernel = Variable();
    this->become_quantized(config);
    add_calibrated_kernel(shape, values);
    this->set_lora_weight(Variable(), {});
  }

 protected:
  virtual const Variable& float_kernel() const = 0;
  /// Keras's name of the zero points.
  virtual const char* zero_point_name() const { return "zero_point"; }

  bool is_calibrated() const {
    const QuantizationMode mode = this->quantization_mode();
    return mode == QuantizationMode::kGptq || mode == QuantizationMode::kAwq;
  }
  std::vector<Variable> calibrated_in_file_order(const Variable& bias) const {
    return calibrated_.in_file_order(bias);
  }
  CalibratedTensors calibrated_kernel() const { return {calibrated_, packed_columns_}; }

  /// Makes the weights; `values` undefined: zeros and ones.
  void add_calibrated_kernel(const Dims& kernel, const quantizers::CalibratedValues& values) {
    const auto [rows, columns] = calibrated_extents(kernel);
    const DTypePolicy policy = this->dtype_policy();
    const std::int64_t group = policy.block_size().value_or(-1);
    const std::int64_t groups = group == -1 ? 1 : (rows + group - 1) / group;
    packed_columns_ = policy.weight_bits() == 4 ? columns : 0;
    const std::int64_t lines = packed_columns_ == 0 ? columns : (columns + 1) / 2;
    calibrated_.kernel = this->add_fixed("kernel", {lines, rows}, DType::kU8, values.kernel, "zeros");
    calibrated_.scale =
        this->add_fixed("kernel_scale", {columns, groups}, std::nullopt, values.scale, "ones");
    calibrated_.zero_point =
        this->add_fixed(zero_point_name(), {columns, groups}, DType::kU8, values.zero_point, "zeros");
    if (this->quantization_mode() == QuantizationMode::kAwq)
      calibrated_.row_scale = this->add_fixed("awq_scales", {rows}, std::nullopt, values.row_scale, "ones");
    calibrated_.group_of = this->add_fixed("g_idx", {rows}, DType::kF32, values.group_of, "zeros");
  }

 private:
  CalibratedWeights calibrated_;
  std::int64_t packed_columns_ = 0;
};

}  // namespace cornu::inline v0::keras::layers
