// The namespaces that a program of the guide opens, each with those of its first lines
// (docs/guide/README.md), in one program. Compiled, never run: a name that two of them have would be an error
// here. Losses and metrics share names in Keras too, as layers, operations and activations do.
#include "cornu/cornu.h"

namespace first_lines {
using namespace cornu;
using namespace cornu::keras;
Tensor sum(const Tensor& x) { return ops::sum(x); }
}  // namespace first_lines

#define OPENS(name)               \
  namespace opens_##name {        \
    using namespace cornu;        \
    using namespace cornu::keras; \
    using namespace name;

OPENS(callbacks)
class Counts : public Callback {
 public:
  void on_train_batch_begin(const BatchRange& batches) override { count += batches.count; }
  std::int64_t count = 0;
};
LambdaCallback counts() {
  return LambdaCallback(
      {.on_train_batch_begin = [](const BatchRange&) {},
       .on_train_batch_end = [](const BatchRange& batches, LazyLogs&) { (void)batches.last; }});
}
const History* history = nullptr;
const CSVLogger* logger = nullptr;
const Profiler* profiler = nullptr;
}  // namespace opens_callbacks

OPENS(layers)
Model model() {
  return Model({.inputs = Input({.shape = {2}}), .outputs = Dense({.units = 1})(Input({.shape = {2}}))});
}
const InputOptions* options = nullptr;
const DenseOptions* dense_options = nullptr;
const Normalization* normalization = nullptr;
}  // namespace opens_layers

OPENS(losses)
const MeanSquaredError* loss = nullptr;
const LossHandle* handle = nullptr;
}  // namespace opens_losses

OPENS(metrics)
const MeanSquaredError* metric = nullptr;
const MetricHandle* handle = nullptr;
const Mean* mean = nullptr;
}  // namespace opens_metrics

OPENS(optimizers)
const Adam* adam = nullptr;
const OptimizerHandle* handle = nullptr;
using namespace schedules;
const ExponentialDecay* schedule = nullptr;
}  // namespace opens_optimizers

OPENS(initializers)
const GlorotUniform* initializer = nullptr;
const Seed* seed = nullptr;
}  // namespace opens_initializers

OPENS(activations)
const ActivationFunction* activation = nullptr;
Tensor twice(const Tensor& x) {
  return cornu::function([](const Tensor& y) { return y * 2.0; })(x);
}
const Function<Tensor(const Tensor&)>* function_of_cornu = nullptr;
}  // namespace opens_activations

OPENS(regularizers)
const L2* regularizer = nullptr;
}  // namespace opens_regularizers

OPENS(constraints)
const MaxNorm* constraint = nullptr;
}  // namespace opens_constraints

OPENS(datasets)
const TrainAndTest* arrays = nullptr;
const cornu::keras::ArrayData* of_the_trainer = nullptr;
}  // namespace opens_datasets

OPENS(utils)
Tensors arrays() { return load_npz("x.npz"); }
}  // namespace opens_utils

OPENS(data)
const Dataset* dataset = nullptr;
const Element* element = nullptr;
}  // namespace opens_data

OPENS(distribute)
const MirroredStrategy* strategy = nullptr;
const ClusterSpec* cluster = nullptr;
}  // namespace opens_distribute

// All whose names do not belong to two of them.
namespace opens_most {
using namespace cornu;
using namespace cornu::keras;
using namespace callbacks;
using namespace layers;
using namespace losses;
using namespace optimizers;
using namespace initializers;
using namespace regularizers;
using namespace constraints;
using namespace utils;
using namespace data;
Sequential model() {
  Sequential model({Input({.shape = {2}}), Dense({.units = 1, .kernel_initializer = HeNormal()})});
  model.compile({.optimizer = Adam({.learning_rate = 0.1}), .loss = MeanSquaredError()});
  model.fit(
      load_npy("x.npy"), load_npy("y.npy"),
      {.callbacks = {EarlyStopping(), LambdaCallback({.on_train_batch_begin = [](const BatchRange&) {}})}});
  return model;
}
}  // namespace opens_most
