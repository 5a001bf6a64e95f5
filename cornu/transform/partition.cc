#include "cornu/transform/partition.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/transform/manual_computation.h"
#include "cornu/transform/replicate.h"
#include "cornu/transform/sharding_flow.h"

namespace cornu::inline v0::transform {
namespace {

/// A tensor of the original program as its parts, one for each device.
struct Parts {
  TensorSharding sharding;
  std::vector<ir::Value> values;
};

/// The part at a position: the sum of its summands.
ir::Value sum_at(ir::Builder& builder, const Parts& parts, const ir::Dims& position) {
  const TensorSharding& sharding = parts.sharding;
  std::vector<ir::Value> summands(static_cast<std::size_t>(sharding.num_summands));
  for (std::size_t device = 0; device < sharding.positions.size(); ++device) {
    ir::Value& summand = summands[static_cast<std::size_t>(sharding.summands[device])];
    if (!summand && sharding.positions[device] == position) summand = parts.values[device];
  }
  ir::Value sum;
  for (const ir::Value& summand : summands) {
    if (!summand) invalid_argument("[partition] no device has the part of a tensor at {}", position);
    sum = sum ? ops::add(builder, sum, summand) : summand;
  }
  return sum;
}

/// The tensors along the dimensions from `dimension` on at a position, joined of their parts.
ir::Value join(ir::Builder& builder, const Parts& parts, ir::Dims position, std::size_t dimension) {
  const TensorSharding& sharding = parts.sharding;
  if (dimension == position.size()) return sum_at(builder, parts, position);
  std::vector<ir::Value> along;
  for (std::int64_t i = 0; i < sharding.num_parts[dimension]; ++i) {
    position[dimension] = i;
    along.push_back(join(builder, parts, position, dimension + 1));
  }
  return along.size() == 1 ? along[0]
                           : ops::concatenate(builder, along, static_cast<std::int64_t>(dimension));
}

/// The parts of a whole tensor; equal ones are one value. Of several summands the first one is the part.
std::vector<ir::Value> cut(ir::Builder& builder, ir::Value whole, const TensorSharding& sharding) {
  if (sharding.is_replicated()) return std::vector<ir::Value>(sharding.positions.size(), whole);
  const ir::Dims extents = sharding.part_dims(whole.dims());
  std::map<ir::Dims, ir::Value> made;
  std::vector<ir::Value> parts;
  for (std::size_t device = 0; device < sharding.positions.size(); ++device) {
    if (sharding.summands[device] > 0) {
      parts.push_back(ops::full(builder, {whole.dtype(), extents}, 0));
      continue;
    }
    const ir::Dims& position = sharding.positions[device];
    ir::Value& part = made[position];
    if (!part) {
      ir::Dims begin = position, end = position;
      for (std::size_t d = 0; d < extents.size(); ++d) {
        begin[d] *= extents[d];
        end[d] = begin[d] + extents[d];
      }
      part = ops::slice(builder, whole, begin, end, ir::Dims(extents.size(), 1));
    }
    parts.push_back(part);
  }
  return parts;
}

bool has_sharding_ops(const ir::Op& op) {
  if (find_sharding_op(op.def().name) != nullptr) return true;
  return std::any_of(op.regions().begin(), op.regions().end(), [](const auto& region) {
    return std::any_of(region->ops().begin(), region->ops().end(),
                       [](const auto& inner) { return has_sharding_ops(*inner); });
  });
}

/// A block that is being built, and the whole tensors that its ops may use, by value of the original program.
struct Scope {
  ir::Builder builder;
  ir::ValueMap whole;
};

class Partitioner {
 public:
  Partitioner(const ir::ParsedModule& parsed, std::int64_t num_devices)
      : parsed_(parsed),
        body_(parsed.entry().body),
        num_devices_(num_devices),
        reader_(parsed.attributes, num_devices),
        flow_(reader_, num_devices) {}

  PartitionedProgram run();

