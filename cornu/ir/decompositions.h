#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir {

/// The decompositions that the composites of a printed module need, each once.
class Decompositions {
 public:
  /// The name of a composite's decomposition: "cornu.softmax.0".
  std::string name_of(const Op& composite);

  std::size_t size() const { return all_.size(); }
  /// The function of a decomposition. It may contain composites, whose decompositions are added when they are
  /// named.
  std::unique_ptr<Function> build(std::size_t i) const;

 private:
  struct Decomposition {
    std::string name;
    const OpDef* def;
    Attributes attributes;
    std::vector<TensorType> operand_types;
  };
  std::vector<Decomposition> all_;
};

}  // namespace cornu::inline v0::ir
