#include "cornu/keras/layers/rnn/row_wise_support.h"

#include <algorithm>
#include <memory>
#include <string>
#include <variant>

#include "cornu/base/error.h"
#include "cornu/keras/base/fault.h"
#include "cornu/keras/layer/traced_types.h"
#include "cornu/keras/layer/types_only.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/transform/batch_dependence.h"

namespace cornu::inline v0::keras::layers {
namespace {

using transform::BatchDependence;
using transform::BatchDependenceAnalysis;

/// True for the same number everywhere, or the same elements.
bool is_same_constant(const ir::Literal& x, const ir::Literal& y) {
  if (x.type() == y.type()) return x == y;
  const bool are_filled = x.type().num_elements() > 0 && y.type().num_elements() > 0;
  return are_filled && x.type().dtype == y.type().dtype && x.is_splat() && y.is_splat() && x.at(0) == y.at(0);
}

/// True for the same number, or the same multiple of the number of rows.
bool is_same_number(std::int64_t few, std::int64_t many) {
  const bool counts_rows = few % kFirstTracedExtent == 0 && many % kSecondTracedExtent == 0;
  return few == many || (counts_rows && few / kFirstTracedExtent == many / kSecondTracedExtent);
}

bool is_same_attribute(const ir::Attribute& few, const ir::Attribute& many) {
  if (few.index() != many.index()) return false;
  if (const auto* const number = std::get_if<std::int64_t>(&few))
    return is_same_number(*number, std::get<std::int64_t>(many));
  if (const auto* const numbers = std::get_if<ir::Dims>(&few)) {
    const auto& others = std::get<ir::Dims>(many);
    return std::equal(numbers->begin(), numbers->end(), others.begin(), others.end(), is_same_number);
  }
  if (const auto* const literal = std::get_if<ir::Literal>(&few))
    return is_same_constant(*literal, std::get<ir::Literal>(many));
  return few == many;
}

bool has_same_attributes(const ir::Op& few, const ir::Op& many) {
  const ir::Attributes &own = few.attributes(), &others = many.attributes();
  return std::equal(own.begin(), own.end(), others.begin(), others.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && is_same_attribute(x.second, y.second);
  });
}

bool is_same_block(const ir::Block& few, const ir::Block& many, const BatchDependenceAnalysis& of_many);

/// True if an op is the same for few rows and for many, apart from extents. Ops that number the rows are not,
/// nor are random numbers that all rows share or that every call repeats.
bool is_same_op(const ir::Op& few, const ir::Op& many, const BatchDependenceAnalysis& of_many) {
  if (&few.def() != &many.def() || few.regions().size() != many.regions().size()) return false;
  if (few.name() == "iota") {
    const auto counted = static_cast<std::size_t>(few.attributes().get<std::int64_t>("iota_dimension"));
    return few.result().dims()[counted] == many.result().dims()[counted];
  }
  if (few.name() == "cornu.random_bits" || few.name() == "cornu.random_uniform") {
    const bool is_counter_known = of_many.of(many.operand(2)).padding.has_value();
    return few.result().dims() != many.result().dims() && !is_counter_known;
  }
  if (!has_same_attributes(few, many)) return false;
  for (std::size_t i = 0; i < few.regions().size(); ++i)
    if (!is_same_block(few.region(i), many.region(i), of_many)) return false;
  return true;
}

bool is_same_block(const ir::Block& few, const ir::Block& many, const BatchDependenceAnalysis& of_many) {
  return std::equal(few.ops().begin(), few.ops().end(), many.ops().begin(), many.ops().end(),
                    [&](const auto& x, const auto& y) { return is_same_op(*x, *y, of_many); });
}

/// A call traced for a number of rows.
class TracedRows {
 public:
  TracedRows(const RowWiseCase& of, std::int64_t num_rows, const RowWiseProofs::Call& call)
      : num_rows_(num_rows) {
    const Trace::Scope scope(trace_);
    CallArguments arguments;
    arguments.random_counter = trace_.add_parameter({DType::kU32, {}});
    if (of.has_padding) {
      arguments.rows.num_valid = trace_.add_parameter({DType::kF32, {}});
      num_valid_ = arguments.rows.num_valid.value();
      arguments.rows.valid = add_rows({DType::kI1, {kUnknown}});
      arguments.rows.exact_because = std::make_shared<std::string>();  // not needed here
    }
    Tensor rows = add_rows(of.rows);
    if (of.mask.has_value()) rows = rows.with_mask(add_rows(*of.mask));
    for (const Tensor& output : call(rows, arguments)) outputs_.push_back(trace_.value_of(output));
    assigns_ = !trace_.assigned().empty();
    block_ = &trace_.builder().block();
  }

