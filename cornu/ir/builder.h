#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ir {

/// Appends checked ops to a block.
///
/// Errors: InvalidArgument from the op's shape rule, with the prefix `[op]`, and `in layer "..."` if a
///         location is set.
class Builder {
 public:
  explicit Builder(Block& block) : block_(&block) {}

  Block& block() const { return *block_; }

  /// Checks operands and attributes by the op's shape rule and appends the op.
  Op& create(const OpDef& def, std::vector<Value> operands, Attributes attributes = {},
             std::vector<std::unique_ptr<Block>> regions = {});

  /// Sets the location of new ops (a layer's name); returns the previous one.
  std::string set_location(std::string location);
  const std::string& location() const { return location_; }

 private:
  Block* block_;
  std::string location_;
};

/// Sets a builder's location for a scope.
class LocationScope {
 public:
  LocationScope(Builder& builder, std::string location)
      : builder_(builder), before_(builder.set_location(std::move(location))) {}
  ~LocationScope() { builder_.set_location(std::move(before_)); }
  LocationScope(const LocationScope&) = delete;
  LocationScope& operator=(const LocationScope&) = delete;

 private:
  Builder& builder_;
  std::string before_;
};

}  // namespace cornu::inline v0::ir
