#include "tools/docs/examples/examples.h"

#include <cstdio>

namespace reference_examples {

using namespace cornu;
using namespace cornu::keras;

namespace {

void optimizers_and_schedules() {
  optimizer("SGD", optimizers::SGD({.learning_rate = 0.01, .momentum = 0.9}));
  optimizer("RMSprop", optimizers::RMSprop({.learning_rate = 0.001}));
  optimizer("Adam", optimizers::Adam({.learning_rate = 0.001}));
  optimizer("AdamW", optimizers::AdamW({.learning_rate = 0.001, .weight_decay = 0.004}));
  optimizer("Adadelta", optimizers::Adadelta({.learning_rate = 1.0}));
  optimizer("Adagrad", optimizers::Adagrad({.learning_rate = 0.01}));
  optimizer("Adamax", optimizers::Adamax({.learning_rate = 0.001}));
  optimizer("Nadam", optimizers::Nadam({.learning_rate = 0.001}));
  optimizer("Ftrl", optimizers::Ftrl({.learning_rate = 0.001}));
  optimizer("Lion", optimizers::Lion({.learning_rate = 0.0001}));
  optimizer("Lamb", optimizers::Lamb({.learning_rate = 0.001}));
  optimizer("Adafactor", optimizers::Adafactor({.learning_rate = 0.001}));
  optimizer("Muon", optimizers::Muon({.learning_rate = 0.001}));
  optimizer("ScheduleFreeAdamW", optimizers::ScheduleFreeAdamW({.learning_rate = 0.0025}));
  optimizer("LossScaleOptimizer",
            optimizers::LossScaleOptimizer({.inner_optimizer = optimizers::SGD({.learning_rate = 0.01})}));
  optimizer("MultiOptimizer", optimizers::MultiOptimizer(optimizers::OptimizerMap(
                                  optimizers::SGD({.learning_rate = 0.01}), {{"encoder/.*", "adam"}})));
  namespace schedules = optimizers::schedules;
  optimizer("ExponentialDecay",
            optimizers::SGD({.learning_rate = schedules::ExponentialDecay(
                                 {.initial_learning_rate = 0.1, .decay_steps = 1000, .decay_rate = 0.96})}));
  optimizer("InverseTimeDecay",
            optimizers::SGD({.learning_rate = schedules::InverseTimeDecay(
                                 {.initial_learning_rate = 0.1, .decay_steps = 1000, .decay_rate = 0.5})}));
  optimizer("PolynomialDecay",
            optimizers::SGD(
                {.learning_rate = schedules::PolynomialDecay(
                     {.initial_learning_rate = 0.1, .decay_steps = 1000, .end_learning_rate = 0.001})}));
  optimizer("PiecewiseConstantDecay",
            optimizers::SGD({.learning_rate = schedules::PiecewiseConstantDecay(
                                 {.boundaries = {1000, 2000}, .values = {0.1, 0.01, 0.001}})}));
  optimizer("CosineDecay", optimizers::SGD({.learning_rate = schedules::CosineDecay(
                                                {.initial_learning_rate = 0.1, .decay_steps = 1000})}));
  optimizer("CosineDecayRestarts",
            optimizers::SGD({.learning_rate = schedules::CosineDecayRestarts(
                                 {.initial_learning_rate = 0.1, .first_decay_steps = 1000})}));
}

void the_losses() {
  loss("MeanSquaredError", losses::MeanSquaredError());
  loss("MeanAbsoluteError", losses::MeanAbsoluteError());
  loss("MeanAbsolutePercentageError", losses::MeanAbsolutePercentageError());
  loss("MeanSquaredLogarithmicError", losses::MeanSquaredLogarithmicError());
  loss("BinaryCrossentropy", losses::BinaryCrossentropy({.label_smoothing = 0.1}));
  loss("BinaryFocalCrossentropy", losses::BinaryFocalCrossentropy({.gamma = 2.0}));
  loss("CategoricalCrossentropy", losses::CategoricalCrossentropy({.label_smoothing = 0.1}));
  loss("CategoricalFocalCrossentropy", losses::CategoricalFocalCrossentropy({.gamma = 2.0}));
  loss("CategoricalGeneralizedCrossEntropy", losses::CategoricalGeneralizedCrossEntropy({.q = 0.5}));
  loss("CategoricalHinge", losses::CategoricalHinge());
  loss("CosineSimilarity", losses::CosineSimilarity({.axis = -1}));
  loss("Hinge", losses::Hinge());
  loss("SquaredHinge", losses::SquaredHinge());
  loss("Huber", losses::Huber({.delta = 1.0}));
  loss("KLDivergence", losses::KLDivergence());
  loss("LogCosh", losses::LogCosh());
  loss("Poisson", losses::Poisson());
  loss("Dice", losses::Dice({.axis = -1}));
  loss("Tversky", losses::Tversky({.alpha = 0.3, .beta = 0.7}));
  loss("Circle", losses::Circle({.gamma = 80.0, .margin = 0.4}));
  const Tensor labels = Tensor::of<std::int32_t>({2, 3}, {1, 2, 0, 3, 1, 2});
  show("CTC", losses::CTC({.reduction = "none"})(labels, ops::ones({2, 5, 4})), {2});
  loss("SparseCategoricalCrossentropy", losses::SparseCategoricalCrossentropy({.from_logits = true}));
}

void the_metrics() {
  metric("AUC", metrics::AUC({.curve = "PR"}));
  metric("Accuracy", metrics::Accuracy());
  metric("BinaryAccuracy", metrics::BinaryAccuracy({.threshold = 0.5}));
  metric("CategoricalAccuracy", metrics::CategoricalAccuracy());
  metric("SparseCategoricalAccuracy", metrics::SparseCategoricalAccuracy());
  metric("TopKCategoricalAccuracy", metrics::TopKCategoricalAccuracy({.k = 2}));
  metric("SparseTopKCategoricalAccuracy", metrics::SparseTopKCategoricalAccuracy({.k = 2}));
  metric("Precision", metrics::Precision({.thresholds = {0.5}}));
  metric("Recall", metrics::Recall({.thresholds = {0.5}}));
  metric("PrecisionAtRecall", metrics::PrecisionAtRecall({.recall = 0.8}));
  metric("RecallAtPrecision", metrics::RecallAtPrecision({.precision = 0.8}));
  metric("SensitivityAtSpecificity", metrics::SensitivityAtSpecificity({.specificity = 0.5}));
  metric("SpecificityAtSensitivity", metrics::SpecificityAtSensitivity({.sensitivity = 0.5}));
  metric("TruePositives", metrics::TruePositives());
  metric("TrueNegatives", metrics::TrueNegatives());
  metric("FalsePositives", metrics::FalsePositives());
  metric("FalseNegatives", metrics::FalseNegatives());
  metric("F1Score", metrics::F1Score({.average = "macro"}));
  metric("FBetaScore", metrics::FBetaScore({.average = "macro", .beta = 2.0}));
  metric("IoU", metrics::IoU({.num_classes = 3, .target_class_ids = {1, 2}, .sparse_y_pred = false}));
  metric("MeanIoU", metrics::MeanIoU({.num_classes = 3, .sparse_y_pred = false}));
  metric("BinaryIoU", metrics::BinaryIoU({.target_class_ids = {1}, .threshold = 0.5}));
  metric("OneHotIoU", metrics::OneHotIoU({.num_classes = 3, .target_class_ids = {0, 2}}));
  metric("OneHotMeanIoU", metrics::OneHotMeanIoU({.num_classes = 3}));
  metric("PearsonCorrelation", metrics::PearsonCorrelation());
  metric("ConcordanceCorrelation", metrics::ConcordanceCorrelation());
  metric("MeanMetricWrapper",
         metrics::MeanMetricWrapper(
             {.fn = [](const Tensor& y_true,
                       const Tensor& y_pred) { return ops::max(ops::abs(y_true - y_pred), {.axis = -1}); },
              .name = "largest_error"}));
  values("Mean", metrics::Mean({.name = "length"}));
  values("Sum", metrics::Sum({.name = "seen"}));
  metric("R2Score", metrics::R2Score());
  metric("MeanSquaredError", metrics::MeanSquaredError());
  metric("MeanAbsoluteError", metrics::MeanAbsoluteError());
  metric("RootMeanSquaredError", metrics::RootMeanSquaredError());
  metric("LogCoshError", metrics::LogCoshError());
  metric("MeanAbsolutePercentageError", metrics::MeanAbsolutePercentageError());
  metric("MeanSquaredLogarithmicError", metrics::MeanSquaredLogarithmicError());
  metric("BinaryCrossentropy", metrics::BinaryCrossentropy());
  metric("CategoricalCrossentropy", metrics::CategoricalCrossentropy());
  metric("SparseCategoricalCrossentropy", metrics::SparseCategoricalCrossentropy());
  metric("CategoricalHinge", metrics::CategoricalHinge());
  metric("CosineSimilarity", metrics::CosineSimilarity());
  metric("Hinge", metrics::Hinge());
  metric("SquaredHinge", metrics::SquaredHinge());
  metric("KLDivergence", metrics::KLDivergence());
  metric("Poisson", metrics::Poisson());
}

void the_callbacks() {
  callback("EarlyStopping",
           callbacks::EarlyStopping({.monitor = "loss", .patience = 3, .restore_best_weights = true}));
  callback("ReduceLROnPlateau",
           callbacks::ReduceLROnPlateau({.monitor = "loss", .factor = 0.5, .patience = 2}));
  callback("LearningRateScheduler",
           callbacks::LearningRateScheduler([](std::int64_t epoch) { return epoch < 10 ? 0.1 : 0.01; }));
  callback("TerminateOnNaN", callbacks::TerminateOnNaN());
  callback("BackupAndRestore", callbacks::BackupAndRestore({.backup_dir = "backup"}));
  callback("ModelCheckpoint", callbacks::ModelCheckpoint({.filepath = "best.weights.h5",
                                                          .monitor = "loss",
                                                          .save_best_only = true,
                                                          .save_weights_only = true}));
  callback("TensorBoard", callbacks::TensorBoard({.log_dir = "logs", .write_graph = false}));
  callback("CSVLogger", callbacks::CSVLogger({.filename = "log.csv"}));
  callback("LambdaCallback", callbacks::LambdaCallback({.on_train_begin = [] { std::puts("it begins"); }}));
  callback("SwapEMAWeights", callbacks::SwapEMAWeights());
  callback("History", callbacks::History());
  callback("ProgbarLogger", callbacks::ProgbarLogger());
  callback("Profiler", callbacks::Profiler({.profile_batch = {10, 20}}));
}

void calibrated_configs() {
  const Tensor tokens = ops::arange(8, DType::kI32);
  const auto structure = [] {
    const layers::Embedding embedding({.input_dim = 8, .output_dim = 4});
    const layers::Dense block({.units = 3});
    block->build_once({kUnknown, 4, 4});
    return quantizers::QuantizationLayerStructure{.pre_block_layers = {embedding},
                                                  .sequential_blocks = {block}};
  };
  quantization("GPTQConfig", quantizers::GPTQConfig({.dataset = tokens,
                                                     .num_samples = 2,
                                                     .sequence_length = 4,
                                                     .quantization_layer_structure = structure()}));
  quantization("AWQConfig", quantizers::AWQConfig({.dataset = tokens,
                                                   .num_samples = 2,
                                                   .sequence_length = 4,
                                                   .quantization_layer_structure = structure()}));
}

void weights_parts() {
  initializer("Zeros", initializers::Zeros());
  initializer("Ones", initializers::Ones());
  initializer("Constant", initializers::Constant({.value = 0.5}));
  initializer("RandomNormal", initializers::RandomNormal({.stddev = 0.05, .seed = 1}));
  initializer("RandomUniform", initializers::RandomUniform({.minval = -0.05, .maxval = 0.05}));
  initializer("TruncatedNormal", initializers::TruncatedNormal({.stddev = 0.05}));
  initializer("VarianceScaling", initializers::VarianceScaling({.scale = 2.0, .mode = "fan_out"}));
  initializer("Orthogonal", initializers::Orthogonal({.gain = 1.0}));
  initializer("Identity", initializers::Identity());
  initializer("GlorotNormal", initializers::GlorotNormal({.seed = 1}));
  initializer("GlorotUniform", initializers::GlorotUniform({.seed = 1}));
  initializer("HeNormal", initializers::HeNormal({.seed = 1}));
  initializer("HeUniform", initializers::HeUniform({.seed = 1}));
  initializer("LecunNormal", initializers::LecunNormal({.seed = 1}));
  initializer("LecunUniform", initializers::LecunUniform({.seed = 1}));
  regularizer("L1", regularizers::L1({.l1 = 0.01}));
  regularizer("L2", regularizers::L2({.l2 = 0.01}));
  regularizer("L1L2", regularizers::L1L2({.l1 = 0.01, .l2 = 0.01}));
  regularizer("OrthogonalRegularizer", regularizers::OrthogonalRegularizer({.factor = 0.01}));
  constraint("MaxNorm", constraints::MaxNorm({.max_value = 2.0}));
  constraint("MinMaxNorm", constraints::MinMaxNorm({.min_value = 0.5, .max_value = 2.0}));
  constraint("NonNeg", constraints::NonNeg());
  constraint("UnitNorm", constraints::UnitNorm());
  show("STFT", initializers::STFT({.side = "imag"})({16, 1, 9}, DType::kF32), {16, 1, 9});
  show("AbsMaxQuantizer", quantizers::AbsMaxQuantizer({.axis = 0})(ops::ones({4, 3})).values, {4, 3});
  quantization("Int8QuantizationConfig", quantizers::Int8QuantizationConfig());
  quantization("Int4QuantizationConfig", quantizers::Int4QuantizationConfig({.block_size = -1}));
  quantization("Float8QuantizationConfig", quantizers::Float8QuantizationConfig());
  calibrated_configs();
}

}  // namespace

void training_parts() {
  optimizers_and_schedules();
  the_losses();
  the_metrics();
  the_callbacks();
  weights_parts();
}

}  // namespace reference_examples
