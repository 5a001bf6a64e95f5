#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/base/tensors.h"
#include "cornu/keras/trainer/batch_ring.h"
#include "cornu/keras/trainer/batch_source.h"

namespace cornu::inline v0::keras {

/// One batch of a stream. All batches have the same arrays, each of one dtype and rank; shapes may differ
/// from batch to batch. Row r of one array belongs to row r of every other.
struct StreamBatch {
  Tensors x;
  Tensors y = {};
  Tensors sample_weight = {};
};

struct BatchStreamOptions {  // options/models.toml
  /// Function that is called before each pass except the first, so that the stream starts again; with it the
  /// first batch is read at the start of an epoch, to find out whether the pass has ended. Empty: the stream
  /// ends with its first pass.
  std::function<void()> restart = {};
  /// Upper bound of the rows of a batch, for which all programs are made; unset: programs are made for the
  /// largest batch so far with the same shape of rows.
  std::optional<std::int64_t> batch_size = {};
  /// Batches of a pass, for the progress bar; unset: unknown.
  std::optional<std::int64_t> num_batches = {};
  /// Function that returns the position of the stream. Give both save and load, or neither: without them a
  /// resumed run reads all earlier batches again, and a run that goes back after the loss of a worker calls
  /// restart first.
  std::function<std::vector<std::byte>()> save = {};
  /// Function that restores a position that save returned. Give both or neither.
  std::function<void(std::span<const std::byte> place)> load = {};
  /// True: an epoch starts a new pass even if the last pass has not ended, so that validation sees the same
  /// batches in each epoch.
  bool from_start = false;
};

/// Batches returned by a function until it returns nullopt, as Python's fit takes them from a generator.
///
///     BatchStream stream([&]() -> std::optional<StreamBatch> {
///       if (!reader.read(chunk)) return std::nullopt;
///       return StreamBatch{.x = chunk.features, .y = chunk.labels};
///     }, {.restart = [&] { reader.rewind(); }});
///     model.fit(stream, {.epochs = 5});
///
/// Batches are pulled only when an execution is about to take them, and are copied once. An execution ends
/// with a batch of fewer rows than the others, and before a batch whose rows have another shape, which
/// another program runs (docs/adr/0116).
/// Errors:  thrown when the wrong batch is reached, naming it: InvalidArgument if its arrays differ from the
///          first batch's in number, dtype or rank, or if it has too many rows; the errors of fit for arrays;
///          exceptions of the function. Earlier steps stay done; the batch is dropped, and the next run
///          continues after it.
/// Threads: one thread; the function is called by the thread that runs the model.
class BatchStream : public BatchSource {
 public:
  using Next = std::function<std::optional<StreamBatch>()>;
  /// Errors: InvalidArgument for an empty function and for numbers below 1.
  explicit BatchStream(Next next, BatchStreamOptions options = {});

  std::int64_t batch_size() const override;
  bool has_one_shape() const override { return false; }
  std::optional<std::int64_t> num_steps() const override { return options_.num_batches; }
  void begin_run(ArrangeRows arrange) override;
  void end_run() override;
  ArrayData examples() override;
  void begin_epoch(const EpochStart& start) override;
  std::optional<std::int64_t> num_steps_left() const override { return std::nullopt; }
  std::int64_t num_rows_ahead(std::int64_t num_steps) const override { return num_steps * batch_size(); }
  BatchSizes sizes_ahead(std::int64_t num_steps) const override {
    return {.full = num_steps > 0 ? batch_size() : 0};
  }
  Batches next(std::int64_t max_steps) override;
  void advance(std::int64_t num_steps) override;
  void skip(std::int64_t num_steps) override;
  StateList state() override;
  std::string row_name(std::int64_t index) const override;

 protected:
  /// The names that errors use for the stream, its caller and its option.
  struct Names {
    const char* caller = "batch_stream";
    const char* stream = "the stream";
    const char* most_rows = "BatchStreamOptions.batch_size";  // the option that sets the most rows of a batch
  };
  virtual Names names() const { return {}; }

 private:
  /// The largest number of rows among batches with one shape of rows.
  struct RowShape {
    std::uint64_t fingerprint;  // of the extents after the first axis
    std::int64_t most_rows;
  };
  /// The number of shapes that are remembered; the least recently used are forgotten.
  static constexpr std::size_t kKeptShapes = 256;

  /// A batch that was pulled and not yet used, or its error, which is thrown when the batch is reached.
  struct Waiting {
    ArrayData arrays;
    std::optional<Error> error = {};
  };

  /// True if the pass is known to have ended.
  bool is_over() const;
  /// True if the pass has another batch. Pulls that batch and keeps it; keeps an error for fill().
  bool goes_on();
  /// Calls `restart`, if set, and drops the rest of the pass.
  void begin_pass();
  /// The reason why this stream cannot go to a position without `load`; empty if it can.
  std::string why_not_at(std::int64_t num_done) const;
  /// Goes to the position after `num_done` batches. Errors: FailedPrecondition if that is impossible.
  void go_to(std::int64_t num_done);
  /// Pulls one more batch into `waiting_`; returns false at the end of the pass.
  bool pull();
  /// Appends a batch to `waiting_`.
  void append(ArrayData arrays);
  /// Drops the first waiting batch and counts it as done.
  void drop_first();
  /// Empties the ring; waiting batches are arranged again.
  void clear_ring();
  /// The name of a batch that `waiting` other batches precede: "in batch 3 of the stream".
  std::string number_of(std::int64_t waiting) const;
  void check_like_first(const ArrayData& batch) const;
  /// True if the ring takes such a batch, as the function returned it.
  bool is_for_ring(const ArrayData& batch) const;
  /// The number of rows of the program for such a batch. It is recorded for the batch's shape of rows.
  std::int64_t size_for(const ArrayData& batch);
  /// Arranges the next batch, pulled if none is waiting, into the ring, which is grown to `max_steps`.
  /// Returns false at the end of the pass, and at a batch that begins another execution.
  bool push_next(std::int64_t max_steps);
  /// The inputs that determine size_for().
  StateEntry shapes_state();
  StateEntry batch_size_state();
  /// The position of `next`, and the batches that were pulled and not used.
  StateEntry place_state();
  /// True if the batch after those in the ring is the one that failed.
  bool is_at_failure() const;
  /// Pushes batches until the ring holds `max_steps`, or a batch that ends an execution.
  void fill(std::int64_t max_steps);

  Next next_;
  BatchStreamOptions options_;
  ArrangeRows arrange_;
  ArrayData first_;              // the first batch, as the function returned it
  std::int64_t first_rows_ = 0;  // the rows of the first batch
  std::deque<Waiting> waiting_;
  BatchRing ring_;  // the first of the waiting batches, as the model takes them
  /// The types that the ring takes, as the function returns them. Their first extent is ignored.
  std::vector<TensorType> ring_rows_;
  std::int64_t ring_batch_size_ = 0;
  std::vector<RowShape> shapes_;  // the most recently used at the end
  bool varies_ = false;           // true if batches had several shapes, or more rows than the first
  /// The error of the batch after those in the ring, or the error thrown by `next` after all waiting batches.
  /// It is rethrown when the batches before it are done.
  std::exception_ptr failed_;
  bool failed_waits_ = false;  // true if `failed_` belongs to a waiting batch
  bool has_ended_ = false;     // the pass
  std::int64_t num_done_ = 0;  // batches of the pass that were worked on, or dropped
};

}  // namespace cornu::inline v0::keras
