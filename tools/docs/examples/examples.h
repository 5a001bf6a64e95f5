#pragma once

#include "cornu/keras/keras.h"

/// Each call has the name of a class and an expression with it. The reference shows the expression on the class's
/// page (tools/docs/examples.py), and the program evaluates it.
namespace reference_examples {

/// Fails unless the result has this shape.
void show(const char* name, const cornu::Tensor& result, const cornu::Dims& shape);
void show(const char* name, const cornu::keras::KerasTensor& result, const cornu::Dims& shape);

// Each trains a model for one step, with the part in its place.
void optimizer(const char* name, const cornu::keras::OptimizerSpec& optimizer);
void loss(const char* name, const cornu::keras::LossSpec& loss);
void metric(const char* name, const cornu::keras::MetricSpec& metric);
void callback(const char* name, const cornu::keras::callbacks::CallbackEntry& callback);
void initializer(const char* name, const cornu::keras::InitializerSpec& initializer);
void regularizer(const char* name, const cornu::keras::RegularizerSpec& regularizer);
void constraint(const char* name, const cornu::keras::ConstraintSpec& constraint);
/// Quantizes a model and predicts.
void quantization(const char* name, const cornu::keras::QuantizationConfigSpec& quantization);
/// Updates a metric of values.
template <typename Metric>
void values(const char* name, const Metric& metric) {
  metric.update_state(cornu::ops::ones({3}));
  show(name, metric.result(), {});
}

void core_layers();
void convolutions();
void recurrent_layers();
void attention();
void normalization_and_regularization();
void shapes_and_merging();
void preprocessing_layers();
void training_parts();

}  // namespace reference_examples
