#include "cornu/tensor/op_gradient.h"

#include <atomic>
#include <cstring>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "cornu/base/check.h"
#include "cornu/transform/evaluate.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::detail {
namespace {

std::int64_t next_formula_id() {
  static std::atomic<std::int64_t> last{0};
  return ++last;
}

void append_words(std::string& bytes, std::span<const std::int64_t> words) {
  const auto size = static_cast<std::int64_t>(words.size());
  bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}

std::string cache_key(const OpKey& key, std::span<const Tensor> inputs) {
  std::string bytes = key.name();
  append_words(bytes, key.attributes());
  for (const Tensor& input : inputs) {
    bytes.push_back(static_cast<char>(input.dtype()));
    append_words(bytes, input.shape());
  }
  return bytes;
}

/// The ops that `roots` need, in order; stops at known values.
std::vector<const ir::Op*> needed_ops(
    const ir::Block& block, std::span<const ir::Value> roots,
    const std::unordered_map<ir::Value, std::size_t, ir::ValueHash>& known) {
  std::unordered_set<const ir::Op*> needed;
  std::vector<ir::Value> open(roots.begin(), roots.end());
  while (!open.empty()) {
    const ir::Value value = open.back();
    open.pop_back();
    if (known.contains(value) || value.op() == nullptr || !needed.insert(value.op()).second) continue;
    const ir::Op& op = *value.op();
    open.insert(open.end(), op.operands().begin(), op.operands().end());
    for (const ir::Value& captured : transform::captured_values(op)) open.push_back(captured);
  }
  std::vector<const ir::Op*> ordered;
  for (const auto& op : block.ops())
    if (needed.contains(op.get())) ordered.push_back(op.get());
  return ordered;
}

}  // namespace

std::shared_ptr<OpGradient> OpGradient::of(const OpKey& key, std::span<const Tensor> inputs,
                                           BuildManyFn build) {
  static std::mutex cache_mutex;
  static auto& cache = *new std::unordered_map<std::string, std::shared_ptr<OpGradient>>;
  constexpr std::size_t kMaxEntries = 4096;
  const std::string bytes = cache_key(key, inputs);
  const std::lock_guard lock(cache_mutex);
  std::shared_ptr<OpGradient>& entry = cache[bytes];
  if (entry != nullptr) return entry;
  if (cache.size() > kMaxEntries) {  // shapes that do not recur; entries in use stay alive in their tapes
    cache.clear();
    return cache[bytes] = std::make_shared<OpGradient>(inputs, build);
  }
  entry = std::make_shared<OpGradient>(inputs, build);
  return entry;
}

OpGradient::OpGradient(std::span<const Tensor> inputs, BuildManyFn build) {
  forward_.name = "forward";
  std::vector<ir::Value> arguments;
  for (const Tensor& input : inputs) arguments.push_back(forward_.body.add_argument(input.type()));
  ir::Builder builder(forward_.body);
  forward_.body.set_results(build(builder, arguments));
}

std::unique_ptr<OpGradient::Formula> OpGradient::make_formula(const std::vector<bool>& given,
                                                              const std::vector<bool>& wanted) const {
  // The forward graph and its gradient, then the part that the gradients need.
  const std::unique_ptr<ir::Function> whole = transform::clone_function(forward_);
  ir::Block& block = whole->body;
  ir::Builder builder(block);
  std::vector<ir::Op*> ops;
  for (const auto& op : block.ops()) ops.push_back(op.get());
  std::unordered_map<ir::Value, std::size_t, ir::ValueHash> known;
  const std::size_t num_inputs = wanted.size(), num_results = given.size();
  std::vector<ir::Value> wrt(num_inputs), outputs, output_gradients;
  for (std::size_t i = 0; i < num_inputs; ++i) {
    known.emplace(block.arguments()[i], i);
    if (wanted[i]) wrt[i] = block.arguments()[i];
  }
  const std::vector<ir::Value> results(block.results().begin(), block.results().end());
  for (std::size_t i = 0; i < num_results; ++i) {
    known.emplace(results[i], num_inputs + i);
    if (!given[i]) continue;
    outputs.push_back(results[i]);
    output_gradients.push_back(block.add_argument(results[i].type()));
    known.emplace(output_gradients.back(), num_inputs + num_results + i);
  }
  const std::vector<ir::Value> gradients =
      transform::vector_jacobian_product(builder, outputs, output_gradients, wrt, ops);

  auto formula = std::make_unique<Formula>();
  formula->id = next_formula_id();
  formula->function.name = "gradient";
  std::vector<ir::Value> roots;
  for (std::size_t i = 0; i < num_inputs; ++i) {
    if (!gradients[i]) continue;
    if (transform::is_constant_zero(gradients[i])) {
      formula->zeros.push_back(i);
    } else if (const auto found = known.find(gradients[i]); found != known.end()) {
      formula->passed.emplace_back(i, found->second);
    } else {
      formula->computed.emplace_back(i, roots.size());
      roots.push_back(gradients[i]);
    }
  }
  transform::ValueMap map;
  ir::Builder formula_builder(formula->function.body);
  const auto use = [&](const ir::Value& value) {
    const auto found = known.find(value);
    if (found == known.end() || map.contains(value)) return;
    map[value] = formula->function.body.add_argument(value.type());
    formula->arguments.push_back(found->second);
  };
  for (const ir::Op* op : needed_ops(block, roots, known)) {
    for (const ir::Value& operand : op->operands()) use(operand);
    for (const ir::Value& captured : transform::captured_values(*op)) use(captured);
    transform::clone_op(formula_builder, *op, map);
  }
  formula->function.body.set_results(transform::mapped(map, roots));
  return formula;
}

std::vector<Tensor> OpGradient::backward(std::span<const Tensor> inputs, std::span<const Tensor> results,
                                         std::span<const Tensor> result_gradients,
                                         const std::vector<bool>& wanted) {
  std::vector<bool> given;
  for (const Tensor& gradient : result_gradients) given.push_back(gradient.defined());
  const Formula* formula = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Formula>& entry = formulas_[{given, wanted}];
    if (entry == nullptr) entry = make_formula(given, wanted);
    formula = entry.get();
  }
  const auto tensor_at = [&](std::size_t i) -> const Tensor& {
    if (i < inputs.size()) return inputs[i];
    i -= inputs.size();
    return i < results.size() ? results[i] : result_gradients[i - results.size()];
  };
  std::vector<Tensor> gradients(inputs.size());
  for (const auto& [input, source] : formula->passed) gradients[input] = tensor_at(source);
  for (const std::size_t input : formula->zeros) gradients[input] = zero_gradient();
  if (formula->computed.empty()) return gradients;
  std::vector<Tensor> arguments;
  arguments.reserve(formula->arguments.size());
  for (const std::size_t i : formula->arguments) arguments.push_back(tensor_at(i));
  const std::vector<Tensor> made =
      run_op_many(OpKey("gradient", formula->id), arguments,
                  [&](ir::Builder& builder, std::span<const ir::Value> values) {
                    transform::ValueMap map;
                    for (std::size_t i = 0; i < values.size(); ++i)
                      map[formula->function.body.arguments()[i]] = values[i];
                    return transform::clone_ops(builder, formula->function.body, map);
                  });
  for (const auto& [input, result] : formula->computed) gradients[input] = made[result];
  return gradients;
}

}  // namespace cornu::inline v0::detail
