#include <algorithm>
#include <unordered_set>

#include "cornu/base/check.h"
#include "cornu/tensor/tape.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/transform/evaluate.h"
#include "cornu/transform/gradient.h"

namespace cornu::inline v0::detail {
namespace {

using ValueSet = std::unordered_set<ir::Value, ir::ValueHash>;

/// Marks which ops of the trace's block count; the block itself is the record.
class TraceTape final : public Tape {
 public:
  TraceTape(Trace& trace, bool watches_accessed)
      : Tape(watches_accessed),
        trace_id_(trace.id()),
        block_(&trace.builder().block()),
        begin_(block_->ops().size()) {}

  void set_recording(bool recording) override {
    if (recording == is_recording()) return;
    Tape::set_recording(recording);
    if (Trace::current() == nullptr || Trace::current()->id() != trace_id_) return;  // the trace has ended
    if (recording) {
      begin_ = block_->ops().size();
    } else {
      recorded_.emplace_back(begin_, block_->ops().size());
    }
  }

  void watch(const Tensor& x) override { watched_.insert(Trace::current()->value_of(x)); }

  void variable_read(const Variable& variable, ir::Value value) {
    if (note_read(variable, Trace::current()->tensor(value))) watched_.insert(value);
  }

  void check_usable() const override {
    const Trace* trace = Trace::current();
    if (trace == nullptr || trace->id() != trace_id_)
      fail(ErrorCode::kFailedPrecondition,
           "[gradient_tape] the tape is used outside of the function that it was made in");
    if (&Trace::current()->builder().block() != block_)
      fail(ErrorCode::kFailedPrecondition,
           "[gradient_tape] the tape is used inside a loop body or a branch that it was not made in; make it "
           "there, or use it outside");
  }

  std::vector<Tensor> gradient(std::span<const Tensor> targets, std::span<const Tensor> output_gradients,
                               std::span<const Tensor> sources) override {
    Trace& trace = *Trace::current();
    const std::vector<ir::Op*> ops = recorded_ops();
    const ValueSet active = active_values(ops);
    std::vector<ir::Value> outputs, seeds, wrt;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      outputs.push_back(trace.value_of(targets[i]));
      seeds.push_back(output_gradients[i].defined() ? trace.value_of(output_gradients[i]) : ir::Value());
    }
    for (const Tensor& source : sources) {
      const ir::Value value = trace.value_of(source);
      wrt.push_back(active.contains(value) ? value : ir::Value());
    }
    std::vector<Tensor> gradients;
    for (const ir::Value& gradient :
         transform::vector_jacobian_product(trace.builder(), outputs, seeds, wrt, ops))
      gradients.push_back(gradient ? trace.tensor(gradient) : Tensor());
    return gradients;
  }
  using Tape::gradient;

 private:
  void clear_record() override {
    recorded_.clear();
    watched_.clear();
    begin_ = block_->ops().size();
  }
  bool is_same(const Tensor& a, const Tensor& b) const override { return a.value() == b.value(); }

  std::vector<ir::Op*> recorded_ops() const {
    std::vector<ir::Op*> ops;
    const auto append = [&](std::size_t begin, std::size_t end) {
      for (const auto& op : block_->ops().subspan(begin, end - begin)) ops.push_back(op.get());
    };
    for (const auto& [begin, end] : recorded_) append(begin, end);
    if (is_recording()) append(begin_, block_->ops().size());
    return ops;
  }

  /// What was watched, and what the recorded ops made of it.
  ValueSet active_values(std::span<ir::Op* const> ops) const {
    ValueSet active = watched_;
    const auto is_active = [&](const ir::Value& value) { return active.contains(value); };
    for (const ir::Op* op : ops) {
      bool uses = std::any_of(op->operands().begin(), op->operands().end(), is_active);
      if (!uses && !op->regions().empty()) {
        const std::vector<ir::Value> captured = transform::captured_values(*op);
        uses = std::any_of(captured.begin(), captured.end(), is_active);
      }
      if (uses) active.insert(op->results().begin(), op->results().end());
    }
    return active;
  }

  std::uint64_t trace_id_;
  ir::Block* block_;  // alive as long as the trace
  std::size_t begin_;
  std::vector<std::pair<std::size_t, std::size_t>> recorded_;
  ValueSet watched_;
};

/// The trace keeps its observers; a tape may go before.
class TapeObserver final : public Trace::ReadObserver {
 public:
  explicit TapeObserver(std::weak_ptr<TraceTape> tape) : tape_(std::move(tape)) {}
  void variable_read(const Variable& variable, ir::Value value) override {
    if (const std::shared_ptr<TraceTape> tape = tape_.lock()) tape->variable_read(variable, value);
  }

 private:
  std::weak_ptr<TraceTape> tape_;
};

}  // namespace

std::shared_ptr<Tape> make_trace_tape(bool watches_accessed) {
  auto tape = std::make_shared<TraceTape>(*Trace::current(), watches_accessed);
  Trace::current()->add_observer(std::make_shared<TapeObserver>(tape));
  return tape;
}

}  // namespace cornu::inline v0::detail
