#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "cli/study/prices.h"
#include "cli/study/report.h"
#include "cli/study/study_log.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"

namespace cornu::inline v0::study {
namespace {

using Json = nlohmann::ordered_json;

/// A price file with one machine's fields changed.
std::string prices_with(const std::string& machine) {
  return R"({"version": 1, "date": "2026-01", "currency": "EUR", "reference": "a", "machines": [)" + machine +
         "]}";
}
constexpr const char* kMachine = R"({"name": "a", "vcpus": 2, "price_per_hour": 0.36, "spot_share": 0.25})";

TEST(PricesTest, ReadsMachinesAndBillsBySeconds) {
  const PriceList list = parse_prices(prices_with(kMachine), "p");
  EXPECT_EQ(list.currency, "EUR");
  const PricedMachine& machine = list.find("a");
  EXPECT_DOUBLE_EQ(list.cost(machine, 1800, false), 0.18);
  EXPECT_DOUBLE_EQ(list.cost(machine, 1800, true), 0.045);
  EXPECT_DOUBLE_EQ(list.cost(machine, 9.2, false), 10 * 0.36 / 3600) << "a second that is begun is paid";
  PriceList by_minute = list;
  by_minute.billing_seconds = 60;
  EXPECT_DOUBLE_EQ(by_minute.cost(machine, 61, false), 120 * 0.36 / 3600);
}

PriceList read_list(const std::string& name) { return read_prices(std::vector<std::string>{name}); }

TEST(PricesTest, TheListOf2017IsThatOfTheStudy) {
  const PriceList list = read_list("gcp-2017-07");
  EXPECT_EQ(list.date, "2017-07");
  EXPECT_EQ(list.find(list.reference).price_per_hour, 0.745);
  EXPECT_NEAR(list.cost(list.find("highcpu-64"), 3600, true), 0.509, 1e-9);
  EXPECT_EQ(list.find("highcpu-8").spot_longest_life_hours, 24);
}

TEST(PricesTest, TheListsHaveThreeProvidersAndSayWhereEachFigureIsFrom) {
  const PriceList all = read_prices(std::vector<std::string>{"aws", "azure", "gcp"});
  EXPECT_GE(all.machines.size(), 30U);
  std::set<std::string> providers, architectures, devices;
  int num_spot = 0;
  for (const PricedMachine& machine : all.machines) {
    providers.insert(machine.provider);
    architectures.insert(machine.architecture);
    devices.insert(machine.device);
    num_spot += machine.spot_share > 0 ? 1 : 0;
    EXPECT_GT(machine.price_source.size(), 10U) << machine.name;
    EXPECT_NE(machine.price_source, all.source) << machine.name << " has a source of its own";
    EXPECT_GT(machine.memory_gib, 0) << machine.name;
    EXPECT_GT(machine.price_per_hour, 0) << machine.name;
  }
  EXPECT_EQ(providers, (std::set<std::string>{"AWS", "Azure", "Google Cloud"}));
  EXPECT_EQ(architectures, (std::set<std::string>{"aarch64", "x86_64"}));
  EXPECT_EQ(devices, (std::set<std::string>{"", "sim:a100", "sim:h100", "sim:h200", "sim:l4", "sim:t4",
                                            "sim:tpu-v5e", "sim:tpu-v6e"}));
  EXPECT_GE(num_spot, 10);
}

TEST(PricesTest, ListsAreFoundByNameAndJoined) {
  EXPECT_EQ(read_list("gcp").date.substr(0, 4), "2026") << "the newest one";
  EXPECT_EQ(read_prices(std::vector<std::string>{"aws", "gcp-2017-07"}).reference,
            read_list("aws").reference);
  EXPECT_NE(error_text_of(ErrorCode::kNotFound, [] { read_list("awz"); })
                .find("there is no price list \"awz\", and no such file; the lists are aws-2026-11, "),
            std::string::npos);
  EXPECT_NE(
      error_text_of(ErrorCode::kInvalidArgument, [] { read_prices(std::vector<std::string>{"aws", "aws"}); })
          .find("is in the prices \"aws\" and \"aws\""),
      std::string::npos);
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, [] { read_prices({}); }).find("no price list"),
            std::string::npos);
}

