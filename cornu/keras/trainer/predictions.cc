#include "cornu/keras/trainer/predictions.h"

#include <algorithm>
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

/// Errors: InvalidArgument unless there is memory for each output.
void check_count(std::size_t num_outputs, std::span<const OutputMemory> into) {
  if (num_outputs != into.size())
    invalid_argument("[predict_into] the model has {} outputs; got memory for {}", num_outputs, into.size());
}

/// Errors: InvalidArgument unless the memory has the dtype and size of output `i`.
void check_memory(std::size_t i, const TensorType& type, const OutputMemory& memory) {
  if (type.dtype == memory.dtype() && type.size_bytes() == memory.bytes().size()) return;
  invalid_argument("[predict_into] output {} is {}, {} bytes; got {} bytes for elements of {}", i,
                   type_str(type), type.size_bytes(), memory.bytes().size(), ir::numpy_name(memory.dtype()));
}

}  // namespace

Predictions::Predictions(const std::vector<TensorType>& step_types, std::int64_t batch_size,
                         std::int64_t num_rows, std::span<const OutputMemory> into)
    : batch_size_(batch_size), num_rows_(num_rows), step_types_(step_types), into_(into) {
  if (!into.empty()) check_count(step_types.size(), into);
  for (const TensorType& step : step_types) {
    if (step.dims.empty() || step.dims[0] != batch_size) throw_not_rows(step.dims);
    step_bytes_.push_back(step.size_bytes());
    TensorType type = step;
    type.dims[0] = num_rows;
    const CheckedSize bytes =
        CheckedSize(step.size_bytes() / static_cast<std::size_t>(batch_size)) * num_rows;
    if (into.empty())
      results_.push_back(with_host_memory(bytes, "the predictions", [&] { return ir::Literal(type); }));
    else
      check_memory(places_.size(), type, into[places_.size()]);
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
        "{}: outputs that differ beyond the first axis cannot be joined",
        ir::shape_str(step_types_[i].dims), batch_size_, ir::shape_str(tail_types[i].dims), num_rows);
  }
}

std::span<std::byte* const> Predictions::at_step(std::int64_t step) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const bool is_tail = step == num_rows_ / batch_size_;
    places_[i] =
        is_tail ? tails_[i].data() : memory(i).data() + static_cast<std::size_t>(step) * step_bytes_[i];
  }
  return places_;
}

std::vector<Tensor> Predictions::take() {
  const std::int64_t full_steps = num_rows_ / batch_size_;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const std::size_t full_bytes = static_cast<std::size_t>(full_steps) * step_bytes_[i];
    if (!tails_[i].empty())
      std::memcpy(memory(i).data() + full_bytes, tails_[i].data(), memory(i).size() - full_bytes);
  }
  return {results_.begin(), results_.end()};
}

void copy_into(const std::vector<Tensor>& outputs, std::span<const OutputMemory> into) {
  check_count(outputs.size(), into);
  for (std::size_t i = 0; i < outputs.size(); ++i) check_memory(i, outputs[i].type(), into[i]);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!into[i].bytes().empty())
      std::memcpy(into[i].bytes().data(), outputs[i].bytes(), into[i].bytes().size());
}

void check_joins(const Tensors& first, const Tensors& now, std::int64_t step) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    const Dims &had = first[i].shape(), &has = now[i].shape();
    if (had.empty() || has.empty() || std::equal(had.begin() + 1, had.end(), has.begin() + 1, has.end()))
      continue;  // joined() reports scalars
    invalid_argument(
        "[predict] {} has rows of shape {} in batch {}, and of shape {} in the first: predict joins the "
        "outputs of "
        "all batches along their first axis. Give it batches of one shape (padded_batch with .padded_shapes, "
        "layers::Resizing), take an output whose rows do not follow the input's (a pooling layer, "
        ".return_sequences = false), or call predict_on_batch for each batch",
        first.size() == 1 ? std::string("the output") : fmt::format("output {}", i),
        ir::shape_str({has.begin() + 1, has.end()}), step, ir::shape_str({had.begin() + 1, had.end()}));
  }
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
