#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/layer.h"
#include "cornu/keras/losses/loss.h"
#include "cornu/keras/metrics/metrics.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/keras/trainer/array_data.h"
#include "cornu/keras/trainer/batch_order.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/trace.h"

namespace cornu::keras {

enum class ProgramKind { kTrain, kTest, kPredict };

/// What a program is compiled for. The number of rows and of steps is no part of it.
struct ProgramKey {
  ProgramKind kind = ProgramKind::kTrain;
  std::int64_t batch_size = 0;
  std::vector<TensorType> arrays;  // types of x, y, sample_weight without the row axis
  const runtime::Client* client = nullptr;

  static ProgramKey of(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, const runtime::Client* client);
  bool operator==(const ProgramKey&) const = default;
};

/// The parts of a compiled model that programs are traced from.
struct ModelParts {
  std::shared_ptr<Layer> network;
  std::shared_ptr<Loss> loss;
  std::shared_ptr<Optimizer> optimizer;
  std::vector<Variable> trainable;  // as of compile()
  std::shared_ptr<metrics::MeanMetric> loss_tracker;
  std::vector<std::shared_ptr<Metric>> metrics;
  Variable fault;  // defined with stop_on_nan: see FaultCode
};

/// The fault word of a training program.
enum FaultCode : std::int32_t { kNoFault = 0, kLossNotFinite = 1, kGradientNotFinite = 2, kUpdateNotFinite = 3 };

/// A traced and compiled step with the buffers it runs on.
/// Threads: one thread.
class StepRunner {
 public:
  StepRunner(ProgramKey key, TracedProgram traced, std::shared_ptr<runtime::Client> client);

  const ProgramKey& key() const { return key_; }
  const runtime::Executable& executable() const { return *executable_; }
  const TracedProgram& traced() const { return traced_; }

  /// Looks up the variables' buffers; before the first run and whenever variables may have moved.
  void bind(const ArrayData& data);
  /// The same, unless `data` were the last ones: a callback may have run this program on others.
  void keep_bound(const ArrayData& data) {
    if (bound_ != &data) bind(data);
  }

  /// Runs steps [first, first + count) of `order` at once; returns the steps done. Allocates nothing.
  std::int64_t run(const BatchOrder& order, std::int64_t first, std::int64_t count, runtime::Progress& progress,
                   std::span<std::byte* const> outputs = {});

 private:
  ProgramKey key_;
  TracedProgram traced_;
  std::shared_ptr<runtime::Client> client_;
  std::unique_ptr<runtime::Executable> executable_;
  std::vector<runtime::Buffer*> state_;
  std::vector<runtime::Buffer*> fixed_;
  std::vector<const std::byte*> rows_;
  const ArrayData* bound_ = nullptr;  // only compared
};

/// Traces and compiles the step of `key`.
/// Errors: InvalidArgument that names the layer when shapes do not fit.
std::unique_ptr<StepRunner> make_step_runner(const ProgramKey& key, const ModelParts& parts, std::shared_ptr<runtime::Client> client);

}  // namespace cornu::keras