 private:
  /// The sharding that an argument or a result declares; null if there is none.
  const std::string* declared(const std::vector<ir::Attributes>& attributes, std::size_t i) const;
  void add_arguments();
  void add_results(Scope& scope);

  void lower_ops(Scope& scope, const ir::Block& block);
  void lower_regions(Scope& scope, const ir::Op& op);
  void lower_manual(Scope& scope, const ir::Op& op);
  /// Appends the replicas of a body, which is in manual computations along `axes`.
  void run_body(Scope& scope, const LocalBody& body, std::vector<ir::ValueMap>& maps,
                const std::vector<std::string>& axes);
  void run_nested(Scope& scope, const LocalBody::Nested& nested, std::vector<ir::ValueMap>& maps,
                  std::vector<std::string> axes);
  ir::Value whole(Scope& scope, ir::Value value);
  std::vector<ir::Value> parts(Scope& scope, ir::Value value, const TensorSharding& sharding);

  const ir::ParsedModule& parsed_;
  const ir::Block& body_;
  const std::int64_t num_devices_;
  const ShardingReader reader_;
  ShardingFlow flow_;
  std::unordered_map<ir::Value, Parts, ir::ValueHash> parts_;
  PartitionedProgram program_;
};

const std::string* Partitioner::declared(const std::vector<ir::Attributes>& attributes, std::size_t i) const {
  if (i >= attributes.size()) return nullptr;
  const ir::Attribute* const sharding = attributes[i].find("sdy.sharding");
  if (sharding == nullptr && attributes[i].find("mhlo.sharding") != nullptr)
    fail(ErrorCode::kUnimplemented,
         "[partition] shardings of GSPMD (mhlo.sharding) are not supported: use Shardy's, with "
         "jax_use_shardy_partitioner, JAX's default");
  return sharding == nullptr ? nullptr : std::get_if<std::string>(sharding);
}

void Partitioner::add_arguments() {
  const auto arguments = body_.arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string* const text = declared(parsed_.argument_attributes, i);
    TensorSharding sharding = text == nullptr ? replicated_sharding(arguments[i].rank(), num_devices_)
                                              : reader_.sharding(*text, arguments[i].rank());
    flow_.set(arguments[i], sharding);
    program_.arguments.push_back(sharding);
    parts_[arguments[i]] = {.sharding = std::move(sharding), .values = {}};
  }
  for (std::int64_t device = 0; device < num_devices_; ++device)
    for (const ir::Value& argument : arguments) {
      Parts& of_argument = parts_[argument];
      of_argument.values.push_back(program_.function->body.add_argument(
          {argument.dtype(), of_argument.sharding.part_dims(argument.dims())}));
    }
}

void Partitioner::add_results(Scope& scope) {
  const auto results = body_.results();
  std::vector<std::vector<ir::Value>> of_results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string* const text = declared(parsed_.result_attributes, i);
    program_.results.push_back(text == nullptr ? flow_.of_result(results[i])
                                               : reader_.sharding(*text, results[i].rank()));
    of_results.push_back(parts(scope, results[i], program_.results[i]));
  }
  std::vector<ir::Value> all;
  for (std::size_t device = 0; std::cmp_less(device, num_devices_); ++device)
    for (const std::vector<ir::Value>& of_result : of_results) all.push_back(of_result[device]);
  program_.function->body.set_results(std::move(all));
}

PartitionedProgram Partitioner::run() {
  program_.function = std::make_unique<ir::Function>();
  program_.function->name = parsed_.entry().name;
  add_arguments();
  Scope scope{.builder = ir::Builder(program_.function->body), .whole = {}};
  lower_ops(scope, body_);
  add_results(scope);
  return std::move(program_);
}