TEST(PricesTest, VersionsDatesAndSpeedsAreChecked) {
  const auto refused = [](const std::string& text) {
    return error_text_of(ErrorCode::kInvalidArgument, [&] { parse_prices(text, "p"); });
  };
  const std::string good = prices_with(kMachine);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(refused(with("\"version\": 1, ", "")), "[study] prices \"p\" lacks \"version\"");
  EXPECT_EQ(refused(with("\"version\": 1", "\"version\": 2")),
            "[study] prices \"p\" have version 2, and this program reads version 1; docs/guide/cloud-cost.md "
            "describes it");
  for (const char* const date : {"spring", "2026-13", "2026-02-30", "2026", "2026-1x"})
    EXPECT_NE(refused(with("2026-01", date)).find("\"date\" must be a date such as 2026-11"),
              std::string::npos)
        << date;
  EXPECT_EQ(refused(prices_with(R"({"name": "a", "vcpus": 2, "price_per_hour": 1, "vcpu_speed": {"factor": -1,
                                "relative_to": "X", "source": "s"}})")),
            "[study] prices \"p\", machine 1 (\"a\"), \"vcpu_speed\": \"factor\" must be from 0.001 to 1000; "
            "got -1");
  EXPECT_NE(
      refused(prices_with(R"({"name": "a", "vcpus": 2, "price_per_hour": 1, "vcpu_speed": {"factor": 1}})"))
          .find("lacks \"relative_to\""),
      std::string::npos);
  EXPECT_NE(refused(with("\"currency\"", "\"assume_measured_processor\": 1, \"currency\""))
                .find("must be true or false; it is 1"),
            std::string::npos);
}

TEST(PricesTest, WrongFilesAreRefusedByNameOfMachineAndField) {
  const auto refused = [](const std::string& machine) {
    return error_text_of(ErrorCode::kInvalidArgument, [&] { parse_prices(prices_with(machine), "p"); });
  };
  EXPECT_EQ(
      refused(R"({"name": "a", "vcpus": 2, "price_per_hour": -1})"),
      "[study] prices \"p\", machine 1 (\"a\"): \"price_per_hour\" must be from 0 to 1000000000; got -1");
  EXPECT_EQ(refused(R"({"name": "a", "vcpus": 2})"),
            "[study] prices \"p\", machine 1 (\"a\") lacks \"price_per_hour\"");
  EXPECT_EQ(refused(R"({"name": "a", "vcpus": 2, "price_per_hour": "1"})"),
            "[study] prices \"p\", machine 1 (\"a\"): \"price_per_hour\" must be a number; it is \"1\"");
  EXPECT_NE(refused(R"({"name": "a", "vcpus": 2.7, "price_per_hour": 1})")
                .find("machine 1 (\"a\"): \"vcpus\" must be a whole number; got 2.7"),
            std::string::npos);
  EXPECT_NE(refused(R"({"name": "a", "vcpus": 2, "price_per_hour": 1, "spot_share": 1.5})")
                .find("from 0 to 1; got 1.5"),
            std::string::npos);
  EXPECT_NE(refused(R"({"name": "a", "vcpus": 2, "price_per_hour": 1, "spot_shar": 1})")
                .find("did you mean \"spot_share\""),
            std::string::npos);
  EXPECT_NE(refused(std::string(kMachine) + "," + kMachine).find("machine \"a\" is listed twice"),
            std::string::npos);
  EXPECT_NE(refused("").find("at least one machine"), std::string::npos);
  EXPECT_NE(refused("3").find("must be an object"), std::string::npos);
  EXPECT_NE(refused(R"({"name": "b", "vcpus": 2, "price_per_hour": 1})").find("lack the machines a"),
            std::string::npos);
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, [] { parse_prices("{", "p"); }).find("are not JSON"),
            std::string::npos);
}

