// A deep learning recommendation model (DLRM), which predicts clicks on advertisements from 13 counts and 26
// categories. The data are made here in the form of Criteo's data for Kaggle: few of a category's ids are
// frequent, and the 26 tables have from 3 rows to as many as --most-rows allows. --data reads the real file
// train.txt, of which --rows are taken.
//
//   example_32_dlrm                                        # tables of 207,398 rows in all, 13 MB
//   example_32_dlrm --most-rows 2000000 --rows 2000000     # 10,569,296 rows, 676 MB
//
// A step reads and writes the rows of the tables that its batch names and no others:
// docs/guide/recommendation.md.

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/32_dlrm/criteo_data.h"
#include "examples/models/models.h"
#include "examples/support/data.h"

namespace {

namespace keras = cornu::keras;
namespace examples = cornu::examples;
using cornu::Tensor;
using examples::CriteoRows;

struct Settings {
  std::string data, optimizer = "adagrad";
  std::int64_t most_rows = 20000, rows = 100000, epochs = 2, batch_size = 256;
};

CriteoRows rows_from(const CriteoRows& all, std::int64_t begin, std::int64_t end) {
  return {.counts = all.counts.rows(begin, end),
          .ids = all.ids.rows(begin, end),
          .clicks = all.clicks.rows(begin, end)};
}

/// The first nine tenths, and the rest for the test.
std::pair<CriteoRows, CriteoRows> train_and_test(const CriteoRows& all) {
  const std::int64_t num_rows = all.clicks.num_rows(), num_train = num_rows * 9 / 10;
  return {rows_from(all, 0, num_train), rows_from(all, num_train, num_rows)};
}

keras::OptimizerHandle optimizer_of(const std::string& name) {
  if (name == "sgd") return keras::optimizers::SGD({.learning_rate = 0.1});
  return keras::optimizers::Adagrad({.learning_rate = 0.02});
}

void run(examples::Program& program, const Settings& settings) {
  const std::vector<std::int64_t> tables = examples::criteo_tables(program.scaled(settings.most_rows, 1000));
  const std::int64_t num_table_rows = std::accumulate(tables.begin(), tables.end(), std::int64_t{0});
  std::printf("26 tables with %lld rows in all, the largest with %lld\n",
              static_cast<long long>(num_table_rows),
              static_cast<long long>(*std::max_element(tables.begin(), tables.end())));
  const std::int64_t num_rows = program.scaled(settings.rows, 24000);
  const auto [train, test] =
      train_and_test(settings.data.empty() ? examples::make_criteo_rows(num_rows, tables, program.seed())
                                           : examples::read_criteo_rows(settings.data, num_rows, tables));

  keras::Model model = examples::criteo_dlrm(tables);
  model.compile({.optimizer = optimizer_of(settings.optimizer),
                 .loss = "binary_crossentropy",
                 .metrics = {keras::metrics::AUC({.name = "auc"})}});
  const auto history =
      model.fit({train.counts, train.ids}, train.clicks,
                {.batch_size = program.quick() ? 128 : settings.batch_size, .epochs = settings.epochs});
  examples::print_time(program, history);
  const keras::Logs logs =
      model.evaluate({test.counts, test.ids}, test.clicks, {.batch_size = 2048, .verbose = 0});
  program.check("test auc", logs["auc"], 0.6);
}

}  // namespace

int main(int argc, char** argv) {
  examples::Program program("example_32_dlrm",
                            "Trains a deep learning recommendation model on data of Criteo's form",
                            "about 20 seconds");
  Settings settings;
  program.option("--data", &settings.data, "Criteo's file for Kaggle, train.txt; without it, data are made");
  program.option("--rows", &settings.rows, "Rows of data, of which the last tenth are for the test");
  program.option("--most-rows", &settings.most_rows,
                 "Largest number of rows of a table; 2000000: tables of 10.6 million rows in all");
  program.option("--epochs", &settings.epochs, "Passes over the data");
  program.option("--batch-size", &settings.batch_size, "Rows of a batch");
  program.choice("--optimizer", &settings.optimizer, "adagrad sgd", "Optimizer");
  return program.main(argc, argv, [&] { run(program, settings); });
}
