#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/base/check.h"
#include "cornu/ops/all.h"
#include "cornu/ops/index_space.h"

/// Tests of passes as text: a graph in, the printed plan out. b0, b1, ... are the buffers in the order of the
/// plan. For passes before there are buffers, the text is StepText's.
namespace cornu::inline v0::backends::cpu {

/// Prints a step with a line for each op, "v1 = add(a0 v0): 2x3xf32", and a line for its results. Attributes
/// are omitted, except the value of a uniform constant. a0, a1, ... are the step's arguments, v0, v1, ... the
/// results of ops, and r0, r1, ... the arguments of regions, which follow their op.
class StepText {
 public:
  explicit StepText(const ir::Function& step) {
    for (const ir::Value& argument : step.body.arguments()) name(argument, 'a', num_arguments_);
    add_block(step.body, 0);
  }
  const std::string& text() const { return text_; }

 private:
  void name(ir::Value value, char letter, int& count) {
    names_[value] = fmt::format("{}{}", letter, count++);
  }
  std::string names_of(std::span<const ir::Value> values) const {
    std::string out;
    for (const ir::Value& value : values) out += (out.empty() ? "" : " ") + names_.at(value);
    return out;
  }
  static std::string type_str(const ir::TensorType& type) {
    const std::string text = type.str();  // tensor<2x3xf32>
    return text.substr(7, text.size() - 8);
  }

  void add_block(const ir::Block& block, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth + 2), ' ');
    for (const auto& op : block.ops()) {
      for (const ir::Value& result : op->results()) name(result, 'v', num_results_);
      text_ += fmt::format("{}{} = {}({}): {}\n", indent, names_of(op->results()), op->name(),
                           ops::is_constant(op->result()) ? constant_str(*op) : names_of(op->operands()),
                           type_str(op->result().type()));
      for (const auto& region : op->regions()) {
        for (const ir::Value& argument : region->arguments()) name(argument, 'r', num_region_arguments_);
        text_ += fmt::format("{}  ({}):\n", indent, names_of(region->arguments()));
        add_block(*region, depth + 2);
      }
    }
    text_ += fmt::format("{}return {}\n", indent, names_of(block.results()));
  }

  static std::string constant_str(const ir::Op& op) {
    const auto& literal = op.attributes().get<ir::Literal>("value");
    return literal.is_splat() ? fmt::format("{}", literal.at(0)) : "...";
  }

  std::string text_;
  std::unordered_map<ir::Value, std::string, ir::ValueHash> names_;
  int num_arguments_ = 0, num_results_ = 0, num_region_arguments_ = 0;
};

class PlanText : public testing::Test {
 protected:
  ir::Value argument(ir::Dims dims, runtime::ArgumentKind kind = runtime::ArgumentKind::kState,
                     ir::DType dtype = ir::DType::kF32) {
    kinds_.push_back(kind);
    return function_.body.add_argument({dtype, std::move(dims)});
  }
  ir::Value fixed(ir::Dims dims) { return argument(std::move(dims), runtime::ArgumentKind::kFixed); }

  /// Plans a step with these results, and stores the text after each pass.
  void plan(std::vector<ir::Value> results, PlanOptions options = {}) {
    function_.name = "main";
    function_.body.set_results(std::move(results));
    options.after_pass = [&](std::string_view pass, const Plan& each) {
      texts_.emplace(pass, plan_str(each));
      steps_.emplace(pass, StepText(*each.step).text());
    };
    plan_ = make_plan({&function_, kinds_, "test"}, options);
  }

  /// The step's lines after the pass.
  const std::string& step_after(std::string_view pass) const { return steps_.at(std::string(pass)); }
  /// The groups' lines after the pass.
  std::string groups_after(std::string_view pass) const { return lines_after(pass, false); }
  /// The buffers' lines after the pass.
  std::string buffers_after(std::string_view pass) const { return lines_after(pass, true); }

  /// The groups' lines of the whole plan.
  std::string groups(std::vector<ir::Value> results, const PlanOptions& options = {}) {
    plan(std::move(results), options);
    return groups_after("place");
  }

  ir::Function function_;
  std::vector<runtime::ArgumentKind> kinds_;
  ir::Builder b_{function_.body};
  Plan plan_;

 private:
  std::string lines_after(std::string_view pass, bool of_buffers) const {
    const std::string& text = texts_.at(std::string(pass));
    std::string out;
    for (std::size_t begin = text.find('\n') + 1; begin < text.size();) {  // skips the plan's name
      const std::size_t end = text.find('\n', begin);
      const bool is_buffer = text.compare(begin, 3, "  b") == 0 && text[begin + 3] <= '9';  // no branch
      if (is_buffer == of_buffers) out += text.substr(begin, end + 1 - begin);
      begin = end + 1;
    }
    return out;
  }

  std::map<std::string, std::string> texts_, steps_;
};

}  // namespace cornu::inline v0::backends::cpu
