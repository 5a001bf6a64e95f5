// Two LSTM layers, one for each direction, on the film reviews of IMDB: 20,000 words, the last 100 of a
// review, vectors of 128, 64 units each way, Adam, batches of 32, 4 epochs, as in the program of that name
// that came with Keras. Real data give 0.83; the check asks for 0.8.

#include "cornu/keras/keras.h"
#include "examples/models/models.h"
#include "examples/support/data.h"

int main(int argc, char** argv) {
  namespace keras = cornu::keras;
  namespace examples = cornu::examples;
  static constexpr std::int64_t kMaxLength = 100;
  examples::Program program("example_09_imdb_bidirectional_lstm",
                            "Tells good film reviews from bad ones by LSTM "
                            "layers in both directions",
                            "about a minute");
  std::string path;
  std::int64_t epochs = 4;
  program.option("--data", &path, "The file imdb.npz");
  program.option("--epochs", &epochs, "Passes over the data");
  return program.main(argc, argv, [&] {
    const auto [train, test] = examples::load_imdb(program, path, {.train = 384, .test = 64});
    const auto padded = [](const keras::Sequences& reviews) {
      return keras::utils::pad_sequences(reviews, {.maxlen = kMaxLength});
    };
    const auto labels = [](const cornu::Tensor& y) {
      return cornu::Tensor::adopt({y.num_rows()}, y.to_vector<float>());
    };
    const cornu::Tensor x_test = padded(test.x), y_test = labels(test.y);

    keras::Sequential model = examples::imdb_bidirectional_lstm();
    keras::CompileOptions training = examples::imdb_bidirectional_lstm_training();
    training.metrics = {"accuracy"};
    model.compile(training);
    const auto history = model.fit(
        padded(train.x), labels(train.y),
        {.batch_size = 32, .epochs = program.scaled(epochs, 5), .validation_data = {x_test, y_test}});
    model.summary();
    examples::print_time(program, history);
    // Few made reviews are learned by heart before they teach anything; the quick run asks for that.
    if (program.quick()) {
      program.check("training accuracy", history["accuracy"].back(), 0.7);
    } else {
      program.check("test accuracy", model.evaluate(x_test, y_test, {.verbose = 0})["accuracy"], 0.8);
    }
  });
}
