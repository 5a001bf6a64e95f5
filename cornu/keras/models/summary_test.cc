#include "cornu/keras/models/summary.h"

#include <gtest/gtest.h>

namespace cornu::inline v0::keras {
namespace {

// The tables were printed by Keras's own table library for the same rows.
TEST(SummaryTest, IsKerassTableAtTheWidthOfAPipe) {
  const std::string table = render_summary(
      "sequential", summary_columns(false, false),
      {{"dense (Dense)", "(None, 32)", "160"},
       {"a_very_long_layer_name_that_will_not_fit_in (InputLayer)", "(None, 3)", "0 (unbuilt)"}},
      {.trainable = 259, .trainable_bytes = 1036}, 76);
  EXPECT_EQ(table, R"(Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ dense (Dense)                   │ (None, 32)             │           160 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ a_very_long_layer_name_that_wi… │ (None, 3)              │   0 (unbuilt) │
│ (InputLayer)                    │                        │               │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 259 (1.01 KB)
 Trainable params: 259 (1.01 KB)
 Non-trainable params: 0 (0.00 B)
)");
}

TEST(SummaryTest, IsKerassTableInAWideTerminal) {
  const std::string table =
      render_summary("m", summary_columns(false, false), {{"dense (Dense)", "(None, 32)", "160"}},
                     {.trainable = 160,
                      .trainable_bytes = 640,
                      .has_optimizer = true,
                      .optimizer = 322,
                      .optimizer_bytes = 1292},
                     88);
  EXPECT_EQ(table, R"(Model: "m"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━┓
┃ Layer (type)                         ┃ Output Shape                ┃         Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━┩
│ dense (Dense)                        │ (None, 32)                  │             160 │
└──────────────────────────────────────┴─────────────────────────────┴─────────────────┘
 Total params: 482 (1.89 KB)
 Trainable params: 160 (640.00 B)
 Non-trainable params: 0 (0.00 B)
 Optimizer params: 322 (1.26 KB)
)");
}

TEST(SummaryTest, NarrowTerminalsWrapWords) {
  const std::string table =
      render_summary("m", summary_columns(false, false),
                     {{"a_very_long_layer_name (InputLayer)", "(None, 3)", "0 (unbuilt)"}}, {}, 50);
  EXPECT_NE(table.find("│ a_very_long_layer_… │ (None, 3)      │       0 │\n│ (InputLayer)        │          "
                       "      │ (unbui… │\n"),
            std::string::npos)
      << table;
}

TEST(SummaryTest, NumbersReadAsKerasPrintsThem) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(669706), "669,706");
  EXPECT_EQ(with_thousands(123456789), "123,456,789");
  EXPECT_EQ(readable_bytes(0), "0.00 B");
  EXPECT_EQ(readable_bytes(1036), "1.01 KB");
  EXPECT_EQ(readable_bytes(2678824), "2.55 MB");
}

}  // namespace
}  // namespace cornu::inline v0::keras
