#pragma once

namespace cornu::inline v0::keras {

/// While it lives, calls of layers on this thread only infer the types of their results: layers keep neither
/// losses nor states.
class TypesOnlyScope {
 public:
  TypesOnlyScope();
  ~TypesOnlyScope();
  TypesOnlyScope(const TypesOnlyScope&) = delete;
  TypesOnlyScope& operator=(const TypesOnlyScope&) = delete;

 private:
  bool before_;
};

}  // namespace cornu::inline v0::keras