TEST(PricesTest, MissingMachinesAreNamedTogether) {
  const PriceList list = parse_prices(prices_with(kMachine), "p");
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument,
                          [&] { list.require(std::vector<std::string>{"a", "b", "c"}); })
                .find("lack the machines b, c"),
            std::string::npos);
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument,
                          [] { read_list("gcp-2017-07").require(std::vector<std::string>{"k8"}); })
                .find("did you mean \"k80\"?"),
            std::string::npos);
  EXPECT_NE(error_text_of(ErrorCode::kNotFound, [&] { list.find("b"); }).find("no machine \"b\""),
            std::string::npos);
}

Report small_report() {
  Table table{.title = "Times", .columns = {{"who", ""}, {"seconds", "s"}, {"at_64", "s", true}}, .rows = {}};
  table.add({"a, \"b\" <c>", 1.23456, 0.5});
  table.add({"d", 12345.678, nullptr});
  Plot plot{.title = "A & B",
            .unit = "s",
            .series = {{"one", {{"x", 1, 0.8, 1.3}, {"y", 2, 2, 2, true}}}},
            .reference = 1.0,
            .reference_name = "GPU = 1"};
  return {.title = "Small",
          .notes = {"Measured here."},
          .conclusions = {"a wins."},
          .warnings = {"noise <here>"},
          .tables = {table},
          .plots = {plot},
          .machine = {{"processor", "X"}}};
}

TEST(ReportTest, CsvQuotesAndSaysWhatIsPredicted) {
  EXPECT_EQ(to_csv(small_report().tables[0]),
            "who,seconds_s,at_64_s (predicted)\r\n\"a, \"\"b\"\" <c>\",1.23456,0.5\r\nd,12345.678,\r\n");
}

TEST(ReportTest, TextAlignsAndRounds) {
  const std::string text = to_text(small_report());
  EXPECT_NE(text.find("who         seconds, s  at 64, s (predicted)"), std::string::npos) << text;
  EXPECT_NE(text.find("a, \"b\" <c>  1.235       0.5000"), std::string::npos) << text;
  EXPECT_NE(text.find("warning: noise <here>"), std::string::npos);
}

TEST(ReportTest, HeadingsOfWideTablesAreFolded) {
  Table table{.title = "Wide", .columns = {{"machine", ""}}, .rows = {}};
  std::vector<Json> row = {"a machine with a name"};
  for (int i = 0; i < 6; ++i) {
    table.columns.push_back({.name = "time_with_interruptions", .unit = "s", .is_predicted = true});
    row.emplace_back(i);
  }
  table.add(row);
  std::istringstream lines(to_text(table));
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 120U) << line;  // 200 in one line
    found.push_back(line);
  }
  ASSERT_EQ(found.size(), 1U + 4 + 1) << to_text(table);
  EXPECT_EQ(found[1].find("time with"), found[2].find("interruptions")) << to_text(table);
  EXPECT_EQ(found[4].find("machine"), 0U) << "the last line is next to the cells";
  EXPECT_NE(found[4].find("(predicted)"), std::string::npos);
}

TEST(ReportTest, JsonReadsBack) {
  const Json json = Json::parse(to_json(small_report()).dump());
  EXPECT_EQ(json["tables"][0]["rows"][1]["seconds"], 12345.678);
  EXPECT_TRUE(json["tables"][0]["rows"][1]["at_64"].is_null());
  EXPECT_TRUE(json["tables"][0]["columns"][2]["predicted"].get<bool>());
}