  /// The batch-dependence analysis of the traced computation.
  BatchDependenceAnalysis analysis() const {
    BatchDependenceAnalysis result(num_rows_);
    for (const ir::Value& rows : rows_) result.set(rows, BatchDependence::rows(0));
    if (num_valid_.has_value()) result.set(*num_valid_, {.kind = BatchDependence::Kind::kUnknown});
    trace_.report_shapes(result);
    result.run(*block_);
    return result;
  }

  /// True if row i of each output depends on row i only.
  bool keeps_rows_apart(const BatchDependenceAnalysis& analysis) const {
    return !assigns_ && std::all_of(outputs_.begin(), outputs_.end(), [&](const ir::Value& output) {
      const BatchDependence found = analysis.of(output);
      return found.is_rows() && found.same_place(BatchDependence::rows(0));
    });
  }

  /// True if this is the program of `many` with fewer rows.
  bool is_program_of(const TracedRows& many, const BatchDependenceAnalysis& of_many) const {
    const auto is_same_argument = [&](const ir::Value& x, const ir::Value& y) {
      return x.type() == y.type() || std::find(rows_.begin(), rows_.end(), x) != rows_.end();
    };
    const auto is_same_output = [](const ir::Value& x, const ir::Value& y) {
      return x.dtype() == y.dtype() &&
             std::equal(x.dims().begin() + 1, x.dims().end(), y.dims().begin() + 1, y.dims().end());
    };
    const std::span<const ir::Value> own = block_->arguments(), others = many.block_->arguments();
    return std::equal(own.begin(), own.end(), others.begin(), others.end(), is_same_argument) &&
           is_same_block(*block_, *many.block_, of_many) &&
           std::equal(outputs_.begin(), outputs_.end(), many.outputs_.begin(), many.outputs_.end(),
                      is_same_output);
  }

 private:
  Tensor add_rows(TensorType type) {
    type.dims[0] = num_rows_;
    Tensor rows = trace_.add_rows_argument(type);
    rows_.push_back(rows.value());
    return rows;
  }

  std::int64_t num_rows_;
  Trace trace_{"rows"};
  std::vector<ir::Value> rows_, outputs_;
  std::optional<ir::Value> num_valid_;  // depends on all rows
  bool assigns_ = false;
  const ir::Block* block_ = nullptr;
};

bool rows_stay_apart(const RowWiseCase& of, const RowWiseProofs::Call& call) {
  const FaultReceiver::Scope no_faults(nullptr);
  const detail::ReplicaTraceScope one_replica(nullptr);
  const TypesOnlyScope types_only;
  try {
    const TracedRows few(of, kFirstTracedExtent, call), many(of, kSecondTracedExtent, call);
    const BatchDependenceAnalysis of_few = few.analysis(), of_many = many.analysis();
    return few.keeps_rows_apart(of_few) && many.keeps_rows_apart(of_many) && few.is_program_of(many, of_many);
  } catch (const Error&) {
    return false;  // the call itself reports its error
  }
}

}  // namespace

bool RowWiseProofs::hold_for(const RowWiseCase& of, const Call& call) {
  constexpr std::size_t kMostAnswers = 32;  // for layers whose input shapes keep changing
  if (const std::uint64_t epoch = detail::trainable_epoch(); epoch != trainable_epoch_) {
    answers_.clear();
    trainable_epoch_ = epoch;
  }
  const auto known =
      std::find_if(answers_.begin(), answers_.end(), [&](const Answer& answer) { return answer.of == of; });
  if (known != answers_.end()) return known->is_proven;
  const bool is_proven = rows_stay_apart(of, call);
  if (answers_.size() == kMostAnswers) answers_.clear();
  answers_.push_back({of, is_proven});
  return is_proven;
}

}  // namespace cornu::inline v0::keras::layers
