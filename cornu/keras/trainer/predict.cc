#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"
#include "cornu/keras/trainer/adapted_source.h"
#include "cornu/keras/trainer/array_source.h"
#include "cornu/keras/trainer/dataset_source.h"
#include "cornu/keras/trainer/interrupt.h"
#include "cornu/keras/trainer/predict_run.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/run_limits.h"
#include "cornu/keras/trainer/trainer.h"

namespace cornu::inline v0::keras {
namespace {

/// Runs `attempt`, and again if the first prediction finds out that it needs batches without padding.
template <typename F>
std::vector<Tensor> tried_twice(F&& attempt) {
  for (;;)
    if (std::optional<std::vector<Tensor>> result = attempt()) return *std::move(result);
}

/// Names the outputs. If several outputs have the same name, as those of one layer do, they are returned by
/// position, as in Keras.
Tensors with_output_names(const Network& network, std::vector<Tensor> outputs) {
  const std::vector<std::string> names = network.output_names();
  const bool are_distinct = std::set<std::string>(names.begin(), names.end()).size() == names.size();
  if (names.size() != outputs.size() || !are_distinct) return Tensors(std::move(outputs));
  std::vector<Tensors::Named> named;
  named.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) named.emplace_back(names[i], std::move(outputs[i]));
  return Tensors(named);
}

void check_options(const PredictOptions& options) {
  require_at_least_one(options.batch_size, "batch_size", "predict");
  require_at_least_one(options.steps, "steps", "predict");
}

}  // namespace

std::shared_ptr<StepRunner> Trainer::prepare_predict(const Tensors& x, const PredictOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kPredictions, "predict_executable");
  check_options(options);
  if (parts_.data_adapter.options().run_eagerly)
    fail(ErrorCode::kFailedPrecondition,
         "[predict_executable] model \"{}\" was compiled with run_eagerly = true: its steps are not programs",
         network().name());
  const ArrayData data = parts_.data_adapter.arranged(x, {}, {}, "predict");
  const std::int64_t batch_size = resolve_batch_size(options.batch_size, options.steps, data.num_rows());
  const std::lock_guard lock(parts_.predict_mutex);
  const auto prepared = [&] {
    PrepareGuard guard(parts_);
    parts_.data_adapter.build_for_inputs(data, "predict");
    const std::int64_t step_rows = parts_.programs.predict_step_rows(batch_size, data.num_rows());
    std::shared_ptr<StepRunner> made = parts_.programs.get(ProgramKind::kPredict, step_rows, data, "predict");
    guard.keep();
    return made;
  };
  if (auto made = prepared()) return made;
  return prepared();  // without padding, as the first attempt found out
}

Tensors Trainer::predict(Model* model, const Tensors& x, const PredictOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kPredictions, "predict");
  check_options(options);
  const ArrayData data = parts_.data_adapter.arranged(x, {}, {}, "predict");
  return with_memory_errors("predict", data.size_bytes(), 0,
                            [&] { return predict_arrays(model, data, options); });
}

void Trainer::predict_into(Model* model, const Tensors& x, std::span<const OutputMemory> outputs,
                           const PredictOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kPredictions, "predict_into");
  check_options(options);
  if (outputs.empty())
    invalid_argument("[predict_into] a model has at least one output; got memory for none");
  const ArrayData data = parts_.data_adapter.arranged(x, {}, {}, "predict_into");
  with_memory_errors("predict_into", data.size_bytes(), 0,
                     [&] { return predict_arrays(model, data, options, outputs); });
}

Tensors Trainer::predict_arrays(Model* model, const ArrayData& data, const PredictOptions& options,
                                std::span<const OutputMemory> into) {
  const RunState::Scope scope(parts_.run_state, parts_.data_adapter.options().run_eagerly);
  const InterruptScope interrupt(parts_.run_state.interrupt_flags());
  const std::int64_t wanted = resolve_batch_size(options.batch_size, options.steps, data.num_rows());
  return with_output_names(
      network(), tried_twice([&] {
        const std::int64_t batch_size = parts_.programs.predict_step_rows(wanted, data.num_rows());
        const std::int64_t available = divide_up(data.num_rows(), batch_size);
        const std::int64_t num_steps =
            steps_of_run(limited_steps(options.steps, available, "predict"), available, "predict");
        check_batches_of_states(network(), std::min(data.num_rows(), num_steps * batch_size), batch_size,
                                num_steps, "predict");
        ArraySource source(data, batch_size);
        return PredictRun(parts_, data, source, num_steps, into).run(model, options, scope.progress());
      }));
}

Tensors Trainer::predict(Model* model, BatchSource& source, const PredictOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kPredictions, "predict");
  check_options(options);
  refuse_options_of_sources({{"batch_size", options.batch_size.has_value()}}, "predict");
  return with_memory_errors("predict", 0, 0, [&] {
    const RunState::Scope scope(parts_.run_state, parts_.data_adapter.options().run_eagerly);
    const InterruptScope interrupt(parts_.run_state.interrupt_flags());
    const AdaptedSource arranged(source, parts_.data_adapter,
                                 {.has_labels = false, .caller = "predict", .labels_name = ""});
    return with_output_names(network(), tried_twice([&] {
                               return PredictRun(parts_, arranged.examples(), source,
                                                 limited_steps(options.steps, source.num_steps(), "predict"))
                                   .run(model, options, scope.progress());
                             }));
  });
}

Tensors Trainer::predict(Model* model, const data::Dataset& dataset, const PredictOptions& options) {
  check_has_end(dataset, options.steps, "predict", "steps");
  PredictOptions of_source = options;
  const std::unique_ptr<BatchSource> source =
      source_of_run(dataset, network(), of_source.batch_size, "predict");
  return predict(model, *source, of_source);
}

Tensors Trainer::predict_on_batch(const Tensors& x) {
  const auto claimed = claim(ReentrancyGuard::Beside::kPredictions, "predict_on_batch");
  const ArrayData data = parts_.data_adapter.arranged(x, {}, {}, "predict_on_batch");
  return with_memory_errors("predict_on_batch", data.size_bytes(), 0, [&] {
    const RunState::Scope scope(parts_.run_state, parts_.data_adapter.options().run_eagerly);
    return with_output_names(network(), tried_twice([&] {
                               std::int64_t batch_size = 0;
                               {
                                 const std::lock_guard lock(parts_.predict_mutex);
                                 batch_size = parts_.programs.size_for_rows(ProgramKind::kPredict, data);
                               }
                               ArraySource source(data, batch_size);
                               return PredictRun(parts_, data, source, std::nullopt)
                                   .run(nullptr, {.verbose = 0}, scope.progress());
                             }));
  });
}

}  // namespace cornu::inline v0::keras
