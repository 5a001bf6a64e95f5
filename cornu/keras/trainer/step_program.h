#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/trainer/array_data.h"
#include "cornu/keras/trainer/batch_order.h"
#include "cornu/keras/trainer/compiled_parts.h"
#include "cornu/keras/trainer/step_faults.h"
#include "cornu/keras/trainer/step_tools.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {

enum class ProgramKind { kTrain, kTest, kPredict };

/// What a program is compiled for. The number of rows and of steps is no part of it.
struct ProgramKey {
  ProgramKind kind = ProgramKind::kTrain;
  std::int64_t batch_size = 0;
  // Types of rows: without the row axis; nothing for an array that is not there.
  std::vector<std::optional<TensorType>> x;
  std::vector<std::optional<TensorType>> y;
  std::vector<std::optional<TensorType>> sample_weight;
  const runtime::Client* client = nullptr;

  static ProgramKey of(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, const runtime::Client* client);
  bool operator==(const ProgramKey&) const = default;
  /// Equal but for the batch size.
  bool same_arrays(const ProgramKey& other) const;
};

/// The buffers that executions of a step program work on.
struct StepBuffers {
  std::vector<runtime::Buffer*> state;
  std::vector<runtime::Buffer*> fixed;
  std::vector<const std::byte*> rows;
};

/// A traced and compiled step with the buffers it runs on.
/// Threads: one thread; const methods from many at once.
class StepRunner {
 public:
  /// `faults` null: the step looks for none.
  StepRunner(ProgramKey key, TracedProgram traced, std::vector<LogSource> logs, std::shared_ptr<const StepFaults> faults,
             std::shared_ptr<runtime::Client> client);

  const ProgramKey& key() const { return key_; }
  const runtime::Executable& executable() const { return *executable_; }
  const TracedProgram& traced() const { return traced_; }
  const std::vector<LogSource>& logs() const { return logs_; }
  /// What the last execution found wrong.
  std::optional<StepFault> fault() const { return faults_ == nullptr ? std::nullopt : faults_->read(); }
  /// Reads the logs from the device; `logs` holds them by name.
  void read_logs(Logs& logs) const;

  /// Looks up the variables' buffers, which moves them to this program's client; before the first run and whenever they may have moved.
  void bind(const ArrayData& data);
  /// The same, unless `data` were the last ones: a callback may have run this program on others.
  void keep_bound(const ArrayData& data) {
    if (bound_ != &data) bind(data);
  }
  StepBuffers buffers(const ArrayData& data) const;

  /// Runs steps [first, first + count) of `order` at once; returns the steps done. Allocates nothing.
  std::int64_t run(const BatchOrder& order, std::int64_t first, std::int64_t count, runtime::Progress& progress,
                   std::span<std::byte* const> outputs = {}) {
    return run_on(buffers_, order, first, count, progress, outputs);
  }
  std::int64_t run_on(const StepBuffers& buffers, const BatchOrder& order, std::int64_t first, std::int64_t count,
                      runtime::Progress& progress, std::span<std::byte* const> outputs = {}) const;

 private:
  ProgramKey key_;
  TracedProgram traced_;
  std::vector<LogSource> logs_;
  std::shared_ptr<const StepFaults> faults_;
  std::shared_ptr<runtime::Client> client_;
  std::unique_ptr<runtime::Executable> executable_;
  StepBuffers buffers_;
  const ArrayData* bound_ = nullptr;  // only compared
};

/// Traces and compiles the step of `key`. Values that a step reports go into the variables of `known_logs` where it has the name.
/// Errors: InvalidArgument that names the layer when shapes do not fit.
std::unique_ptr<StepRunner> make_step_runner(const ProgramKey& key, const ModelParts& parts, const std::vector<LogSource>& known_logs,
                                             std::shared_ptr<runtime::Client> client);

/// Floating-point data are trained on in f32, as Keras's floatx; integers and booleans go to the model as they are.
TensorType model_type(TensorType type);

}  // namespace cornu::inline v0::keras
