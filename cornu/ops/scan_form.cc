#include "cornu/ops/scan_form.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/text/lexer.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ir/text/short_form.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dynamic_slice/dynamic_slice.h"
#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/while/while.h"

namespace cornu::inline v0::ops {
namespace scan_form {
namespace {

using ir::Value;
using Values = std::vector<Value>;

constexpr const char* kSegments = "operandSegmentSizes";

struct Scan {
  std::span<const Value> inputs, inits;
  const ir::Block* body;
  std::size_t dimension;
  std::int64_t size;
  bool is_reverse;

  std::size_t num_outputs() const { return body->results().size() - inits.size(); }
};

ir::Dims without_dimension(ir::Dims dims, std::size_t dimension) {
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(dimension));
  return dims;
}

ir::Dims with_extent(ir::Dims dims, std::size_t dimension, std::int64_t extent) {
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(dimension), extent);
  return dims;
}

void check_types(const Scan& scan) {
  bool fits = scan.body->arguments().size() == scan.inputs.size() + scan.inits.size() &&
              scan.body->results().size() >= scan.inits.size();
  for (std::size_t i = 0; fits && i < scan.inputs.size(); ++i)
    fits = scan.body->arguments()[i].type() ==
           ir::TensorType{scan.inputs[i].dtype(), without_dimension(scan.inputs[i].dims(), scan.dimension)};
  for (std::size_t i = 0; fits && i < scan.inits.size(); ++i)
    fits = scan.body->arguments()[scan.inputs.size() + i].type() == scan.inits[i].type() &&
           scan.body->results()[scan.num_outputs() + i].type() == scan.inits[i].type();
  for (std::size_t i = 0; fits && i < scan.num_outputs(); ++i)
    fits = std::cmp_greater_equal(scan.body->results()[i].rank(), scan.dimension);
  if (!fits)
    invalid_argument(
        "the body must take an element of each input and the carries, and return outputs and carries of the "
        "same types");
}

Scan checked_scan(const ir::ExpandContext& context) {
  const auto& segments = context.attributes.get<ir::Dims>(kSegments);
  const auto dimension = context.attributes.get<std::int64_t>("dimension");
  if (segments.size() != 2 || segments[0] < 0 || segments[1] < 0 ||
      std::cmp_greater(segments[0], context.operands.size()) ||
      std::cmp_not_equal(segments[1], context.operands.size() - static_cast<std::size_t>(segments[0])))
    invalid_argument("{} must divide the operands into inputs and inits; got {}", kSegments, segments);
  if (context.regions.size() != 1) invalid_argument("there must be one body; got {}", context.regions.size());
  if (dimension < 0) invalid_argument("dimension must not be negative; got {}", dimension);
  const auto num_inputs = static_cast<std::size_t>(segments[0]);
  Scan scan{.inputs = context.operands.first(num_inputs),
            .inits = context.operands.subspan(num_inputs),
            .body = context.regions[0].get(),
            .dimension = static_cast<std::size_t>(dimension),
            .size = context.attributes.get<std::int64_t>("scan_dim_size"),
            .is_reverse = context.attributes.get<bool>("is_reverse")};
  for (const Value& input : scan.inputs) {
    if (dimension >= input.rank())
      invalid_argument("dimension must be one of each input; got {} for {}", dimension, input.type().str());
    const std::int64_t extent = input.dims()[scan.dimension];
    if (scan.size >= 0 && extent != scan.size)
      invalid_argument("inputs must have one extent along dimension; got {} and {}", scan.size, extent);
    scan.size = extent;
  }
  if (scan.size < 0) invalid_argument("a scan without inputs needs scan_dim_size");
  check_types(scan);
  return scan;
}

/// Start indices of element `at` of a tensor.
Values starts_of(ir::Builder& b, const Scan& scan, Value at, std::int64_t rank) {
  Values starts(static_cast<std::size_t>(rank), scalar(b, at.dtype(), 0));
  starts[scan.dimension] = at;
  return starts;
}

Value element(ir::Builder& b, const Scan& scan, Value x, Value at) {
  ir::Dims sizes = x.dims();
  sizes[scan.dimension] = 1;
  const Value part = dynamic_slice(b, x, starts_of(b, scan, at, x.rank()), sizes);
  return reshape(b, part, without_dimension(x.dims(), scan.dimension));
}

/// One step: the number of the element, the carries and the outputs so far.
Values step(ir::Builder& b, const Scan& scan, std::span<const Value> values) {
  const Value number = values[0];
  const Value at = scan.is_reverse
                       ? subtract(b, scalar(b, number.dtype(), static_cast<double>(scan.size - 1)), number)
                       : number;
  ir::ValueMap map;
  for (std::size_t i = 0; i < scan.inputs.size(); ++i)
    map[scan.body->arguments()[i]] = element(b, scan, scan.inputs[i], at);
  for (std::size_t i = 0; i < scan.inits.size(); ++i)
    map[scan.body->arguments()[scan.inputs.size() + i]] = values[1 + i];
  const Values made = ir::clone_ops(b, *scan.body, map);
  Values next = {add(b, number, scalar(b, number.dtype(), 1))};
  next.insert(next.end(), made.end() - static_cast<std::ptrdiff_t>(scan.inits.size()), made.end());
  for (std::size_t i = 0; i < scan.num_outputs(); ++i) {
    const Value outputs = values[1 + scan.inits.size() + i];
    const Value part = reshape(b, made[i], with_extent(made[i].dims(), scan.dimension, 1));
    next.push_back(dynamic_update_slice(b, outputs, part, starts_of(b, scan, at, outputs.rank())));
  }
  return next;
}

}  // namespace
}  // namespace scan_form

