#include "cornu/keras/layer/remat_scope.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/remat_scope_support.h"

namespace cornu::inline v0::keras {
namespace {

thread_local std::shared_ptr<const RematScopeOptions> current_remat;

}  // namespace

RematScope::RematScope(RematScopeOptions options) {
  static const std::array<std::string, 4> known = {"full", "activations", "larger_than", "list_of_layers"};
  if (options.mode.has_value() && std::find(known.begin(), known.end(), *options.mode) == known.end())
    unknown_name({"remat_scope", "mode"}, *options.mode, known);
  before_ = std::exchange(current_remat, std::make_shared<const RematScopeOptions>(std::move(options)));
}

RematScope::~RematScope() { current_remat = std::move(before_); }

bool is_computed_again(const RematScopeOptions& options, const std::string& name,
                       std::span<const Tensor> outputs) {
  if (*options.mode == "full") return true;
  if (*options.mode == "list_of_layers")
    return std::find(options.layer_names.begin(), options.layer_names.end(), name) !=
           options.layer_names.end();
  if (*options.mode != "larger_than") return false;
  std::int64_t size = 0;
  for (const Tensor& output : outputs) size += output.num_elements();
  return size > options.output_size_threshold;
}

std::shared_ptr<const RematScopeOptions> RematScope::current() {
  return current_remat == nullptr || !current_remat->mode.has_value() ? nullptr : current_remat;
}

}  // namespace cornu::inline v0::keras
