#include "cornu/tensor/tape.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::detail {

void Tape::watch(const Variable& variable) {
  const auto known = [&](const Reads& reads) { return reads.variable == variable; };
  if (std::none_of(reads_.begin(), reads_.end(), known)) reads_.push_back({variable, {}});
}

bool Tape::note_read(const Variable& variable, const Tensor& value) {
  if (!recording_ || !ir::is_float(variable.dtype())) return false;
  const auto known = [&](const Reads& reads) { return reads.variable == variable; };
  auto found = std::find_if(reads_.begin(), reads_.end(), known);
  if (found == reads_.end()) {
    if (!watches_accessed_ || !variable.trainable()) return false;
    found = reads_.insert(reads_.end(), {variable, {}});
  }
  for (const Tensor& known_value : found->values)
    if (is_same(known_value, value)) return false;
  found->values.push_back(value);
  return true;
}

std::vector<Tensor> Tape::gradient(std::span<const Tensor> targets, std::span<const Tensor> output_gradients,
                                   std::span<const Variable> sources) {
  // All reads of all sources at once, then their sums.
  std::vector<Tensor> values;
  std::vector<std::size_t> source_of;
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (const Reads& reads : reads_) {
      if (!(reads.variable == sources[i])) continue;
      values.insert(values.end(), reads.values.begin(), reads.values.end());
      source_of.resize(values.size(), i);
    }
  const std::vector<Tensor> gradients = gradient(targets, output_gradients, std::span<const Tensor>(values));
  std::vector<Tensor> sums(sources.size());
  for (std::size_t k = 0; k < gradients.size(); ++k) {
    if (!gradients[k].defined()) continue;
    Tensor& sum = sums[source_of[k]];
    sum = sum.defined() ? sum + gradients[k] : gradients[k];
  }
  return sums;
}

void Tape::clear() {
  clear_record();
  reads_.clear();
}

void Tape::finish() {
  set_recording(false);
  clear_record();
  for (Reads& reads : reads_) reads.values.clear();
}

std::vector<Variable> Tape::watched_variables() const {
  std::vector<Variable> variables;
  variables.reserve(reads_.size());
  for (const Reads& reads : reads_) variables.push_back(reads.variable);
  return variables;
}

Tensor with_new_identity(const Tensor& x) {
  return Tensor::from_bytes(x.type(), x.bytes(), x.type().size_bytes(), x.memory());
}

}  // namespace cornu::inline v0::detail
