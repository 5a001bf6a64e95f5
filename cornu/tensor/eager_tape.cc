#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/tensor/op_gradient.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/tape.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::detail {
namespace {

Tensor ones_like(const Tensor& x) {
  const ir::Literal one = ir::Literal::scalar(x.dtype(), 1);
  ir::Literal ones(x.type());
  for (auto rest = ones.mutable_bytes(); !rest.empty(); rest = rest.subspan(one.bytes().size()))
    std::ranges::copy(one.bytes(), rest.begin());
  return Tensor(ones);
}

/// A list of executed operations with their input and output tensors. Tensors are compared by identity.
class EagerTape final : public Tape, public OpRecorder {
 public:
  using Tape::Tape;

  void close() override { end_op_recorder(*this); }

  void watch(const Tensor& x) override {
    kept_.push_back(x);
    tracked_.insert(x.id());
  }

  void record(const OpKey& key, std::span<const Tensor> inputs, std::span<const Tensor> results,
              BuildManyFn build) override {
    if (is_recording() && uses_tracked(inputs))
      add({OpGradient::of(key, inputs, build), {}, copy(inputs), copy(results)});
  }
  void record_call(std::span<const Tensor> inputs, std::span<const Tensor> results,
                   const CallBackwardFn& backward) override {
    if (is_recording() && uses_tracked(inputs)) add({nullptr, backward, copy(inputs), copy(results)});
  }
  void record_read(const Variable& variable, const Tensor& value) override {
    if (note_read(variable, value)) watch(value);
  }

  bool follows(const Tensor& x) const override { return is_recording() && is_tracked(x); }

  void check_usable() const override {
    if (Trace::current() != nullptr)
      fail(ErrorCode::kFailedPrecondition,
           "[gradient_tape] a tape that was made outside of the function is used while it is traced");
  }

  std::vector<Tensor> gradient(std::span<const Tensor> targets, std::span<const Tensor> output_gradients,
                               std::span<const Tensor> sources) override {
    gradients_.clear();
    flat_.clear();
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (tracked_.contains(targets[i].id()))
        accumulate(targets[i], output_gradients[i].defined() ? output_gradients[i] : ones_like(targets[i]));
    for (std::size_t i = nodes_.size(); i-- > 0;) propagate(nodes_[i]);
    std::vector<Tensor> results;
    for (const Tensor& source : sources) {
      if (const auto found = gradients_.find(source.id()); found != gradients_.end()) {
        results.push_back(found->second);
      } else {
        results.push_back(flat_.contains(source.id()) ? Tensor::zeros(source.shape(), source.dtype())
                                                      : Tensor());
      }
    }
    gradients_.clear();
    flat_.clear();
    return results;
  }
  using Tape::gradient;

 private:
  struct Node {
    std::shared_ptr<OpGradient> op;  // null: `backward` computes the gradient
    CallBackwardFn backward;
    std::vector<Tensor> inputs, results;
  };

  void clear_record() override {
    nodes_.clear();
    tracked_.clear();
    kept_.clear();
  }
  static std::vector<Tensor> copy(std::span<const Tensor> tensors) {
    return {tensors.begin(), tensors.end()};
  }
  bool is_same(const Tensor& a, const Tensor& b) const override { return a.id() == b.id(); }
  bool is_tracked(const Tensor& x) const { return tracked_.contains(x.id()); }
  bool uses_tracked(std::span<const Tensor> inputs) const {
    return !tracked_.empty() &&
           std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& x) { return is_tracked(x); });
  }

  void add(Node node) {
    bool any = false;
    for (const Tensor& result : node.results) {
      if (!ir::is_differentiable(result.dtype())) continue;
      tracked_.insert(result.id());
      any = true;
    }
    if (any) nodes_.push_back(std::move(node));
  }

  void accumulate(const Tensor& x, const Tensor& gradient) {
    Tensor& sum = gradients_[x.id()];
    sum = sum.defined() ? sum + gradient : gradient;
  }

  void propagate(const Node& node) {
    std::vector<Tensor> result_gradients;
    bool any = false;
    for (const Tensor& result : node.results) {
      const auto found = gradients_.find(result.id());
      result_gradients.push_back(found == gradients_.end() ? Tensor() : found->second);
      any = any || result_gradients.back().defined();
    }
    if (!any) {
      pass_on_zeros(node);
      return;
    }
    std::vector<bool> wanted;
    wanted.reserve(node.inputs.size());
    for (const Tensor& input : node.inputs) wanted.push_back(is_tracked(input));
    const std::vector<Tensor> input_gradients =
        node.op != nullptr ? node.op->backward(node.inputs, node.results, result_gradients, wanted)
                           : node.backward(result_gradients, wanted);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (!wanted[i] || !input_gradients[i].defined()) continue;
      if (is_zero_gradient(input_gradients[i])) {
        flat_.insert(node.inputs[i].id());
      } else {
        accumulate(node.inputs[i], input_gradients[i]);
      }
    }
  }

  /// If zero_gradient() is the only gradient of the results, passes it to the inputs without computing.
  void pass_on_zeros(const Node& node) {
    if (std::none_of(node.results.begin(), node.results.end(),
                     [&](const Tensor& result) { return flat_.contains(result.id()); }))
      return;
    for (const Tensor& input : node.inputs)
      if (is_tracked(input)) flat_.insert(input.id());
  }

  std::vector<Node> nodes_;
  std::unordered_set<const void*> tracked_;  // watched, or computed from watched ones
  std::vector<Tensor> kept_;                 // watched tensors, kept so that their identities are not reused
  std::unordered_map<const void*, Tensor> gradients_;
  std::unordered_set<const void*> flat_;  // tensors that got zero_gradient(), possibly beside other gradients
};

}  // namespace

std::shared_ptr<Tape> make_eager_tape(bool watches_accessed) {
  auto tape = std::make_shared<EagerTape>(watches_accessed);
  push_op_recorder(tape);
  return tape;
}

}  // namespace cornu::inline v0::detail
