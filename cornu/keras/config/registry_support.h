#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/config/serialize.h"

/// The classes that a configuration can name. The tables follow from the headers (cmake/KerasClasses.cmake);
/// there is no way to add to them at run time.
namespace cornu::inline v0::keras::saving {

template <Family T>
struct ClassRow {
  std::string_view class_name;
  std::shared_ptr<T> (*make)(const Config& config, const ClassId& id);
  /// Writes the options that were read from a configuration again; null for classes that hold other objects.
  Config (*reread)(const Config& config, const ClassId& id);
  /// Keras's module of the class, if it is not module_of<T>().
  const char* module = nullptr;
};

/// "keras.layers", ...
template <Family T>
const char* module_of();

/// "layer", "learning rate schedule", ...
template <Family T>
const char* kind_of();

/// In no order.
template <Family T>
std::span<const ClassRow<T>> class_rows();
template <>
std::span<const ClassRow<Layer>> class_rows<Layer>();
template <>
std::span<const ClassRow<Loss>> class_rows<Loss>();
template <>
std::span<const ClassRow<Metric>> class_rows<Metric>();
template <>
std::span<const ClassRow<Optimizer>> class_rows<Optimizer>();
template <>
std::span<const ClassRow<LearningRateSchedule>> class_rows<LearningRateSchedule>();
template <>
std::span<const ClassRow<Initializer>> class_rows<Initializer>();
template <>
std::span<const ClassRow<Regularizer>> class_rows<Regularizer>();
template <>
std::span<const ClassRow<Constraint>> class_rows<Constraint>();
template <>
std::span<const ClassRow<Quantizer>> class_rows<Quantizer>();
template <>
std::span<const ClassRow<QuantizationConfig>> class_rows<QuantizationConfig>();

/// Layers that hold other layers, and models.
std::span<const ClassRow<Layer>> composite_rows();
/// Layers of the networks in keras.applications.
std::span<const ClassRow<Layer>> application_rows();

template <typename T, typename H, HasFields Options>
ClassRow<T> row_of(std::string_view class_name, const char* module = nullptr) {
  return {class_name,
          [](const Config& config, const ClassId& id) -> std::shared_ptr<T> {
            if constexpr (std::is_same_v<Options, NoFields>) {
              read_fields<NoFields>(config, id);
              return H().shared();
            } else {
              return H(read_fields<Options>(config, id)).shared();
            }
          },
          [](const Config& config, const ClassId& id) {
            return write_fields(read_fields<Options>(config, id), std::string(id.class_name));
          },
          module};
}

/// deserialize for a layer that its model builds.
std::shared_ptr<Layer> deserialize_unbuilt(const Config& config, const Place& place);

}  // namespace cornu::inline v0::keras::saving
