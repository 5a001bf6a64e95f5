#include <array>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/config/config_parts_support.h"
#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/layer/field_values_support.h"
#include "cornu/keras/layers/core/input_layer.h"
#include "cornu/keras/layers/normalization/spectral_normalization.h"
#include "cornu/keras/layers/preprocessing/pipeline.h"
#include "cornu/keras/layers/rnn/bidirectional.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/keras/layers/rnn/time_distributed.h"
#include "cornu/keras/models/model_config_support.h"

namespace cornu::inline v0::keras::saving {
namespace {

/// A configuration split into the entry that holds other objects, and the rest.
struct Parts {
  const Config& held;
  Config rest;
};

Parts take(const Config& config, const ClassId& id, const char* key) {
  if (!config.is_dict())
    invalid_argument("[from_config] the config of {} must be a dict; got {}", id.class_name,
                     config.kind_name());
  const Config* held = config.find(key);
  if (held == nullptr)
    invalid_argument("[from_config] {} needs the key \"{}\"; there are: {}", id.class_name, key,
                     fmt::join(config.keys(), ", "));
  return {*held, without(config, {key})};
}

/// The layer as a layer of class L.
template <typename L>
std::shared_ptr<L> held_as(const Config& config, const Place& place, const char* expected) {
  auto layer = std::dynamic_pointer_cast<L>(deserialize_unbuilt(config, place));
  if (layer == nullptr) wrong_type(place, expected, config);
  return layer;
}

std::vector<layers::Cell> cells_of(const Config& config, const Place& place) {
  if (!config.is_list()) wrong_type(place, "a list of cells", config);
  std::vector<layers::Cell> cells;
  for (const Config& cell : config.as_list())
    cells.emplace_back(held_as<layers::RecurrentCell>(cell, place, "a recurrent cell"));
  return cells;
}

std::shared_ptr<Layer> make_rnn(const Config& config, const ClassId& id) {
  const Parts parts = take(config, id, "cell");
  const Place place{id.class_name, "cell"};
  const auto options = read_fields<layers::RNNOptions>(parts.rest, id);
  if (parts.held.is_list()) return layers::RNN(cells_of(parts.held, place), options).shared();
  return layers::RNN(layers::Cell(held_as<layers::RecurrentCell>(parts.held, place, "a recurrent cell")),
                     options)
      .shared();
}

std::shared_ptr<Layer> make_stacked_cells(const Config& config, const ClassId& id) {
  const Parts parts = take(config, id, "cells");
  const auto options = read_fields<layers::StackedRNNCellsOptions>(parts.rest, id);
  return layers::StackedRNNCells(cells_of(parts.held, {id.class_name, "cells"}), options).shared();
}

std::shared_ptr<Layer> make_time_distributed(const Config& config, const ClassId& id) {
  const Parts parts = take(config, id, "layer");
  const auto options = read_fields<layers::TimeDistributedOptions>(parts.rest, id);
  return layers::TimeDistributed(deserialize_unbuilt(parts.held, {id.class_name, "layer"}), options).shared();
}

std::shared_ptr<Layer> make_bidirectional(const Config& config, const ClassId& id) {
  const Parts parts = take(config, id, "layer");
  const auto options = read_fields<layers::BidirectionalOptions>(parts.rest, id);
  auto layer = held_as<layers::RecurrentLayer>(parts.held, {id.class_name, "layer"}, "a recurrent layer");
  return layers::Bidirectional(layers::Recurrent(std::move(layer)), options).shared();
}

std::shared_ptr<Layer> make_spectral_normalization(const Config& config, const ClassId& id) {
  const Parts parts = take(config, id, "layer");
  const auto options = read_fields<layers::SpectralNormalizationOptions>(parts.rest, id);
  return layers::SpectralNormalization(deserialize_unbuilt(parts.held, {id.class_name, "layer"}), options)
      .shared();
}

std::shared_ptr<Layer> make_pipeline(const Config& config, const ClassId& id) {
  const Parts parts = take(config, id, "layers");
  const Place place{id.class_name, "layers"};
  if (!parts.held.is_list()) wrong_type(place, "a list of layers", parts.held);
  std::vector<LayerHandle> made;
  for (const Config& layer : parts.held.as_list()) made.emplace_back(deserialize_unbuilt(layer, place));
  return layers::Pipeline(made, read_fields<layers::PipelineOptions>(parts.rest, id)).shared();
}

std::shared_ptr<Layer> make_input_layer(const Config& config, const ClassId& id) {
  return std::make_shared<layers::InputLayer>(read_fields<InputOptions>(config, id));
}

}  // namespace

std::span<const ClassRow<Layer>> composite_rows() {
  static constexpr std::array kRows = {
      ClassRow<Layer>{"InputLayer", &make_input_layer, nullptr},
      ClassRow<Layer>{"RNN", &make_rnn, nullptr},
      ClassRow<Layer>{"StackedRNNCells", &make_stacked_cells, nullptr},
      ClassRow<Layer>{"TimeDistributed", &make_time_distributed, nullptr},
      ClassRow<Layer>{"Bidirectional", &make_bidirectional, nullptr},
      ClassRow<Layer>{"SpectralNormalization", &make_spectral_normalization, nullptr},
      ClassRow<Layer>{"Pipeline", &make_pipeline, nullptr},
      ClassRow<Layer>{"Sequential", &make_sequential, nullptr, "keras"},
      ClassRow<Layer>{"Functional", &make_functional, nullptr, "keras.src.models.functional"},
  };
  return kRows;
}

}  // namespace cornu::inline v0::keras::saving
