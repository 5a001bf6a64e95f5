#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/base/function_ref.h"
#include "cornu/base/undefined.h"
#include "cornu/tensor/convolution_algorithm.h"
#include "cornu/tensor/product_precision.h"
#include "cornu/tensor/structure.h"
#include "cornu/tensor/trace/element_source.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// The type of a tensor argument; an extent may be kUnknown.
struct TensorSpec {
  Dims shape;
  DType dtype = DType::kF32;
};

struct FunctionOptions {  // options/tensor.toml
  /// Name of the program, for errors, explain() and stablehlo().
  std::string name = "function";
  /// Types of the tensor arguments, in order; calls with other types throw. Empty: any types.
  std::vector<TensorSpec> input_signature = {};
  /// True: many traces cause no warning, because shapes are meant to differ.
  bool reduce_retracing = false;
  /// Largest number of compiled programs that are kept; beyond it the least recently used one is evicted.
  std::size_t max_programs = 64;
  /// Algorithm of convolutions: "auto" or "direct".
  ConvolutionAlgorithm convolution_algorithm = "auto";
  /// Precision of products: "auto", "highest", "high", "default", "bf16" or "tf32".
  ProductPrecision precision = "auto";
};

namespace detail {

/// The arguments of one call: its tensors, and a key of everything else, including types. Calls with equal
/// keys run the same program.
class CallArguments {
 public:
  enum class Leaf : std::uint64_t { kTensor, kUndefined, kWeak, kVariable, kNumber, kText, kSize, kSource };

  void tensor(const Tensor& tensor);
  void variable(const Variable& variable) {
    push(Leaf::kVariable, 0);
    push_word(reinterpret_cast<std::uintptr_t>(variable.id()));
  }
  template <typename T>
  void number(const T& value) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t) || std::is_floating_point_v<T>,
                  "a number of more than 64 bits");
    const auto plain = [&] {
      if constexpr (std::is_same_v<T, long double>) {
        return static_cast<double>(value);
      } else {
        return value;
      }
    }();
    std::uint64_t bits = 0;
    std::memcpy(&bits, &plain, sizeof(plain));
    constexpr std::uint64_t kKind = std::is_same_v<T, bool>       ? 1
                                    : std::is_floating_point_v<T> ? 2
                                    : std::is_unsigned_v<T>       ? 3
                                                                  : 4;
    push(Leaf::kNumber, kKind << 8 | sizeof(plain));
    push_word(bits);
  }
  void text(std::string_view text);
  /// Reads the source's next element to get its spec.
  void source(ElementSource& source);
  void size(std::size_t size) { push(Leaf::kSize, size); }
  /// Begins an argument of the call. Arguments of different C++ types may have the same leaves.
  void next_argument(const std::type_info& type) {
    push(Leaf::kSize, ~std::uint64_t{0} >> 8);
    push_word(reinterpret_cast<std::uintptr_t>(&type));
  }

  std::span<const Tensor* const> tensors() const { return {tensors_.data(), tensors_.size()}; }
  std::span<ElementSource* const> sources() const {  // each source once
    return {sources_.data(), sources_.size()};
  }
  std::span<const std::uint64_t> key() const {
    if (overflow_.empty()) return {words_.data(), num_words_};
    return {overflow_.data(), overflow_.size()};
  }
  /// The arguments in readable form: {"(20, 4) float32", "3"}.
  static std::vector<std::string> describe(std::span<const std::uint64_t> key);

 private:
  void push(Leaf leaf, std::uint64_t detail) { push_word(static_cast<std::uint64_t>(leaf) << 56 | detail); }
  void push_word(std::uint64_t word) {
    if (overflow_.empty() && num_words_ < words_.size()) {
      words_[num_words_++] = word;
      return;
    }
    overflow(word);
  }
  /// Appends a word that does not fit into words_.
  void overflow(std::uint64_t word);

  std::array<std::uint64_t, 48> words_;
  std::size_t num_words_ = 0;
  std::vector<std::uint64_t> overflow_;
  std::vector<const Tensor*> tensors_;
  std::vector<ElementSource*> sources_;
};

