#pragma once

namespace cornu::inline v0::keras {

/// While it lives, layers that this thread calls run only for the types of their results: they keep neither
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
