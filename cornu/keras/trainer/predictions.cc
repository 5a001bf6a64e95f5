#include "cornu/keras/trainer/predictions.h"

#include <cstring>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

[[noreturn]] void throw_not_rows(const Dims& output) {
  invalid_argument("[predict] an output of the model has the shape {}: its first extent is not the batch",
                   ir::shape_str(output));
}

}  // namespace

Predictions::Predictions(const std::vector<TensorType>& step_types, std::int64_t batch_size,
                         std::int64_t num_rows)
    : batch_size_(batch_size), num_rows_(num_rows), step_types_(step_types) {
  for (const TensorType& step : step_types) {
    if (step.dims.empty() || step.dims[0] != batch_size) throw_not_rows(step.dims);
    step_bytes_.push_back(step.size_bytes());
    TensorType type = step;
    type.dims[0] = num_rows;
    const CheckedSize bytes =
        CheckedSize(step.size_bytes() / static_cast<std::size_t>(batch_size)) * num_rows;
    results_.push_back(with_host_memory(bytes, "the predictions", [&] { return ir::Literal(type); }));
    tails_.emplace_back(num_rows % batch_size != 0 ? step.size_bytes() : 0);
    places_.push_back(nullptr);
  }
}

void Predictions::check_tail(const std::vector<TensorType>& tail_types, std::int64_t num_rows) const {
  for (std::size_t i = 0; i < step_types_.size(); ++i) {
    TensorType wanted = step_types_[i];
    wanted.dims[0] = num_rows;
    if (tail_types[i] == wanted) continue;
    if (tail_types[i].dims.empty() || tail_types[i].dims[0] != num_rows) throw_not_rows(tail_types[i].dims);
    invalid_argument(
        "[predict] an output of the model has the shape {} for a batch of {} rows and {} for the last one of "
        "{}: what differs behind the first axis cannot be joined",
        ir::shape_str(step_types_[i].dims), batch_size_, ir::shape_str(tail_types[i].dims), num_rows);
  }
}

std::span<std::byte* const> Predictions::at_step(std::int64_t step) {
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const bool is_tail = step == num_rows_ / batch_size_;
    places_[i] = is_tail
                     ? tails_[i].data()
                     : results_[i].mutable_bytes().data() + static_cast<std::size_t>(step) * step_bytes_[i];
  }
  return places_;
}

std::vector<Tensor> Predictions::take() {
  const std::int64_t full_steps = num_rows_ / batch_size_;
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const std::size_t full_bytes = static_cast<std::size_t>(full_steps) * step_bytes_[i];
    if (!tails_[i].empty())
      std::memcpy(results_[i].mutable_bytes().data() + full_bytes, tails_[i].data(),
                  results_[i].bytes().size() - full_bytes);
    tensors.emplace_back(results_[i]);
  }
  return tensors;
}

std::vector<Tensor> joined(const std::vector<Tensors>& pieces,
                           const std::vector<std::int64_t>& rows_of_pieces) {
  std::vector<Tensor> results;
  for (std::size_t i = 0; i < pieces.at(0).size(); ++i) {
    std::vector<Tensor> parts;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const Dims& dims = pieces[k][i].shape();
      if (dims.empty() || dims[0] != rows_of_pieces[k]) throw_not_rows(dims);
      parts.push_back(pieces[k][i]);
    }
    results.push_back(parts.size() == 1 ? parts[0] : ops::concatenate(parts, 0));
  }
  return results;
}

}  // namespace cornu::inline v0::keras