/// Result of tracing the user's function: its tensors, and the structure to put tensors back into.
struct TracedResult {
  std::vector<Tensor> tensors;
  std::any structure;
};

/// The part of Function that does not depend on types.
class FunctionCore {
 public:
  /// Runs the user's function on symbolic tensors in the order of CallArguments::tensors.
  using TraceFn = FunctionRef<TracedResult(std::span<const Tensor>)>;
  /// Receives the results of a call.
  using ResultFn = FunctionRef<void(const std::any& structure, std::span<const Tensor>)>;

  explicit FunctionCore(FunctionOptions options);
  ~FunctionCore();

  void call(const CallArguments& arguments, TraceFn trace, ResultFn result);
  /// The program's text for these arguments; traces it if needed.
  std::string stablehlo(const CallArguments& arguments, TraceFn trace);

  /// Returns the cached object for this key and type; `make` makes it at the first call. Kept as long as this
  /// object.
  std::shared_ptr<void> variant(std::shared_ptr<const void> key, std::type_index type,
                                FunctionRef<std::shared_ptr<void>()> make);

  std::int64_t trace_count() const;
  std::string pretty_printed_signatures() const;
  std::string explain() const;
  std::string stablehlo() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Replaces the tensors in arguments by symbolic ones, in the order of CallArguments::tensors.
struct ArgumentReplacer {
  const Tensor* next;
  void tensor(Tensor& tensor) {
    if (tensor.defined() && !tensor.is_weak()) {
      const bool has_mask = tensor.mask() != nullptr;
      tensor = *next++;
      if (has_mask) tensor = tensor.with_mask(*next++);
    }
  }
  void variable(const Variable&) {}
  template <typename T>
  void number(const T&) {}
  void text(std::string_view) {}
  void size(std::size_t) {}
};

/// True while this thread traces.
bool is_tracing();

}  // namespace detail

/// The callable that function() returns; copies share the compiled programs.
/// Errors: FailedPrecondition if it was moved from.
/// Threads: safe; calls of a program that assigns variables run one after another.
template <typename F>
class Function {
 public:
  using Callable = F;

  explicit Function(F f, FunctionOptions options = {})
      : f_(std::make_shared<F>(std::move(f))),
        core_(std::make_shared<detail::FunctionCore>(std::move(options))) {
    check_callable("function", "f", *f_);
  }

  template <typename... Arguments>
    requires std::is_invocable_v<F&, const std::decay_t<const Arguments>&...>
  auto operator()(const Arguments&... arguments) const {
    using Result = std::remove_cvref_t<std::invoke_result_t<F&, const std::decay_t<const Arguments>&...>>;
    detail::FunctionCore& core = this->core();
    if constexpr (std::is_void_v<Result>) {
      if (detail::is_tracing()) return static_cast<void>((*f_)(arguments...));
      core.call(collect(arguments...), tracer(arguments...), [](const std::any&, std::span<const Tensor>) {});
    } else {
      if (detail::is_tracing()) return Result((*f_)(arguments...));
      std::optional<Result> result;
      core.call(collect(arguments...), tracer(arguments...),
                [&](const std::any& structure, std::span<const Tensor> tensors) {
                  if constexpr (std::is_same_v<Result, Tensor>) {
                    result = tensors.empty() ? Tensor() : tensors[0];
                  } else {
                    result = detail::with_tensors(*std::any_cast<Result>(&structure), tensors);
                  }
                });
      return Result(*std::move(result));
    }
  }

  /// Returns the cached result of make(f) for `key`, one for each result type. For callers that run f in
  /// another way, such as Strategy::run. The result must not hold this function.
  template <typename Make>
  auto variant(std::shared_ptr<const void> key, Make make) const {
    using Variant = std::invoke_result_t<Make&, const std::shared_ptr<F>&>;
    const std::shared_ptr<void> made =
        core().variant(std::move(key), typeid(Variant),
                       [&]() -> std::shared_ptr<void> { return std::make_shared<Variant>(make(f_)); });
    return *std::static_pointer_cast<Variant>(made);
  }