ir::Value Partitioner::whole(Scope& scope, ir::Value value) {
  const auto found = scope.whole.find(value);
  if (found != scope.whole.end()) return found->second;
  const auto in_parts = parts_.find(value);
  CORNU_CHECK(in_parts != parts_.end(), "a value of {} has no definition", value.type().str());
  const ir::Value joined =
      join(scope.builder, in_parts->second, ir::Dims(static_cast<std::size_t>(value.rank()), 0), 0);
  scope.whole[value] = joined;
  return joined;
}

std::vector<ir::Value> Partitioner::parts(Scope& scope, ir::Value value, const TensorSharding& sharding) {
  const auto found = parts_.find(value);
  if (found != parts_.end() && found->second.sharding == sharding) return found->second.values;
  return cut(scope.builder, whole(scope, value), sharding);
}

void Partitioner::lower_ops(Scope& scope, const ir::Block& block) {
  for (const auto& op : block.ops()) {
    const ir::LocationScope location(scope.builder, op->location());
    flow_.add(*op);
    if (is_manual_computation(*op)) {
      lower_manual(scope, *op);
    } else if (is_sharding_constraint(*op)) {
      const ir::Value operand = op->operand(0);
      if (const auto found = parts_.find(operand); found != parts_.end())
        parts_[op->result()] = Parts(found->second);
      if (const auto found = scope.whole.find(operand); found != scope.whole.end())
        scope.whole[op->result()] = ir::Value(found->second);
    } else if (has_sharding_ops(*op)) {
      lower_regions(scope, *op);
    } else {
      for (const ir::Value& operand : op->operands()) whole(scope, operand);
      for (const ir::Value& captured : ir::captured_values(*op)) whole(scope, captured);
      ir::clone_op(scope.builder, *op, scope.whole);
    }
  }
}

/// Appends a loop or a branch with manual computations.
void Partitioner::lower_regions(Scope& scope, const ir::Op& op) {
  std::vector<ir::Value> operands;
  for (const ir::Value& operand : op.operands()) operands.push_back(whole(scope, operand));
  for (const ir::Value& captured : ir::captured_values(op)) whole(scope, captured);
  std::vector<std::unique_ptr<ir::Block>> regions;
  for (const auto& region : op.regions()) {
    auto copy = std::make_unique<ir::Block>();
    Scope inner{.builder = ir::Builder(*copy), .whole = scope.whole};
    for (const ir::Value& argument : region->arguments())
      inner.whole[argument] = copy->add_argument(argument.type());
    lower_ops(inner, *region);
    std::vector<ir::Value> results;
    for (const ir::Value& result : region->results()) results.push_back(whole(inner, result));
    copy->set_results(std::move(results));
    regions.push_back(std::move(copy));
  }
  const ir::Op& made =
      scope.builder.create(op.def(), std::move(operands), op.attributes(), std::move(regions));
  for (std::size_t i = 0; i < op.results().size(); ++i) scope.whole[op.result(i)] = made.result(i);
}

void check_argument(const LocalBody& body, std::size_t i, ir::Value part) {
  if (part.type() != body.arguments()[i].type())
    invalid_argument("[partition] argument {} of a manual computation is {}; its sharding gives {}", i,
                     body.arguments()[i].type().str(), part.type().str());
}

void check_result(const TensorSharding& sharding, ir::Value of_body, ir::Value result) {
  if (sharding.part_dims(result.dims()) != of_body.dims())
    invalid_argument("[partition] a result of a manual computation is {}, which is no part of {}",
                     of_body.type().str(), result.type().str());
}

void Partitioner::lower_manual(Scope& scope, const ir::Op& op) {
  const ManualShardings shardings = manual_shardings(op, reader_);
  const LocalBody body = local_body(op.region(0));
  std::vector<ir::ValueMap> maps(static_cast<std::size_t>(num_devices_));
  for (std::size_t i = 0; i < op.operands().size(); ++i) {
    const std::vector<ir::Value> of_devices = parts(scope, op.operand(i), shardings.operands[i]);
    check_argument(body, i, of_devices[0]);
    for (std::size_t device = 0; device < maps.size(); ++device)
      maps[device][body.arguments()[i]] = of_devices[device];
  }
  run_body(scope, body, maps, shardings.axes);
  for (std::size_t i = 0; i < op.results().size(); ++i) {
    check_result(shardings.results[i], body.results[i], op.result(i));
    Parts& made = parts_[op.result(i)];
    made = {.sharding = shardings.results[i], .values = {}};
    for (const ir::ValueMap& map : maps) made.values.push_back(ir::mapped(map, body.results[i]));
    flow_.set(op.result(i), shardings.results[i]);
  }
}

