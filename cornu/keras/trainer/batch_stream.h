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

/// What a stream gives at a time. All batches have the same arrays, of one dtype and rank each; their shapes
/// may differ from batch to batch. Rows r of all arrays belong together.
struct StreamBatch {
  Tensors x;
  Tensors y = {};
  Tensors sample_weight = {};
};

struct BatchStreamOptions {
  /// Called before every pass but the first, so that `next` begins anew. Without it the stream is over when
  /// its first pass is. With it the first batch is pulled at an epoch's begin, to see whether the pass has
  /// ended.
  std::function<void()> restart = {};
  /// The most rows that a batch may have, for which all programs are then made. Without it a program is made
  /// for as many as a batch with its shape of rows had so far.
  std::optional<std::int64_t> batch_size = {};
  /// The batches of a pass, where that is known: for the progress bar.
  std::optional<std::int64_t> num_batches = {};
  /// The place of `next`, and how to go there. Give both or none. Without them a resumed run pulls all
  /// earlier batches again; a run that goes back, because its worker was lost, calls `restart` first.
  std::function<std::vector<std::byte>()> save = {};
  std::function<void(std::span<const std::byte> place)> load = {};
  /// Whether an epoch begins a new pass even where the last one has not ended, so that validation sees the
  /// same batches.
  bool from_start = false;
};

/// Batches that a function gives until it gives none: what Python's fit takes a generator for.
///
///     BatchStream stream([&]() -> std::optional<StreamBatch> {
///       if (!reader.read(chunk)) return std::nullopt;
///       return StreamBatch{.x = chunk.features, .y = chunk.labels};
///     }, {.restart = [&] { reader.rewind(); }});
///     model.fit(stream, {.epochs = 5});
///
/// Batches are pulled only when a step is about to take them, as many as an execution takes, and copied once.
/// A batch may have fewer rows than the others: it is a step of its own size, and the last one of its
/// execution. So is the last batch before one whose rows have another shape, which runs by another program
/// (docs/adr/0116).
/// Errors:  at the batch that is wrong, naming it: InvalidArgument for one whose arrays differ from the first
///          batch's in number, dtype or rank, or that has too many rows, and what fit says of arrays; what
///          the function throws. Steps before it stay; the batch is dropped, and the next run goes on behind
///          it.
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
  /// The names that errors use: those that the stream's user has written.
  struct Names {
    const char* caller = "batch_stream";
    const char* stream = "the stream";
    const char* most_rows = "BatchStreamOptions.batch_size";  // the option that says the most rows of a batch
  };
  virtual Names names() const { return {}; }

 private:
  /// The most rows that batches with one shape of rows had.
  struct RowShape {
    std::uint64_t fingerprint;  // of the extents after the first axis
    std::int64_t most_rows;
  };
  /// The number of shapes that are remembered: the last used ones.
  static constexpr std::size_t kKeptShapes = 256;

  /// A batch that was pulled and not worked on, and what is wrong with it, which is said when it is its turn.
  struct Waiting {
    ArrayData arrays;
    std::optional<Error> error = {};
  };

  /// Whether the pass is known to be over.
  bool is_over() const;
  /// Whether the pass has another batch. That batch is kept; an error is kept for fill().
  bool goes_on();
  /// Calls `restart`, if there is one, and forgets what is left of the pass.
  void begin_pass();
  /// What keeps this stream from going to a place without `load`, or nothing.
  std::string why_not_at(std::int64_t num_done) const;
  /// Goes there. Errors: FailedPrecondition where that cannot be.
  void go_to(std::int64_t num_done);
  /// Pulls one more batch behind those that wait; false at the end of the pass.
  bool pull();
  /// Puts a batch behind those that wait.
  void append(ArrayData arrays);
  /// The first that waits counts as done.
  void drop_first();
  /// What waits is arranged anew.
  void clear_ring();
  /// Which batch of the stream it is that so many wait before: "in batch 3 of the stream".
  std::string number_of(std::int64_t waiting) const;
  void check_like_first(const ArrayData& batch) const;
  /// Whether the ring takes such a batch, as the function gave it.
  bool is_for_ring(const ArrayData& batch) const;
  /// The rows that a program for such a batch is made for, which from now on are those of its shape of rows.
  std::int64_t size_for(const ArrayData& batch);
  /// Arranges the next waiting batch, pulled if need be, into the ring, which has or gets room for
  /// `max_steps`; false at the end of the pass, and at a batch that begins another execution.
  bool push_next(std::int64_t max_steps);
  /// What size_for() follows from.
  StateEntry shapes_state();
  StateEntry batch_size_state();
  /// The place of `next`, and the batches that were pulled and not worked on.
  StateEntry place_state();
  /// Whether the batch behind those in the ring is the one that failed.
  bool is_at_failure() const;
  /// Pushes batches until the ring holds `max_steps`, or one that ends an execution.
  void fill(std::int64_t max_steps);

  Next next_;
  BatchStreamOptions options_;
  ArrangeRows arrange_;
  ArrayData first_;              // the first batch, as the function gave it
  std::int64_t first_rows_ = 0;  // the rows of the first batch
  std::deque<Waiting> waiting_;
  BatchRing ring_;  // the first of those that wait, as the model takes them
  /// The types that the ring takes, as the function gives them. Their first extent is ignored.
  std::vector<TensorType> ring_rows_;
  std::int64_t ring_batch_size_ = 0;
  std::vector<RowShape> shapes_;  // the last used one at the end
  bool varies_ = false;           // whether there were several shapes, or more rows than at first
  /// What is wrong with the batch behind those in the ring, or came in place of one behind all that wait.
  /// Thrown when those before it are done.
  std::exception_ptr failed_;
  bool failed_waits_ = false;  // whether it is of a batch that waits
  bool has_ended_ = false;     // the pass
  std::int64_t num_done_ = 0;  // batches of the pass that were worked on, or dropped
};

}  // namespace cornu::inline v0::keras
