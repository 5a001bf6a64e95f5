#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"
#include "tests/random_models/layer_rows.h"

namespace cornu::inline v0::tests {

/// A model with data and an optimizer.
struct RandomModel {
  keras::Model model;
  keras::Tensors x, y;
  /// A configuration that Model::compile_from_config reads.
  keras::Config compile_config;
  /// True if training draws random numbers, whose state is not in files.
  bool is_random = false;
  /// True if a layer computes in half precision.
  bool is_low_precision = false;
};

/// Makes the random model of a seed: a Sequential, or a functional model with branches, merges, shared layers
/// and models inside.
class ModelMaker {
 public:
  explicit ModelMaker(std::uint32_t seed) : random_(seed) {}

  RandomModel make();

  /// Layers that were drawn, and those of them that refused their options or their input.
  int num_drawn() const { return num_drawn_; }
  int num_refused() const { return num_refused_; }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  bool one_in(std::size_t n) { return pick(n) == 0; }
  template <typename Row>
  const Row& any_of(std::span<const Row> rows) {
    return rows[pick(rows.size())];
  }

  keras::Input make_input();
  keras::Config draw_value(const keras::Config& values);
  keras::Config draw_layer(const LayerRow& row);
  const LayerRow& row_for(const keras::KerasTensor& x);
  /// A new layer; null if it refuses its options.
  std::shared_ptr<keras::Layer> make_layer(const LayerRow& row);
  /// The outputs of a new layer; none if it refuses its options or the input.
  std::vector<keras::KerasTensor> applied(const keras::KerasTensor& x);

  keras::Model make_sequential();
  keras::Model make_functional();
  /// A tensor that depends on two others, or an undefined one.
  keras::KerasTensor merged(const keras::KerasTensor& a, const keras::KerasTensor& b);
  keras::KerasTensor shared(const keras::KerasTensor& x);
  keras::KerasTensor through_a_model(const keras::KerasTensor& x);
  keras::KerasTensor next_tensor(const keras::KerasTensor& x);
  std::vector<keras::KerasTensor> some_outputs();

  Tensor random_tensor(const Dims& shape, DType dtype);

  std::mt19937 random_;
  std::vector<keras::KerasTensor> tensors_;
  int num_drawn_ = 0;
  int num_refused_ = 0;
};

}  // namespace cornu::inline v0::tests