  /// The number of traces of f so far.
  std::int64_t trace_count() const { return core().trace_count(); }
  /// The signatures of the compiled programs, one a line.
  std::string pretty_printed_signatures() const { return core().pretty_printed_signatures(); }
  /// Reports of the compiled programs (see Executable::explain).
  std::string explain() const { return core().explain(); }
  /// The most recently used program as StableHLO text. With arguments: the program for them, which is traced
  /// and compiled if needed, and not run.
  std::string stablehlo() const { return core().stablehlo(); }
  template <typename... Arguments>
    requires(sizeof...(Arguments) > 0 && std::is_invocable_v<F&, const std::decay_t<const Arguments>&...>)
  std::string stablehlo(const Arguments&... arguments) const {
    return core().stablehlo(collect(arguments...), tracer(arguments...));
  }

 private:
  detail::FunctionCore& core() const { return require_defined(core_, "function"); }

  template <typename... Arguments>
  static detail::CallArguments collect(const Arguments&... arguments) {
    detail::CallArguments call;
    ((call.next_argument(typeid(std::decay_t<const Arguments>)), detail::visit_leaves(call, arguments)), ...);
    return call;
  }

  /// Runs f on copies of the arguments that hold the symbolic tensors.
  template <typename... Arguments>
  auto tracer(const Arguments&... arguments) const {
    return [this, &arguments...](std::span<const Tensor> symbolic) -> detail::TracedResult {
      std::tuple<std::decay_t<const Arguments>...> copies(arguments...);
      detail::ArgumentReplacer replacer{symbolic.data()};
      std::apply([&](auto&... copy) { (detail::visit_leaves(replacer, copy), ...); }, copies);
      const auto run = [this](const auto&... copy) { return detail::call_or_nothing(*f_, copy...); };
      auto result = std::apply(run, copies);
      std::vector<Tensor> tensors = detail::tensors_of(result);
      return {std::move(tensors), std::any(std::move(result))};
    };
  }

  std::shared_ptr<F> f_;
  std::shared_ptr<detail::FunctionCore> core_;
};

/// Compiles `f`: a call traces f once for its signature, and from then on runs a compiled program.
///
///     auto train_step = function([&](const Tensor& images, const Tensor& labels) { ...; return loss; });
///
/// f takes and returns tensors, numbers, strings, and vectors, tuples, maps and plain structs of them; it may
/// return nothing. Models, optimizers and the like are captured by reference.
/// Iterators: of a data set, as arguments: next(iterator) in f, also in fori_loop and scan, returns an
///            element in each call and iteration. Before a call the host reads the elements that it takes.
///            OutOfRange if there are fewer, InvalidArgument if they differ in type: nothing runs then, and
///            no element is consumed. A call that fails consumes nothing.
/// Signature: the C++ types of the arguments, dtype and shape of each tensor and of an iterator's elements,
///            the value of every other argument (a C++ number is a constant of the program: pass changing
///            numbers as tensors, a loop's bound for example), the default client, and `trainable` of the
///            variables that f uses.
/// State:     variables that f assigns are updated in place; variables that it only reads are arguments.
///            Concrete tensors that it captures become arguments over 4 KiB, constants below. A value read
///            before a call does not change.
/// Tracing:   C++ side effects of f happen when it is traced, not when it runs; a tensor printed in f shows
///            its type. Variables that the first trace makes are kept; making variables in a later trace is
///            an error. Inside another trace a call is inlined.
/// Gradient:  under a GradientTape a call is one operation, whose gradient program is compiled once.
/// Errors:    exceptions of f, with no state changed. FailedPrecondition if a later trace makes variables,
///            InvalidArgument if tensors do not fit the input signature. The fifth retrace warns once, with
///            the argument that differs.
template <typename F>
Function<std::decay_t<F>> function(F&& f, FunctionOptions options = {}) {
  return Function<std::decay_t<F>>(std::forward<F>(f), std::move(options));
}

}  // namespace cornu::inline v0
