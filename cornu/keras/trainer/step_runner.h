#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/callbacks/logs.h"
#include "cornu/keras/trainer/array_data.h"
#include "cornu/keras/trainer/batch_order.h"
#include "cornu/keras/trainer/step_faults.h"
#include "cornu/keras/trainer/step_tools.h"
#include "cornu/runtime/client.h"

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

class ProgramStep;

/// A training, test or prediction step that can be run over data: compiled, or op by op.
/// Threads: one thread.
class StepRunner {
 public:
  explicit StepRunner(ProgramKey key) : key_(std::move(key)) {}
  virtual ~StepRunner() = default;
  StepRunner(const StepRunner&) = delete;
  StepRunner& operator=(const StepRunner&) = delete;

  const ProgramKey& key() const { return key_; }
  /// Null for a step that runs op by op.
  virtual const ProgramStep* compiled() const { return nullptr; }
  /// What it was compiled to.
  virtual std::string explain() const { return "run op by op"; }
  virtual const std::vector<LogSource>& logs() const = 0;
  /// Reads the logs from the device; `result` holds them by name.
  void read_logs(Logs& result) const;

  /// The data that it runs on; before the first run and whenever variables may have moved.
  void bind(const ArrayData& data) {
    do_bind(data);
    bound_ = &data;
  }
  /// The same, unless `data` were the last ones: a callback may have run this step on others.
  void keep_bound(const ArrayData& data) {
    if (bound_ != &data) bind(data);
  }
  /// Begins in the background what steps [first, first + count) of `order` need and have not got.
  virtual void expect(const BatchOrder& order, std::int64_t first, std::int64_t count) { (void)order, (void)first, (void)count; }
  /// Whether they could run without waiting for a compilation.
  virtual bool is_ready(const BatchOrder& order, std::int64_t first, std::int64_t count) {
    (void)order, (void)first, (void)count;
    return true;
  }
  /// Waits until they could.
  virtual void make_ready(const BatchOrder& order, std::int64_t first, std::int64_t count) { (void)order, (void)first, (void)count; }
  /// Runs steps [first, first + count) of `order`; returns the steps done.
  virtual std::int64_t run(BatchOrder& order, std::int64_t first, std::int64_t count, runtime::Progress& progress) = 0;
  /// What the last run found wrong.
  virtual std::optional<StepFault> fault() const = 0;

 protected:
  virtual void do_bind(const ArrayData& data) = 0;

 private:
  ProgramKey key_;
  const ArrayData* bound_ = nullptr;  // only compared
};

}  // namespace cornu::inline v0::keras