ir::Attributes read_scan_attributes(ir::OpAttributes& text) {
  text.ignore({"resultSegmentSizes", "is_associative"});
  return {{scan_form::kSegments, text.integers({scan_form::kSegments})},
          {"dimension", text.integer({"dimension"})},
          {"scan_dim_size", text.integer({"scan_dim_size"}, -1)},
          {"is_reverse", text.boolean({"is_reverse"}, false)}};
}

void read_scan_short_form(ir::ShortForm& form) {
  ir::text::Lexer& lexer = form.lexer();
  ir::text::Syntax segments;
  segments.kind = ir::text::SyntaxKind::kIntegers;
  segments.begin = form.position;
  const auto read_list = [&] {
    const std::size_t before = form.operands.size();
    lexer.expect("(");
    while (!lexer.is(")")) {
      form.operands.push_back(form.read_value());
      if (!lexer.accept(",")) break;
    }
    lexer.expect(")");
    segments.integers.push_back(static_cast<std::int64_t>(form.operands.size() - before));
  };
  read_list();
  lexer.expect("inits");
  read_list();
  form.fields.fields.push_back({scan_form::kSegments, std::move(segments)});
  form.read_field();
  if (lexer.accept("attributes")) form.read_fields();
  form.read_region({});
  form.read_types();
}

std::vector<ir::Value> expand_scan(const ir::ExpandContext& context) {
  const scan_form::Scan scan = scan_form::checked_scan(context);
  ir::Builder& b = context.builder;
  scan_form::Values carried = {scalar(b, ir::DType::kI64, 0)};
  carried.insert(carried.end(), scan.inits.begin(), scan.inits.end());
  scan_form::Values results;
  for (std::size_t i = 0; i < scan.num_outputs(); ++i) {
    const ir::TensorType& type = scan.body->results()[i].type();
    carried.push_back(full(b, {type.dtype, scan_form::with_extent(type.dims, scan.dimension, scan.size)}, 0));
  }
  if (scan.size > 0)
    carried = while_(
        b, carried,
        [&](ir::Builder& inner, std::span<const ir::Value> values) {
          return compare(inner, values[0], scalar(inner, ir::DType::kI64, static_cast<double>(scan.size)),
                         ComparisonDirection::kLt);
        },
        [&](ir::Builder& inner, std::span<const ir::Value> values) {
          return scan_form::step(inner, scan, values);
        });
  const auto outputs = carried.begin() + 1 + static_cast<std::ptrdiff_t>(scan.inits.size());
  results.assign(outputs, carried.end());
  results.insert(results.end(), carried.begin() + 1, outputs);
  return results;
}

}  // namespace cornu::inline v0::ops