void Partitioner::run_body(Scope& scope, const LocalBody& body, std::vector<ir::ValueMap>& maps,
                           const std::vector<std::string>& axes) {
  for (std::size_t i = 0; i < body.segments.size(); ++i) {
    inline_replicas(scope.builder, *body.segments[i], maps);
    if (i < body.nested.size()) run_nested(scope, body.nested[i], maps, axes);
  }
}

/// The devices whose coordinates along the outer axes are equal have, together, what a device has outside.
void Partitioner::run_nested(Scope& scope, const LocalBody::Nested& nested, std::vector<ir::ValueMap>& maps,
                             std::vector<std::string> axes) {
  const ir::Op& op = *nested.op;
  const ManualShardings shardings = manual_shardings(op, reader_);
  const LocalBody body = local_body(op.region(0));
  std::vector<ir::ValueMap> inner(maps.size());
  for (std::size_t i = 0; i < op.operands().size(); ++i) {
    std::unordered_map<ir::Value, std::vector<ir::Value>, ir::ValueHash> parts_of;
    for (std::size_t device = 0; device < maps.size(); ++device) {
      const ir::Value whole = ir::mapped(maps[device], nested.operands[i]);
      std::vector<ir::Value>& of_devices = parts_of[whole];
      if (of_devices.empty()) of_devices = cut(scope.builder, whole, shardings.operands[i]);
      check_argument(body, i, of_devices[device]);
      inner[device][body.arguments()[i]] = of_devices[device];
    }
  }
  std::vector<std::string> inner_axes = axes;
  inner_axes.insert(inner_axes.end(), shardings.axes.begin(), shardings.axes.end());
  run_body(scope, body, inner, inner_axes);
  if (op.results().empty()) return;
  const std::vector<std::int64_t> groups =
      reader_.groups(op.attributes().get<std::string>("out_shardings"), axes);
  for (std::size_t i = 0; i < op.results().size(); ++i) {
    check_result(shardings.results[i], body.results[i], op.result(i));
    std::map<std::int64_t, Parts> by_group;
    for (std::size_t device = 0; device < maps.size(); ++device) {
      Parts& parts = by_group[groups[device]];
      parts.values.push_back(ir::mapped(inner[device], body.results[i]));
      parts.sharding.positions.push_back(shardings.results[i].positions[device]);
      parts.sharding.summands.push_back(shardings.results[i].summands[device]);
    }
    std::map<std::int64_t, ir::Value> joined;
    for (auto& [group, parts] : by_group) {
      parts.sharding.num_parts = shardings.results[i].num_parts;
      parts.sharding.num_summands = shardings.results[i].num_summands;
      joined[group] =
          join(scope.builder, parts, ir::Dims(static_cast<std::size_t>(op.result(i).rank()), 0), 0);
    }
    for (std::size_t device = 0; device < maps.size(); ++device)
      maps[device][op.result(i)] = joined[groups[device]];
  }
}

}  // namespace

PartitionedProgram partition(const ir::ParsedModule& parsed, std::int64_t num_devices) {
  constexpr std::int64_t kMostDevices = 4096;
  if (num_devices < 1 || num_devices > kMostDevices)
    invalid_argument("[partition] a program has 1 to {} devices; got {}", kMostDevices, num_devices);
  return Partitioner(parsed, num_devices).run();
}

}  // namespace cornu::inline v0::transform