TEST(ReportTest, ThePageHasNothingFromElsewhereAndNoTextThatIsMarkup) {
  const std::string html = to_html(small_report());
  EXPECT_FALSE(std::regex_search(html, std::regex("(src|href)=|@import|url\\(|<script")));
  // The one address is the name of SVG's language.
  std::string rest = html;
  const std::string name = "http://www.w3.org/2000/svg";
  for (std::size_t at = rest.find(name); at != std::string::npos; at = rest.find(name))
    rest.erase(at, name.size());
  EXPECT_EQ(rest.find("http"), std::string::npos);
  EXPECT_NE(html.find("noise &lt;here&gt;"), std::string::npos);
  EXPECT_NE(html.find("a, &quot;b&quot; &lt;c&gt;"), std::string::npos);
  EXPECT_NE(html.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_NE(html.find("@media print"), std::string::npos);
  EXPECT_NE(html.find("width=device-width"), std::string::npos);
}

TEST(ReportTest, PredictedMarksAreLightAndValuesScale) {
  const std::string svg = to_svg(small_report().plots[0]);
  EXPECT_NE(svg.find("fill='var(--s0)' fill-opacity='.25' stroke='var(--s0)' stroke-dasharray='3 2'"),
            std::string::npos)
      << svg;
  EXPECT_NE(svg.find(">predicted</text>"), std::string::npos) << "the legend has the light color";
  EXPECT_NE(svg.find("y: 2 s (predicted)"), std::string::npos);
  EXPECT_NE(svg.find("A &amp; B"), std::string::npos);
  std::smatch match;
  std::vector<double> heights;
  for (std::string rest = svg; std::regex_search(rest, match, std::regex("height='([0-9.]+)' fill='var"));
       rest = match.suffix())
    if (std::stod(match[1]) != 10) heights.push_back(std::stod(match[1]));
  ASSERT_EQ(heights.size(), 2U);
  EXPECT_NEAR(heights[1], 2 * heights[0], 0.2);
  EXPECT_THROW(to_svg({.title = "none", .unit = "s", .series = {}}), Error);
  EXPECT_THROW(to_svg({.title = "nan", .unit = "s", .series = {{"a", {{"x", std::nan("")}}}}}), Error);
}

/// A plot of bars with the values.
Plot plot_of(const std::vector<double>& values) {
  Plot plot{.title = "t", .unit = "ms", .series = {{"a", {}}}};
  for (std::size_t i = 0; i < values.size(); ++i)
    plot.series[0].marks.push_back({"x" + std::to_string(i), values[i]});
  return plot;
}

/// Heights of the bars of a plot.
std::vector<double> heights_of(const std::string& svg) {
  std::vector<double> heights;
  std::smatch match;
  for (std::string rest = svg; std::regex_search(rest, match, std::regex("height='([0-9.]+)' fill='var"));
       rest = match.suffix())
    if (match[1] != "10") heights.push_back(std::stod(match[1]));
  return heights;
}

TEST(ReportTest, ValuesThatDifferByAThousandHaveALogarithmicAxis) {
  const std::string svg = to_svg(plot_of({1, 10, 1000}));
  EXPECT_NE(svg.find("ms (logarithmic axis)"), std::string::npos) << svg;
  for (const char* const tick : {">1</text>", ">10</text>", ">100</text>", ">1,000</text>"})
    EXPECT_NE(svg.find(tick), std::string::npos) << tick << svg;
  const std::vector<double> heights = heights_of(svg);
  ASSERT_EQ(heights.size(), 3U);
  EXPECT_GT(heights[0], 5) << "the smallest is visible";
  EXPECT_NEAR(heights[2] - heights[1], 2 * (heights[1] - heights[0]), 0.3);
  EXPECT_EQ(to_svg(plot_of({1, 10, 40})).find("logarithmic"), std::string::npos);
  EXPECT_EQ(to_svg(plot_of({0, 10, 1000})).find("logarithmic"), std::string::npos) << "0 has no logarithm";
  Plot shares = plot_of({0.001, 100});
  shares.may_be_logarithmic = false;
  EXPECT_EQ(to_svg(shares).find("logarithmic"), std::string::npos);
}

TEST(ReportTest, BarsOfALogarithmicAxisBeginAtTheReference) {
  Plot plot = plot_of({0.01, 1, 100});
  plot.reference = 1;
  const std::vector<double> heights = heights_of(to_svg(plot));
  ASSERT_EQ(heights.size(), 3U);
  EXPECT_NEAR(heights[0], heights[2], 0.3) << "a hundredth goes down as far as the hundredfold goes up";
  EXPECT_EQ(heights[1], 0.5) << "a line";
}

TEST(ReportTest, AnAxisOfSharesEndsAtAHundredPercent) {
  Plot plot = plot_of({12, 100});
  plot.unit = "%";
  EXPECT_EQ(to_svg(plot).find(">120</text>"), std::string::npos);
  plot.unit = "s";
  EXPECT_NE(to_svg(plot).find(">120</text>"), std::string::npos) << "other values have a margin";
}

TEST(ReportTest, TheReferencesNameIsAboveTheBars) {
  const std::string svg = to_svg(small_report().plots[0]);
  const std::size_t name = svg.find(">GPU = 1</text>");
  ASSERT_NE(name, std::string::npos);
  EXPECT_GT(name, svg.rfind("<rect")) << "drawn last";
  EXPECT_NE(svg.rfind("<text class='above'", name), std::string::npos);
}

TEST(ReportTest, NoLineOfThePageBeginsWithAPercentSign) {
  Report report = small_report();
  report.conclusions = {"64 reach 80 % efficiency"};
  EXPECT_NE(to_html(report).find("80&nbsp;% efficiency"), std::string::npos);
}

TEST(ReportTest, TicksHaveNoMoreDigitsThanTheyNeed) {
  const std::string svg = to_svg(plot_of({0.0007, 0.0011}));
  EXPECT_NE(svg.find(">0.0012</text>"), std::string::npos) << svg;
  EXPECT_NE(to_svg(plot_of({3, 7})).find(">2</text>"), std::string::npos);
  EXPECT_NE(to_svg(plot_of({1.2, 1.4})).find(">0.5</text>"), std::string::npos);
}

TEST(ReportTest, ThePageShowsBytesInMegabytesAndWarningsInABox) {
  Report report = small_report();
  report.machine = {{"instruction_sets", "avx512"}, {"l3_cache_bytes", 33554432}};
  const std::string html = to_html(report);
  EXPECT_NE(html.find("<th>L3 cache</th><td class='text'>33.6 MB</td>"), std::string::npos) << html;
  EXPECT_NE(html.find("<th>instruction sets</th><td class='text'>avx512</td>"), std::string::npos);
  EXPECT_EQ(html.find("33554432"), std::string::npos);
  EXPECT_NE(html.find("<p class='warning'><strong>Warning:</strong> noise"), std::string::npos);
}

TEST(ReportTest, TheTextFitsTheTerminal) {
  for (const std::size_t width : {24, 40, 80}) {
    std::istringstream lines(to_text(small_report(), width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
  }
  EXPECT_NE(to_text(small_report(), 24).find("at 64, s (predicted)\n  0.5000\n"), std::string::npos)
      << to_text(small_report(), 24);
}

TEST(PricesTest, AListThatIsOlderThan90DaysIsNamed) {
  using namespace std::chrono_literals;
  using std::chrono::sys_days;
  PriceList list = parse_prices(prices_with(kMachine), "p");  // of 2026-01
  EXPECT_EQ(list.age_warning(sys_days(2026y / 4 / 1)), "") << "90 days";
  EXPECT_NE(list.age_warning(sys_days(2026y / 4 / 2)).find("The prices \"p\" are of 2026-01, 91 days old"),
            std::string::npos)
      << list.age_warning(sys_days(2026y / 4 / 2));
  EXPECT_NE(list.age_warning(sys_days(2028y / 3 / 1)).find("2 years old"), std::string::npos);
  EXPECT_NE(list.age_warning(sys_days(2028y / 3 / 1)).find("--prices"), std::string::npos);
  list.machines[0].price_date = "2025-06-01";
  EXPECT_EQ(
      list.age_warning(sys_days(2026y / 2 / 1)),
      "1 of the 1 prices of \"p\" are more than 90 days old, the oldest one is of 2025-06-01: the table of "
      "prices gives the date of each.");
}

TEST(ReportTest, TheFrontOfCostAgainstTimeIsALineAndItsFiguresAreATable) {
  const Scatter scatter{
      .title = "x: cost against time",
      .x_title = "s",
      .y_title = "USD",
      .points = {{.label = "fast & dear", .x = 10, .y = 5, .x_low = 9, .x_high = 12, .is_on_front = true},
                 {.label = "slow", .x = 400, .y = 0.2, .is_on_front = true},
                 {.label = "beaten", .x = 500, .y = 6}}};
  const std::string svg = to_svg(scatter);
  EXPECT_NE(svg.find("class='front'"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">fast &amp; dear</text>"), std::string::npos) << "named beside its point";
  EXPECT_EQ(svg.find(">beaten</text>"), std::string::npos);
  EXPECT_NE(svg.find("<title>beaten: 500 s, 6 USD (predicted)</title>"), std::string::npos) << svg;
  EXPECT_NE(svg.find("class='spread'"), std::string::npos);
  const Table figures = figures_of(scatter);
  ASSERT_EQ(figures.rows.size(), 3U);
  EXPECT_EQ(figures.rows[0][2], 9.0);
  EXPECT_TRUE(figures.rows[1][2].is_null());
  Report report = small_report();
  report.scatters = {scatter};
  EXPECT_LT(to_html(report).find("class='front'"), to_html(report).find("A &amp; B"))
      << "the front comes first";
  EXPECT_EQ(to_json(report)["figures"].size(), 2U);
  EXPECT_EQ(to_json(report)["figures"][0]["rows"][1]["label"], "slow");
  EXPECT_THROW(to_svg(Scatter{.title = "none", .x_title = "", .y_title = "", .points = {}}), Error);
  EXPECT_THROW(to_svg(Scatter{.title = "0", .x_title = "", .y_title = "", .points = {{.label = "a"}}}),
               Error);
}

TEST(ReportTest, ALegendThatIsWiderThanThePageHasSeveralRows) {
  Plot plot{.title = "Many", .unit = "s", .series = {}};
  for (int i = 0; i < 12; ++i)
    plot.series.push_back({"a network, batch " + std::to_string(i), {{"x", 1.0 + i}}});
  const std::string svg = to_svg(plot);
  const std::regex name("<text x='([0-9.]+)' y='([0-9.]+)'>(a network[^<]*)<");
  std::set<double> rows;
  int num_names = 0;
  for (std::sregex_iterator each(svg.begin(), svg.end(), name), end; each != end; ++each, ++num_names) {
    EXPECT_LE(std::stod((*each)[1]) + 7.0 * static_cast<double>((*each)[3].length()), 720) << each->str();
    rows.insert(std::stod((*each)[2]));
  }
  EXPECT_EQ(num_names, 12);
  EXPECT_EQ(rows.size(), 3U);
  EXPECT_NE(svg.find("viewBox='0 0 720 392'"), std::string::npos) << "two rows more";
  EXPECT_NE(to_svg(small_report().plots[0]).find("viewBox='0 0 720 360'"), std::string::npos);
}

struct StudyFilesTest : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("cornu_study_test_" + std::to_string(getpid()));
  StudyFilesTest() { std::filesystem::create_directories(folder); }
  ~StudyFilesTest() override { std::filesystem::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  static std::string read(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(StudyFilesTest, AReportIsWrittenInEveryForm) {
  const auto files = write_files(small_report(), path("r"));
  EXPECT_EQ(files, (std::vector<std::string>{path("r.csv"), path("r.json"), path("r.html"), path("r-1.svg"),
                                             path("r-figure-1.csv")}));
  for (const std::string& file : files) EXPECT_GT(std::filesystem::file_size(file), 20U) << file;
  EXPECT_NE(error_text_of(ErrorCode::kUnavailable, [&] { write_files(small_report(), path("none/r")); })
                .find("none/r.csv\": No such file or directory"),
            std::string::npos);
}

TEST_F(StudyFilesTest, AStudyGoesOnWhereItWas) {
  const Json header = {{"steps", 10}, {"machine", {{"processor", "X"}}}};
  int measured = 0;
  const auto measure = [&] { return Json(++measured); };
  {
    StudyLog log(path("log"), header, false);
    EXPECT_EQ(log.get("a", measure), 1);
    EXPECT_EQ(log.get("b", measure), 2);
    EXPECT_EQ(log.get("a", measure), 1);
  }
  std::ofstream(path("log"), std::ios::app) << "{\"name\": \"c\", \"val";  // cut off
  StudyLog log(path("log"), header, true);
  EXPECT_EQ(log.num_found(), 2U);
  EXPECT_EQ(log.get("b", measure), 2) << "not measured again";
  EXPECT_EQ(log.get("c", measure), 3);
  EXPECT_EQ(StudyLog(path("log"), header, true).num_found(), 3U) << "the cut line is gone";
}

TEST_F(StudyFilesTest, AnotherMachineOrStudyIsRefusedWithTheDifference) {
  {
    const StudyLog log(path("log"), {{"steps", 10}, {"machine", {{"processor", "X"}, {"processors", 2}}}},
                       false);
  }
  const std::string message = error_text_of(ErrorCode::kFailedPrecondition, [&] {
    StudyLog(path("log"), {{"steps", 20}, {"machine", {{"processor", "Y"}, {"processors", 2}}}}, true);
  });
  EXPECT_NE(message.find("steps: 10 there, 20 here; machine.processor: \"X\" there, \"Y\" here"),
            std::string::npos)
      << message;
  EXPECT_NE(read(path("log")).find("\"X\""), std::string::npos) << "nothing is lost";
}

TEST_F(StudyFilesTest, AWrongValueInALogIsRefusedByItsLine) {
  std::ofstream(path("log")) << R"({"study": {"steps": 10}})"
                             << "\n"
                             << R"({"name": "a", "value": 1.5})"
                             << "\n"
                             << R"({"name": "b", "value": "fast"})"
                             << "\n"
                             << R"({"name": "c", "value": [1, -2]})"
                             << "\n";
  StudyLog log(path("log"), {{"steps", 10}}, true);
  const auto nothing = [] { return 0.0; };
  const auto none = [] { return std::vector<double>{}; };
  EXPECT_EQ(log.number("a", nothing), 1.5);
  EXPECT_EQ(error_text_of(ErrorCode::kInvalidArgument, [&] { log.number("b", nothing); }),
            "[study] \"" + path("log") +
                "\", line 3: the value of \"b\" must be a number that is finite and not negative; it is "
                "\"fast\"");
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, [&] { log.numbers("c", 2, none); })
                .find("line 4: the value of \"c\" must be a list"),
            std::string::npos);
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, [&] { log.numbers("a", 0, none); }).find("line 2"),
            std::string::npos);
}

TEST_F(StudyFilesTest, WhatIsNoLogIsRefused) {
  EXPECT_THROW(StudyLog(path("none"), {}, true), Error);
  std::ofstream(path("text")) << "hello\n";
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, [&] { StudyLog(path("text"), {}, true); })
                .find("line 1: is not the log"),
            std::string::npos);
  EXPECT_THROW(StudyLog("", {}, true), Error);
  EXPECT_NE(error_text_of(ErrorCode::kUnavailable, [&] { StudyLog(path("no/such/folder"), {}, false); })
                .find("no/such/folder\": No such file or directory"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::study
