// An LSTM layer that learns to write: windows of 40 characters, 3 apart, the next character to be guessed;
// 128 units, RMSprop with rate 0.01, batches of 128, 60 epochs, as in the program of that name that came with
// Keras. After each epoch it writes a few lines at several temperatures: low ones keep to what is likely,
// high ones dare more.
//
// The text is the licence that lies in the root of this tree; any text in UTF-8 will do, and more of it
// writes better.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "cornu/io/file.h"
#include "cornu/keras/keras.h"
#include "examples/models/models.h"
#include "examples/support/data.h"

namespace {

namespace keras = cornu::keras;
namespace examples = cornu::examples;
using keras::utils::CharacterVocabulary;

constexpr std::int64_t kWindow = 40;

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// At most `size_bytes`, cut between two characters.
std::string first_characters(const std::string& text, std::size_t size_bytes) {
  std::size_t end = std::min(text.size(), size_bytes);
  while (end > 0 && end < text.size() && cornu::io::utf8_length(text, end) == 0) --end;
  return text.substr(0, end);
}

/// The cross entropy of guessing each character by how often it follows the one before in this text.
double nats_by_pairs(const std::vector<std::int32_t>& ids) {
  std::map<std::pair<std::int32_t, std::int32_t>, double> pairs;
  std::map<std::int32_t, double> firsts;
  for (std::size_t i = 1; i < ids.size(); ++i) {
    ++pairs[{ids[i - 1], ids[i]}];
    ++firsts[ids[i - 1]];
  }
  double nats = 0;
  for (const auto& [pair, count] : pairs) nats -= count * std::log(count / firsts[pair.first]);
  return nats / static_cast<double>(ids.size() - 1);
}

/// Draws a number after the probabilities' logarithms over `temperature`.
std::int32_t sample(std::span<const float> probabilities, double temperature, std::mt19937& bits) {
  std::vector<double> weights;
  double sum = 0;
  for (const float probability : probabilities) {
    weights.push_back(std::pow(std::max(static_cast<double>(probability), 1e-30), 1 / temperature));
    sum += weights.back();
  }
  double rest = static_cast<double>(bits()) * 0x1p-32 * sum;
  for (std::size_t i = 0; i + 1 < weights.size(); ++i)
    if ((rest -= weights[i]) < 0) return static_cast<std::int32_t>(i);
  return static_cast<std::int32_t>(weights.size()) - 1;
}

/// Writes at several temperatures after each epoch.
class Writer : public keras::callbacks::Callback {
 public:
  Writer(std::vector<std::int32_t> text, const CharacterVocabulary& vocabulary, std::int64_t length,
         std::uint32_t seed)
      : text_(std::move(text)), vocabulary_(&vocabulary), length_(length), bits_(seed) {}

  void on_epoch_end(std::int64_t epoch, keras::Logs& /*logs*/) override {
    const auto begin = static_cast<std::ptrdiff_t>(bits_() % (text_.size() - kWindow));
    const std::vector<std::int32_t> start(text_.begin() + begin, text_.begin() + begin + kWindow);
    std::printf("\nAfter epoch %lld, from \"%s\":\n", static_cast<long long>(epoch) + 1,
                vocabulary_->decode(start).c_str());
    for (const double temperature : {0.2, 0.5, 1.0, 1.2})
      std::printf("  %.1f: %s\n", temperature, write(start, temperature).c_str());
    std::fflush(stdout);
  }

  std::int64_t num_written() const { return num_written_; }

 private:
  std::string write(std::vector<std::int32_t> window, double temperature) {
    std::vector<std::int32_t> written;
    for (std::int64_t i = 0; i < length_; ++i) {
      const cornu::Tensor x = keras::utils::one_hot_text(vocabulary_->decode(window), *vocabulary_);
      const cornu::Tensor probabilities = model()->predict(x, {.verbose = 0});
      written.push_back(sample(probabilities.data<float>(), temperature, bits_));
      window.erase(window.begin());
      window.push_back(written.back());
    }
    num_written_ += length_;
    return vocabulary_->decode(written);
  }

  std::vector<std::int32_t> text_;
  const CharacterVocabulary* vocabulary_;
  std::int64_t length_;
  std::mt19937 bits_;
  std::int64_t num_written_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  examples::Program program("example_10_lstm_text_generation",
                            "Learns a text character by character and writes more of it", "about 2 minutes");
  std::string path = CORNU_EXAMPLE_FOLDER "/../../LICENSE";
  std::int64_t epochs = 60, length = 400;
  program.option("--data", &path, "A text in UTF-8, better of 100,000 characters and more");
  program.option("--epochs", &epochs, "Passes over the text");
  program.option("--length", &length, "Characters to write after each epoch, at each temperature");
  return program.main(argc, argv, [&] {
    std::string text = lower_case(cornu::io::read_text_file(path));
    if (program.quick()) text = first_characters(text, 4000);
    const CharacterVocabulary vocabulary(text);
    const auto [x, y] = keras::utils::text_windows(text, vocabulary, {.maxlen = kWindow, .step = 3});
    std::printf("%lld characters of %lld kinds, %lld windows\n",
                static_cast<long long>(vocabulary.encode(text).size()),
                static_cast<long long>(vocabulary.size()), static_cast<long long>(x.num_rows()));

    keras::Sequential model = examples::lstm_text_generation(vocabulary.size());
    model.compile(examples::lstm_text_generation_training());
    Writer writer(vocabulary.encode(text), vocabulary, program.scaled(length, 30), program.seed());
    const std::int64_t num_epochs = program.scaled(epochs, 14);
    const auto history = model.fit(x, y, {.batch_size = 128, .epochs = num_epochs, .callbacks = {&writer}});
    model.summary();
    examples::print_time(program, history);
    // Whoever knows how often each character follows each other one pays `pairs`; the layer must have seen
    // further back.
    const double pairs = nats_by_pairs(vocabulary.encode(text));
    std::printf("guessing from the last character alone costs %.4f nats a character\n", pairs);
    program.check_at_most("loss in nats a character", history["loss"].back(),
                          program.quick() ? 0.9 * pairs : std::min(1.2, 0.8 * pairs));
    program.check_true("nothing was written between the epochs",
                       writer.num_written() == 4 * num_epochs * program.scaled(length, 30));
  });
}
