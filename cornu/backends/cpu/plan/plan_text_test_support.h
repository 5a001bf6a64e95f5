#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/ops/all.h"

/// Passes as text: a graph in, the printed plan out. b0, b1, ... are the buffers in the order of the plan.
namespace cornu::inline v0::backends::cpu {

class PlanText : public testing::Test {
 protected:
  ir::Value argument(ir::Dims dims, runtime::ArgumentKind kind = runtime::ArgumentKind::kState,
                     ir::DType dtype = ir::DType::kF32) {
    kinds_.push_back(kind);
    return function_.body.add_argument({dtype, std::move(dims)});
  }
  ir::Value fixed(ir::Dims dims) { return argument(std::move(dims), runtime::ArgumentKind::kFixed); }

  /// Plans a step that returns `results`, and keeps the text after each pass.
  void plan(std::vector<ir::Value> results, PlanOptions options = {}) {
    function_.name = "main";
    function_.body.set_results(std::move(results));
    options.after_pass = [&](std::string_view pass, const Plan& each) {
      texts_.emplace(pass, plan_str(each));
    };
    plan_ = make_plan({&function_, kinds_, "test"}, options);
  }

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
    for (std::size_t begin = text.find('\n') + 1; begin < text.size();) {  // behind the plan's name
      const std::size_t end = text.find('\n', begin);
      const bool is_buffer = text.compare(begin, 3, "  b") == 0 && text[begin + 3] <= '9';  // no branch
      if (is_buffer == of_buffers) out += text.substr(begin, end + 1 - begin);
      begin = end + 1;
    }
    return out;
  }

  std::map<std::string, std::string> texts_;
};

}  // namespace cornu::inline v0::backends::cpu
