#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/redirect_gradient/redirect_gradient.h"
#include "cornu/tensor/tape.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/transform/evaluate.h"
#include "cornu/transform/gradient.h"

namespace cornu::inline v0::detail {
namespace {

using ValueSet = std::unordered_set<ir::Value, ir::ValueHash>;

/// Marks the ops of the trace's block that count; the block itself is the record.
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

  void watch(const Tensor& x) override {
    watch_value(Trace::current()->value_of(x));
    if (!x.is_symbolic()) watched_constants_.insert(x.id());
  }
  bool watches(const Tensor& x) const { return is_recording() && watched_constants_.contains(x.id()); }

  bool tells_apart(const Variable& variable, ir::Value value) const {
    return counts_read(variable) ? !has_read(variable, Trace::current()->tensor(value))
                                 : watched_.contains(value);
  }
  void variable_read(const Variable& variable, ir::Value value) {
    if (note_read(variable, Trace::current()->tensor(value))) watch_value(value);
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
    ValueSet active;
    const std::vector<ir::Op*> ops = recorded_ops(active);
    std::vector<ir::Value> outputs, seeds, wrt;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      outputs.push_back(trace.value_of(targets[i]));
      seeds.push_back(output_gradients[i].defined() ? trace.value_of(output_gradients[i]) : ir::Value());
    }
    for (const Tensor& source : sources) {
      const ir::Value value = trace.value_of(source);
      wrt.push_back(active.contains(value) ? value : ir::Value());
    }
    const auto note = [&](ir::Value value, ir::Value gradient) { trace.note_gradient(value, gradient); };
    std::vector<Tensor> gradients;
    for (const ir::Value& gradient :
         transform::vector_jacobian_product(trace.builder(), outputs, seeds, wrt, ops, note))
      gradients.push_back(gradient ? trace.tensor(gradient) : Tensor());
    return gradients;
  }
  using Tape::gradient;

 private:
  void clear_record() override {
    recorded_.clear();
    watched_.clear();
    watched_constants_.clear();
    begin_ = block_->ops().size();
  }
  bool is_same(const Tensor& a, const Tensor& b) const override { return a.value() == b.value(); }

  void watch_value(ir::Value value) { watched_.try_emplace(value, block_->ops().size()); }

  /// The ops that use watched values, or values computed from them, after they were watched. `active` becomes
  /// all of these values.
  std::vector<ir::Op*> recorded_ops(ValueSet& active) const {
    std::vector<ir::Op*> ops;
    const auto append = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        ir::Op& op = *block_->ops()[i];
        if (ops::is_redirect_gradient(op) || !uses_active(op, i, active)) continue;
        ops.push_back(&op);
        for (const ir::Value& result : op.results())
          if (ir::is_differentiable(result.dtype())) active.insert(result);
      }
    };
    for (const auto& [begin, end] : recorded_) append(begin, end);
    if (is_recording()) append(begin_, block_->ops().size());
    for (const auto& [value, number] : watched_) active.insert(value);
    return ops;
  }

  /// True if the op, number `number` in the block, uses an active value.
  bool uses_active(const ir::Op& op, std::size_t number, const ValueSet& active) const {
    const auto is_active = [&](const ir::Value& value) {
      if (active.contains(value)) return true;
      const auto found = watched_.find(value);
      return found != watched_.end() && found->second <= number;
    };
    if (std::any_of(op.operands().begin(), op.operands().end(), is_active)) return true;
    if (op.regions().empty()) return false;
    const std::vector<ir::Value> captured = transform::captured_values(op);
    return std::any_of(captured.begin(), captured.end(), is_active);
  }

  std::uint64_t trace_id_;
  ir::Block* block_;  // alive as long as the trace
  std::size_t begin_;
  std::vector<std::pair<std::size_t, std::size_t>> recorded_;
  std::unordered_map<ir::Value, std::size_t, ir::ValueHash> watched_;  // and the number of ops before it
  std::unordered_set<const void*> watched_constants_;                  // identities of concrete tensors
};

/// Holds the tape weakly: the trace keeps its observers, and a tape may end earlier.
class TapeObserver final : public Trace::ReadObserver {
 public:
  explicit TapeObserver(std::weak_ptr<TraceTape> tape) : tape_(std::move(tape)) {}
  bool tells_apart(const Variable& variable, ir::Value value) const override {
    const std::shared_ptr<TraceTape> tape = tape_.lock();
    return tape != nullptr && tape->tells_apart(variable, value);
  }
  void variable_read(const Variable& variable, ir::Value value) override {
    if (const std::shared_ptr<TraceTape> tape = tape_.lock()) tape->variable_read(variable, value);
  }
  bool watches(const Tensor& x) const override {
    const std::shared_ptr<TraceTape> tape = tape_.lock();
    return tape != nullptr && tape->watches(x);
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
