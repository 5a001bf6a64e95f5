#include "cornu/keras/trainer/step_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/trainer/eager_step.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/shape_notes.h"
#include "cornu/keras/trainer/shaped_step.h"
#include "cornu/keras/trainer/unpadded_step.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/trace/variable_state.h"

namespace cornu::inline v0::keras {
namespace {

/// The working memory of the step's executions, as far as it is known.
std::size_t working_bytes(const StepRunner& step) {
  const CompiledStep* const program = step.compiled();
  return program == nullptr ? 0 : program->executable().stats().arena_bytes;
}

}  // namespace

Placement StepCache::placement() const {
  const detail::CurrentDevice& current = detail::current_device();
  if (replicas_ != nullptr) return detail::placement_of(replicas_->device);
  return detail::placement_of(current.is_scoped ? current.index : device_);
}

std::shared_ptr<StepRunner> StepCache::find(const ProgramKey& key) {
  const auto found =
      std::find_if(runners_.begin(), runners_.end(), [&](const auto& known) { return known->key() == key; });
  if (found == runners_.end()) return nullptr;
  std::rotate(found, found + 1, runners_.end());
  return runners_.back();
}

std::unique_ptr<CompiledStep> StepCache::make_program(const ProgramKey& key, CompiledStepOptions options,
                                                      std::string* exact_because) {
  options.stop = &is_cancelled_;
  if (replicas_ != nullptr) {
    options.num_devices = replicas_->num_replicas;
    options.num_processes = replicas_->num_processes;
  }
  options.on_compiled = [this](const runtime::Executable& executable) {
    num_from_cache_ += executable.stats().from_cache ? 1 : 0;
  };
  const double start = key.placement.client()->now();
  std::unique_ptr<CompiledStep> made = make_compiled_step(key, data_adapter_.parts(), options, exact_because);
  compile_seconds_ += key.placement.client()->now() - start;
  if (made != nullptr) ++num_compiles_;
  return made;
}

// The first program finds out whether padding can be masked; the others follow it. Null: a prediction has
// found out that it cannot, and the requested number of rows may have been rounded up.
std::shared_ptr<StepRunner> StepCache::make(const ProgramKey& key, std::int64_t num_rows,
                                            const std::vector<LogSource>& known_logs) {
  const bool predicts = key.kind == ProgramKind::kPredict;
  std::string& because = predicts ? predict_exact_because_ : exact_because_;
  if (because.empty())
    if (auto made = make_program(key, {.known_logs = known_logs}, &because)) return made;
  if (!predicts) return make_exact(key, num_rows, known_logs);
  if (!predicts_exactly_.exchange(true)) return nullptr;
  return make_program(key, {.is_exact = true, .exact_because = because});
}

std::shared_ptr<StepRunner> StepCache::make_exact(const ProgramKey& key, std::int64_t num_rows,
                                                  const std::vector<LogSource>& known_logs) {
  const auto make_size = [this, key, known_logs](std::int64_t rows, const std::vector<LogSource>& known,
                                                 bool in_background) {
    ProgramKey exact = key;
    exact.batch_size = rows;
    CompiledStepOptions options{.known_logs = known, .is_exact = true, .in_background = in_background};
    options.known_logs.insert(options.known_logs.end(), known_logs.begin(), known_logs.end());
    return make_program(exact, std::move(options));
  };
  return std::make_shared<UnpaddedStep>(key, num_rows, exact_because_, make_size);
}

// One replica is used for steps that run op by op, for states that belong to the rows of a whole batch, and
// for predictions and tests of fewer rows than replicas, whose results are then the same. A training step of
// few rows leaves some replicas without rows.
std::int64_t StepCache::replicas_for(ProgramKind kind, std::int64_t batch_size) const {
  if (replicas_ == nullptr || data_adapter_.options().run_eagerly ||
      keeps_row_states(data_adapter_.network()))
    return 1;
  return kind == ProgramKind::kTrain || batch_size >= replicas_->num_parts() ? replicas_->num_parts() : 1;
}

void StepCache::check_weights(const char* caller) const {
  if (replicas_ == nullptr) return;
  for (const Variable& weight : data_adapter_.network().weights())
    if (weight.state().replicas != replicas_)
      fail(ErrorCode::kFailedPrecondition, {.argument = "scope"},
           "[{}] weight \"{}\" of model \"{}\" was made {}, the model in that of {}: make all its layers "
           "there",
           caller, weight.path(), data_adapter_.network().name(),
           weight.state().replicas == nullptr
               ? std::string("outside a strategy's scope()")
               : fmt::format("in the scope() of another {}", weight.state().replicas->strategy),
           replicas_->strategy);
}

std::shared_ptr<StepRunner> StepCache::get(ProgramKind kind, std::int64_t batch_size, const ArrayData& data,
                                           const char* caller) {
  // Programs count a batch's valid rows in 32 bits.
  if (batch_size > std::numeric_limits<std::int32_t>::max())
    invalid_argument("[{}] a batch must have fewer than 2^31 rows; got {}", caller, batch_size);
  ProgramKey key = ProgramKey::of(kind, batch_size, data, placement());
  key.num_replicas = replicas_for(kind, batch_size);
  if (std::shared_ptr<StepRunner> known = find(key)) return known;
  const ModelParts& parts = data_adapter_.parts();
  if (kind == ProgramKind::kTrain && parts.trainable.empty() && !parts.outputs.empty())
    log_warning(
        "[{}] model \"{}\" has no trainable weights: steps move only what is not trained, such as statistics",
        caller, printable(parts.network->name()));
  check_weights(caller);
  std::vector<LogSource> known_logs;
  for (const auto& known : runners_)
    if (known->key().kind == kind)
      known_logs.insert(known_logs.end(), known->logs().begin(), known->logs().end());
  std::shared_ptr<StepRunner> made;
  if (data_adapter_.options().run_eagerly) {
    made = std::make_shared<EagerStep>(key, parts);
  } else {
    with_shapes_of(data, caller, [&] { made = make(key, data.num_rows(), known_logs); });
  }
  if (made == nullptr) return nullptr;
  if (made->compiled() != nullptr) note_shape(key, caller);
  keep(std::move(made));
  return runners_.back();
}

std::shared_ptr<StepRunner> StepCache::get(ProgramKind kind, const BatchSource& source,
                                           const ArrayData& examples, const char* caller) {
  std::shared_ptr<StepRunner> first = get(kind, source.batch_size(), examples, caller);
  if (source.has_one_shape() || data_adapter_.options().run_eagerly) return first;
  const auto make = [this, kind, caller, batch_size = first->key().batch_size](const Batches& batches) {
    if (batches.batch_size != batch_size && keeps_row_states(data_adapter_.network()))
      invalid_argument(
          "[{}] model \"{}\" has a stateful layer, which needs batches of one size; got {} and {} rows",
          caller, data_adapter_.network().name(), batch_size, batches.batch_size);
    return get(kind, batches.batch_size, batches.arrays->rows(0, BatchSizes::of(batches).first()), caller);
  };
  return std::make_shared<ShapedStep>(std::move(first), make);
}

void StepCache::keep(std::shared_ptr<StepRunner> made) {
  // Steps for a client that was replaced or removed would keep the client and its threads alive.
  std::erase_if(runners_, [&](const std::shared_ptr<StepRunner>& known) {
    const Placement& other = known->key().placement;
    return other != made->key().placement &&
           detail::index_of_device(other.client().get(), other.device()) < 0;
  });
  runners_.push_back(std::move(made));
  std::size_t bytes = 0;
  for (const auto& known : runners_) bytes += working_bytes(*known);
  while (runners_.size() > kMostPrograms || (runners_.size() > kKeptPrograms && bytes > kKeptBytes)) {
    bytes -= working_bytes(*runners_.front());
    runners_.erase(runners_.begin());
  }
}

// A shape whose program was released and compiled again counts again.
void StepCache::note_shape(const ProgramKey& key, const char* caller) {
  const bool is_known = std::any_of(runners_.begin(), runners_.end(),
                                    [&](const auto& known) { return known->key().same_arrays(key); });
  if (is_known) return note_size(key, caller);
  if (++num_shapes_[static_cast<int>(key.kind)] <= kManyShapes) return;
  if (std::exchange(warned_of_shapes_, true)) return;
  log_warning(
      "[{}] model \"{}\" was given batches of {} shapes so far. Each shape is compiled when it first comes; "
      "compiling has taken {:.1f} s. At most {} programs are kept. Fewer shapes take less time: "
      "bucket_by_sequence_length with .pad_to_bucket_boundary = true puts rows of about one length together, "
      "padded_batch with .padded_shapes gives all one length, and layers::Resizing gives images one size",
      caller, printable(data_adapter_.network().name()), kManyShapes + 1, compile_seconds_, kMostPrograms);
}

void StepCache::note_size(const ProgramKey& key, const char* caller) {
  if (++num_sizes_[static_cast<int>(key.kind)] <= kManyShapes || std::exchange(warned_of_sizes_, true))
    return;
  const std::string& because = key.kind == ProgramKind::kPredict ? predict_exact_because_ : exact_because_;
  const bool has_states = keeps_row_states(data_adapter_.network());
  const std::string advice =
      because.empty() && !has_states
          ? "One program serves all batches up to a number of rows: pass .batch_size, the most rows of a "
            "batch (for validation data .validation_batch_size, for a stream BatchStreamOptions.batch_size)"
          : fmt::format(
                "Each number of rows needs a program of its own, because {}: give batches of few sizes",
                has_states ? "a stateful layer has a state for each row" : because);
  log_warning(
      "[{}] model \"{}\" was compiled {} times for batches of a known shape with another number of rows; "
      "compiling has taken {:.1f} s. {}",
      caller, printable(data_adapter_.network().name()), kManyShapes + 1, compile_seconds_, advice);
}

// A program for more rows serves fewer by padding. Batches that vary get sizes of powers of two, so that few
// programs serve them all.
std::int64_t StepCache::size_for_rows(ProgramKind kind, const ArrayData& data) const {
  const std::int64_t num_rows = data.num_rows();
  if (keeps_row_states(data_adapter_.network()) || (kind == ProgramKind::kPredict && predicts_exactly_))
    return num_rows;
  const ProgramKey key = ProgramKey::of(kind, num_rows, data, placement());
  std::int64_t best = 0;
  bool varies = false;
  for (const auto& known : runners_) {
    if (!known->key().same_arrays(key)) continue;
    varies = true;
    const std::int64_t size = known->key().batch_size;
    if (size >= num_rows && size <= 2 * num_rows && (best == 0 || size < best)) best = size;
  }
  if (best > 0) return best;
  return varies ? static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(num_rows))) : num_rows;
}

std::int64_t StepCache::predict_step_rows(std::int64_t batch_size, std::int64_t num_rows) const {
  const bool without_padding = predicts_exactly_ || keeps_row_states(data_adapter_.network());
  return without_padding ? std::min(batch_size, num_rows) : predict_batch_size(batch_size, num_rows);
}

double StepCache::expect(StepRunner& step, const BatchSizes& sizes) {
  const double start = step.now();
  step.expect(sizes);
  return step.now() - start;
}

double StepCache::wait_for(StepRunner& step, const Batches& batches) {
  const double start = step.now(), compiled_before = compile_seconds_;
  step.make_ready(batches);
  const double seconds = step.now() - start;
  compile_seconds_ = compiled_before + seconds;
  return seconds;
}

void StepCache::forget() {
  runners_.clear();
  std::fill(std::begin(num_shapes_), std::end(num_shapes_), 0);
  std::fill(std::begin(num_sizes_), std::end(num_sizes_), 0);
  exact_because_.clear();
  predict_exact_because_.clear();
  predicts_exactly_ = false;
}

}  // namespace cornu::inline v0::keras
