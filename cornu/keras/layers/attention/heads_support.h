#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cornu/keras/layers/attention/attention_support.h"
#include "cornu/keras/layers/attention/projection_support.h"

namespace cornu::inline v0::keras::layers {

/// The common base of MultiHeadAttention and GroupedQueryAttention: projections, masks, scores.
class HeadsLayer : public Layer, public AttendingLayer {
 public:
  struct Settings {
    const char* tag;           // "multi_head_attention"
    std::int64_t num_heads;    // of the query
    std::int64_t repeats = 1;  // query heads for each head of key and value
    std::int64_t key_dim, value_dim;
    double dropout;
    std::optional<std::uint64_t> seed;
    std::optional<std::int64_t> sliding_window;
    std::optional<Dims> output_shape;
    ops::Axes attention_axes;
    bool use_gate;
    bool has_public_projections;  // in Python; determines their names in files
  };

  HeadsLayer(LayerSettings settings, Settings of_heads, const ProjectionOptions& options);

  bool takes_list() const override { return false; }
  std::vector<std::string> input_names() const override {
    return {"query", "value", "key", "attention_mask"};
  }
  std::size_t num_optional_inputs() const override { return 2; }
  std::vector<TensorType> compute_call_types(std::span<const TensorType> inputs,
                                             const CallArguments& arguments) const override;
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    return compute_call_types(inputs, {});
  }
  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                   std::span<const Tensor> outputs) const override;

 protected:
  void build_for(std::span<const Dims> shapes) override;
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override;
  /// The axes as given; once the layer is built, as axes of the query.
  const Dims& attention_axes() const { return attention_axes_; }

 private:
  using ProjectionPointer = std::shared_ptr<Projection>;

  ProjectionPointer add_projection(const char* name, const char* attribute, std::size_t num_contracted,
                                   const ProjectionOptions& options, bool is_gate = false);
  void require_inputs(std::span<const Dims> shapes) const;
  /// The attended axes of a query of this rank.
  Dims attention_axes_for(std::int64_t rank) const;
  std::optional<Tensor> mask_for(std::span<const Tensor> inputs, bool is_causal) const;

  Settings settings_;
  ProjectionPointer query_, key_, gate_, value_, output_;
  std::optional<SeedGenerator> seed_generator_;
  Dims attention_axes_;
};

}  // namespace cornu::inline v0::keras::layers
