#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/data/element.h"

/// Converts between elements and the arguments and results of C++ callables. A tuple's components become the
/// arguments, each a tensor, a number, a text or another element; the result becomes an element again.
namespace cornu::inline v0::data::detail {

[[noreturn]] void fail_arguments(const char* caller, std::size_t num_arguments, const Element& element);

template <typename T>
inline constexpr bool is_pair_or_tuple = false;
template <typename... Parts>
inline constexpr bool is_pair_or_tuple<std::pair<Parts...>> = true;
template <typename... Parts>
inline constexpr bool is_pair_or_tuple<std::tuple<Parts...>> = true;

template <typename T>
struct AlwaysFalse : std::false_type {};

/// A type made of a dataset's stages: Dataset, which this header cannot include.
template <typename T>
concept DatasetLike = requires(const T& value) {
  { value.stage() } -> std::convertible_to<const std::shared_ptr<const Stage>&>;
};

template <typename T>
T argument_of(const Element& element) {
  if constexpr (std::is_same_v<T, Element>) {
    return element;
  } else if constexpr (std::is_same_v<T, Tensor>) {
    return element.tensor();
  } else if constexpr (std::is_arithmetic_v<T>) {
    return element.item<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string(element.text());
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return element.text();
  } else if constexpr (std::is_same_v<T, Text>) {
    return element.shared_text();
  } else if constexpr (std::is_same_v<T, Strings>) {
    return element.strings();
  } else if constexpr (std::is_same_v<T, Ragged>) {
    return element.ragged();
  } else if constexpr (DatasetLike<T>) {
    return T(element.dataset());
  } else {
    static_assert(
        AlwaysFalse<T>::value,
        "a dataset's function takes tensors, numbers, std::string, Strings, Ragged, Dataset or Element");
  }
}

/// Converts the result of a callable to an element.
template <typename T>
Element element_of(T&& value) {
  using Plain = std::remove_cvref_t<T>;
  if constexpr (is_pair_or_tuple<Plain>) {
    return std::apply(
        [](auto&&... parts) {
          std::vector<Element> all;
          all.reserve(sizeof...(parts));
          (all.push_back(element_of(std::forward<decltype(parts)>(parts))), ...);
          return Element(std::move(all));
        },
        std::forward<T>(value));
  } else if constexpr (std::is_convertible_v<Plain, std::string> && !std::is_same_v<Plain, Element>) {
    return Text(std::string(std::forward<T>(value)));
  } else if constexpr (DatasetLike<Plain>) {
    return Element(value.stage());
  } else {
    return Element(std::forward<T>(value));
  }
}

template <typename Signature>
struct Call;
template <typename Class, typename Result, typename... Arguments>
struct Call<Result (Class::*)(Arguments...) const> : Call<Result (*)(Arguments...)> {};
template <typename Class, typename Result, typename... Arguments>
struct Call<Result (Class::*)(Arguments...)> : Call<Result (*)(Arguments...)> {};
template <typename Class, typename Result, typename... Arguments>
struct Call<Result (Class::*)(Arguments...) const noexcept> : Call<Result (*)(Arguments...)> {};
template <typename Result, typename... Arguments>
struct Call<Result (*)(Arguments...)> {
  static constexpr bool kTakesTensors = (std::is_same_v<std::remove_cvref_t<Arguments>, Tensor> && ...);

  template <typename F>
  static decltype(auto) apply(const char* caller, F& f, const Element& element) {
    if constexpr (sizeof...(Arguments) == 1) {
      return f(argument_of<std::remove_cvref_t<Arguments>>(element)...);
    } else {
      if (!element.is_structure() || element.size() != sizeof...(Arguments))
        fail_arguments(caller, sizeof...(Arguments), element);
      return apply_parts(f, element.parts(), std::index_sequence_for<Arguments...>());
    }
  }

 private:
  template <typename F, std::size_t... kIndices>
  static decltype(auto) apply_parts(F& f, std::span<const Element> parts, std::index_sequence<kIndices...>) {
    return f(argument_of<std::remove_cvref_t<Arguments>>(parts[kIndices])...);
  }
};

template <typename F>
struct SignatureOfCallable {
  using type = Call<decltype(&F::operator())>;
};
template <typename F>
  requires std::is_pointer_v<F>
struct SignatureOfCallable<F> {
  using type = Call<F>;
};
template <typename F>
using SignatureOf = typename SignatureOfCallable<F>::type;

/// A callable made by function(): it is compiled and called with tensors.
template <typename F>
concept TracedFunction = requires { typename F::Callable; };

/// Calls `f` with the element converted to its parameter types; a generic callable gets the element itself.
template <typename F>
decltype(auto) call_with(const char* caller, F& f, const Element& element) {
  if constexpr (TracedFunction<F>) {
    using Signature = SignatureOf<typename F::Callable>;
    static_assert(
        Signature::kTakesTensors,
        "a traced function of a dataset takes tensors: anything else would be a constant of its program");
    return Signature::apply(caller, f, element);
  } else if constexpr (std::is_pointer_v<F>) {
    return Call<F>::apply(caller, f, element);
  } else if constexpr (requires { &F::operator(); }) {
    return Call<decltype(&F::operator())>::apply(caller, f, element);
  } else {
    return f(element);
  }
}

/// Wraps the callable as a function from elements to elements.
template <typename F>
std::function<Element(const Element&)> element_function(const char* caller, F f) {
  check_callable(caller, "the function", f);
  return [caller, f = std::move(f)](const Element& element) mutable {
    return element_of(call_with(caller, f, element));
  };
}

/// Wraps the callable as a function from elements to a Result.
template <typename Result, typename F>
std::function<Result(const Element&)> typed_function(const char* caller, F f) {
  check_callable(caller, "the function", f);
  return [caller, f = std::move(f)](const Element& element) mutable -> Result {
    decltype(auto) value = call_with(caller, f, element);
    using Plain = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<Plain, Tensor>)
      return value.template item<Result>();
    else if constexpr (std::is_same_v<Plain, Element>)
      return value.template item<Result>();
    else
      return static_cast<Result>(value);
  };
}

/// Wraps the callable as a function from elements to a dataset's stage.
template <typename F>
std::function<std::shared_ptr<const Stage>(const Element&)> stage_function(const char* caller, F f) {
  check_callable(caller, "the function", f);
  return [caller, f = std::move(f)](const Element& element) mutable -> std::shared_ptr<const Stage> {
    return call_with(caller, f, element).stage();
  };
}

}  // namespace cornu::inline v0::data::detail
