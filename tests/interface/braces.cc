// Braces where a text is wanted. Compiled by interface_test.py, never run: lines marked "refused" must each
// give an error, and all others none.
#include <filesystem>
#include <string>
#include <string_view>

#include "cornu/cornu.h"

using namespace cornu;
using namespace cornu::keras;

void texts_are_taken(const std::string& path, std::string_view view, const std::filesystem::path& folder,
                     Model& model, data::Dataset dataset, Tensors tensors, Checkpoint checkpoint) {
  model.save(path, {.include_optimizer = false});
  model.save(folder / "model.keras");
  model.save("model.keras");
  model.save(view);
  model.save_weights(path + ".weights.h5", {.max_shard_size = 1.0});
  model.load_weights({path});
  load_model(path, {.compile = false});
  load_model(folder);
  callbacks::CSVLogger(path, {.append = true});
  callbacks::CSVLogger("log.csv");
  callbacks::CSVLogger(folder / "log.csv");
  callbacks::CSVLogger({.filename = path, .append = true});
  callbacks::CSVLogger({.filename = path});
  utils::load_npz(folder)["x"].item<float>();
  utils::load_npy(view);
  tensors[0].item<float>();
  tensors[path].item<float>();
  dataset.save(folder);
  io::read_npy(path, io::ReadLimits{});
  runtime::make_client(path, runtime::ClientOptions{});
  with_device(view, [] {});
  checkpoint.add("model", model).add(path, model);
  model.get_layer(0);
  model.get_layer(path);
}

// GCC 12 takes the names of options for the arguments of a constructor of std::string.
void names_of_options_are_refused(const std::string& path, Model& model, data::Dataset dataset,
                                  Checkpoint checkpoint) {
  model.save({.filename = path, .append = true});                            // refused
  model.save({.filepath = path});                                            // refused
  model.save_weights({.filename = path, .append = true});                    // refused
  model.load_weights({.filename = path, .append = true});                    // refused
  load_model({.filename = path, .append = true});                            // refused
  load_model({.path = path});                                                // refused
  callbacks::CSVLogger({.path = path, .append = true});                      // refused
  callbacks::CSVLogger({path, 1});                                           // refused
  save_training_state({.path = path, .step = 1}, {});                        // refused
  load_training_state({.path = path, .step = 1});                            // refused
  checkpoint.save({.path = path, .step = 1});                                // refused
  checkpoint.restore({.path = path, .step = 1});                             // refused
  checkpoint.add({.name = path, .step = 1}, model);                          // refused
  utils::load_npy({.path = path, .limit = 1});                               // refused
  utils::save_npy({.path = path, .limit = 1}, Tensor(1));                    // refused
  utils::load_npz({.path = path, .limit = 1});                               // refused
  utils::save_npz({.path = path, .limit = 1}, Tensor(1));                    // refused
  dataset.save({.path = path, .shards = 1});                                 // refused
  dataset.cache({.path = path, .shards = 1});                                // refused
  data::Dataset::load({.path = path, .shards = 1});                          // refused
  data::NpyDataset({.path = path, .limit = 1});                              // refused
  data::NpzDataset({.path = path, .limit = 1}, {"x"});                       // refused
  data::Hdf5Dataset({.path = path, .limit = 1}, {"x"});                      // refused
  data::load_image({.path = path, .channels = 1});                           // refused
  data::image_dataset_from_directory({.directory = path, .labels = 1}, {});  // refused
  data::text_dataset_from_directory({.directory = path, .labels = 1}, {});   // refused
  data::tfds::load({.name = path, .shuffle = true}, {});                     // refused
  io::read_npy({.path = path, .limit = 1});                                  // refused
  io::NpzFile({.path = path, .limit = 1});                                   // refused
  io::read_file({.path = path, .limit = 1});                                 // refused
  io::EventFile({.folder = path, .limit = 1});                               // refused
  io::RecordReader({.path = path, .limit = 1});                              // refused
  io::RecordWriter({.path = path, .limit = 1});                              // refused
  runtime::make_client({.spec = path, .threads = 1});                        // refused
  connect_devices({.spec = path, .threads = 1});                             // refused
  distribute::connect_to_host({.address = path, .port = 1});                 // refused
  distribute::OneDeviceStrategy({.device = "cpu", .index = 1});              // refused
  Loss::from_name({.name = path, .index = 1});                               // refused
}

void lists_are_refused(const std::string& path, Model& model, Tensors tensors, Logs logs,
                       callbacks::History history, Config config) {
  // Two texts, which are the ends of one for std::string and std::string_view.
  load_model({"a", "b"});                  // refused
  load_model({{"a", "b"}});                // refused
  model.get_layer({"a", "b"});             // refused
  with_device({"a", "b"}, [] {});          // refused
  DeviceScope({"a", "b"});                 // refused
  ops::einsum({"a", "b"}, {Tensor(1)});    // refused
  model_from_json({"a", "b"});             // refused
  utils::CharacterVocabulary({"a", "b"});  // refused
  (void)tensors[{"a", "b"}];               // refused
  (void)logs[{"a", "b"}];                  // refused
  (void)history[{"a", "b"}];               // refused
  (void)config[{"a", "b"}];                // refused
  (void)model->weight({"a", "b"});         // refused
  // A text and a number: its first characters for std::string_view, its last ones for std::string.
  model.get_layer({"kernel", 3});  // refused
  load_model({path, 3});           // refused
  // Nothing.
  load_model({});  // refused
}
