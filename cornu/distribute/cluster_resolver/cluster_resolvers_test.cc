#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/distribute/cluster_resolver/simple_cluster_resolver.h"
#include "cornu/distribute/cluster_resolver/slurm_cluster_resolver.h"
#include "cornu/distribute/cluster_resolver/tf_config_cluster_resolver.h"
#include "cornu/distribute/cluster_resolver/tpu_cluster_resolver.h"
#include "cornu/distribute/cluster_resolver/union_resolver.h"

namespace cornu::inline v0::distribute {
namespace {

using Jobs = std::map<std::string, std::vector<std::string>>;

/// Variables that are set as long as this object lives.
class Variables {
 public:
  Variables(std::initializer_list<std::pair<const char*, std::string>> values) {
    for (const auto& [name, value] : values) {
      names_.emplace_back(name);
      setenv(name, value.c_str(), 1);
    }
  }
  ~Variables() {
    for (const std::string& name : names_) unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::vector<std::string> names_;
};

TEST(ClusterSpecTest, SaysWhereTasksAre) {
  const ClusterSpec spec(Jobs{{"worker", {"a:1", "b:2"}}, {"ps", {"c:3"}}});
  EXPECT_EQ(spec.jobs(), (std::vector<std::string>{"ps", "worker"}));
  EXPECT_EQ(spec.task_address("worker", 1), "b:2");
  EXPECT_EQ(spec.num_tasks("worker"), 2);
  EXPECT_EQ(ClusterSpec::from_json(spec.str()), spec);
  const ClusterSpec sparse = ClusterSpec::sparse({{"worker", {{3, "d:4"}}}});
  EXPECT_FALSE(sparse.is_dense("worker"));
  EXPECT_EQ(ClusterSpec::from_json(sparse.str()), sparse);
}

TEST(ClusterSpecTest, WrongFormsAreRefused) {
  expect_error_text({"task 0 of job \"worker\" is at \"a\""}, [] { ClusterSpec(Jobs{{"worker", {"a"}}}); });
  expect_error_text({"not HOST:PORT"}, [] { ClusterSpec(Jobs{{"worker", {"a:70000"}}}); });
  expect_error_text({"there is no job \"worker\""}, [] { (void)ClusterSpec().task_address("worker", 0); });
  expect_error_text({"has no task 1"}, [] { (void)ClusterSpec(Jobs{{"w", {"a:1"}}}).task_address("w", 1); });
  expect_error_text({"line 2, column 20"}, [] { ClusterSpec::from_json("{\n  \"worker\": [\"a:1\",]}"); });
  expect_error_text({"object of jobs"}, [] { ClusterSpec::from_json("[]"); });
  expect_error_text({"must be a list of HOST:PORT"}, [] { ClusterSpec::from_json(R"({"worker": "a:1"})"); });
  expect_error_text({"\"x\" is not an index"}, [] { ClusterSpec::from_json(R"({"worker": {"x": "a:1"}})"); });
  expect_error_text({"must be the text HOST:PORT"}, [] { ClusterSpec::from_json(R"({"worker": [1]})"); });
  expect_error_text({"line 1"}, [] { ClusterSpec::from_json(std::string(100, '[')); });
}

TEST(SimpleClusterResolverTest, GivesWhatItWasGiven) {
  const SimpleClusterResolver resolver(ClusterSpec(Jobs{{"worker", {"a:1", "b:2"}}}),
                                       {.master = "a:1",
                                        .task_type = "worker",
                                        .task_id = 1,
                                        .environment = "here",
                                        .num_accelerators = NumAccelerators{{"GPU", 2}}});
  EXPECT_EQ(resolver.master(), "grpc://a:1");
  EXPECT_EQ(resolver.master({.task_type = "worker", .task_id = 1}), "grpc://b:2");
  EXPECT_EQ(resolver.master({.task_type = "worker", .task_id = 1, .rpc_layer = "http"}), "http://b:2");
  EXPECT_EQ(resolver.num_accelerators(), (NumAccelerators{{"GPU", 2}}));
  EXPECT_EQ(resolver.environment(), "here");
  EXPECT_EQ(resolver.task_id(), 1);
  expect_error_text({"there is no job \"ps\""},
                    [&] { (void)resolver.master({.task_type = "ps", .task_id = 0}); });
}

TEST(TFConfigClusterResolverTest, ReadsTheVariable) {
  const Variables variables{{"TF_CONFIG", R"({"cluster": {"worker": ["a:1", "b:2"]},
                                              "task": {"type": "worker", "index": "1"},
                                              "environment": "cloud"})"}};
  const TFConfigClusterResolver resolver;
  EXPECT_EQ(resolver.cluster_spec(), ClusterSpec(Jobs{{"worker", {"a:1", "b:2"}}}));
  EXPECT_EQ(resolver.task_type(), "worker");
  EXPECT_EQ(resolver.task_id(), 1);
  EXPECT_EQ(resolver.environment(), "cloud");
  EXPECT_EQ(resolver.master(), "grpc://b:2");
  EXPECT_EQ(TFConfigClusterResolver({.task_id = 0, .rpc_layer = "x"}).master(), "x://a:1");
}

TEST(TFConfigClusterResolverTest, AloneThereIsNoMaster) {
  EXPECT_EQ(TFConfigClusterResolver().master(), "");
  EXPECT_TRUE(TFConfigClusterResolver().cluster_spec().empty());
  const Variables one{{"TF_CONFIG", R"({"cluster": {"worker": ["a:1"]}, "task": {"type": "worker"}})"}};
  EXPECT_EQ(TFConfigClusterResolver().master(), "");
}

TEST(TFConfigClusterResolverTest, WrongFormsAreRefused) {
  const std::pair<const char*, const char*> wrong[] = {
      {"{\"cluster\":\n {", "line 2"},
      {"[1]", "TF_CONFIG must be an object"},
      {R"({"cluster": {"worker": 3}})", "must be a list of HOST:PORT"},
      {R"({"task": []})", "\"task\" in TF_CONFIG must be an object"},
      {R"({"task": {"type": 3}})", "\"type\" in TF_CONFIG must be a text"},
      {R"({"task": {"type": "worker", "index": 1e999}})", "a number that is too large"},
      {R"({"task": {"type": "worker", "index": -1}})", "must be a number from 0; got -1"},
      {R"({"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 2}})",
       "this process is task 2 of job \"worker\", which is not in the cluster"}};
  for (const auto& [text, part] : wrong) {
    const Variables variables{{"TF_CONFIG", text}};
    expect_error_text({part}, [] { TFConfigClusterResolver(); });
  }
}

TEST(SlurmClusterResolverTest, ListsAreExpanded) {
  EXPECT_EQ(expand_host_list("n[1-2,07-08],m"), (std::vector<std::string>{"n1", "n2", "n07", "n08", "m"}));
  EXPECT_EQ(expand_host_list("a[9-11]b"), (std::vector<std::string>{"a9b", "a10b", "a11b"}));
  EXPECT_EQ(expand_host_list("n[2147483646-2147483647]"),
            (std::vector<std::string>{"n2147483646", "n2147483647"}));
  EXPECT_EQ(expand_tasks_per_node("2(x3),1"), (std::vector<int>{2, 2, 2, 1}));
  for (const char* text : {"", "n[", "n]", "n[1-", "n[2-1]", "n[a]", "n[1][2]", "n[0-99999999]", ",", "n[]"})
    EXPECT_THROW(expand_host_list(text), Error) << text;
  for (const char* text : {"", "0", "x", "2(x", "2(x)", "2(x0)", "2(y3)", "-1", "1(x99999999)"})
    EXPECT_THROW(expand_tasks_per_node(text), Error) << text;
}

TEST(SlurmClusterResolverTest, TasksGetJobsInTheirOrder) {
  const Variables variables{
      {"SLURM_STEP_NODELIST", "t[01-02],u"}, {"SLURM_STEP_TASKS_PER_NODE", "2,1(x2)"}, {"SLURM_PROCID", "3"}};
  const SlurmClusterResolver workers;
  EXPECT_EQ(workers.cluster_spec(),
            ClusterSpec(Jobs{{"worker", {"t01:8888", "t01:8889", "t02:8888", "u:8888"}}}));
  EXPECT_EQ(workers.task_id(), 3);
  EXPECT_EQ(workers.master(), "grpc://u:8888");
  const SlurmClusterResolver both({.jobs = {{"ps", 1}, {"worker", 3}}, .port_base = 10, .gpus_per_task = 2});
  EXPECT_EQ(both.cluster_spec(),
            ClusterSpec(Jobs{{"ps", {"t01:10"}}, {"worker", {"t01:11", "t02:10", "u:10"}}}));
  EXPECT_EQ(both.task_type(), "worker");
  EXPECT_EQ(both.task_id(), 2);
  EXPECT_EQ(both.num_accelerators(), (NumAccelerators{{"GPU", 2}}));
  expect_error_text({"the jobs have 5 tasks together"},
                    [] { SlurmClusterResolver({.jobs = {{"worker", 5}}}); });
  expect_error_text({"got job \"ps\" with -1"},
                    [] { SlurmClusterResolver({.jobs = {{"ps", -1}, {"worker", 5}}}); });
  expect_error_text({"got job \"worker\" with 3"},
                    [] { SlurmClusterResolver({.jobs = {{"worker", 1}, {"worker", 3}}}); });
}

TEST(SlurmClusterResolverTest, OutsideAStepItSaysSo) {
  expect_error_text({"does not belong to a Slurm step"}, [] { SlurmClusterResolver(); });
  const Variables variables{
      {"SLURM_STEP_NODELIST", "a,b"}, {"SLURM_STEP_TASKS_PER_NODE", "1"}, {"SLURM_PROCID", "0"}};
  expect_error_text({"the step has 2 nodes, but numbers of tasks for 1"}, [] { SlurmClusterResolver(); });
}

TEST(UnionResolverTest, JoinsClusters) {
  const auto make = [](const Jobs& jobs, SimpleClusterOptions options = {}) {
    return std::make_shared<SimpleClusterResolver>(ClusterSpec(jobs), std::move(options));
  };
  const UnionResolver both(
      {make({{"worker", {"a:1"}}, {"ps", {"p:1"}}}),
       make({{"worker", {"b:1"}}}, {.master = "m:1", .task_type = "worker", .task_id = 0})});
  EXPECT_EQ(both.cluster_spec(), ClusterSpec(Jobs{{"worker", {"a:1", "b:1"}}, {"ps", {"p:1"}}}));
  EXPECT_EQ(both.master(), "grpc://m:1");
  EXPECT_EQ(both.task_type(), "worker");
  EXPECT_EQ(both.task_id(), 0);
  EXPECT_EQ(both.master({.task_type = "worker", .task_id = 1}), "grpc://b:1");
  const auto sparse =
      std::make_shared<SimpleClusterResolver>(ClusterSpec::sparse({{"worker", {{2, "c:1"}}}}));
  EXPECT_EQ(UnionResolver({make({{"worker", {"a:1"}}}), sparse}).cluster_spec(),
            ClusterSpec::sparse({{"worker", {{0, "a:1"}, {2, "c:1"}}}}));
  const auto clash = std::make_shared<SimpleClusterResolver>(ClusterSpec::sparse({{"worker", {{2, "d:1"}}}}));
  expect_error_text({"is at \"c:1\" and at \"d:1\""},
                    [&] { (void)UnionResolver({sparse, clash}).cluster_spec(); });
  expect_error_text({"there must be a resolver"}, [] { UnionResolver({}); });
  expect_error_text({"a resolver is null"}, [] { UnionResolver({nullptr}); });
  const UnionResolver disagree({make({}, {.environment = "x"}), make({}, {.environment = "y"})});
  expect_error_text({"disagree"}, [&] { (void)disagree.environment(); });
}

TEST(UnionResolverTest, ClientsAreMadeAsTheirResolversSay) {
  const auto first = std::make_shared<TPUClusterResolver>("grpc://h:1,ca_file=/c.pem");
  EXPECT_EQ(UnionResolver({first}).client_spec("worker", 0), "grpc://h:1,ca_file=/c.pem");
  const auto second = std::make_shared<TPUClusterResolver>("i:2,j:3,token_file=/t");
  const UnionResolver both(
      {first, second,
       std::make_shared<SimpleClusterResolver>(ClusterSpec(Jobs{{"ps", {"p:1"}}, {"worker", {"k:4"}}}))});
  EXPECT_EQ(both.client_spec("worker", 0), "grpc://h:1,ca_file=/c.pem");
  EXPECT_EQ(both.client_spec("worker", 2), "grpc://j:3,token_file=/t") << "task 1 of the second";
  EXPECT_EQ(both.client_spec("worker", 3), "grpc://k:4");
  EXPECT_EQ(both.client_spec("ps", 0), "grpc://p:1");
  for (const auto& [job, task] : {std::pair("worker", 4), std::pair("chief", 0)})
    EXPECT_THROW((void)both.client_spec(job, task), Error) << job;
}

TEST(ClusterResolverTest, ThisProcessIsATaskOnlyWhereItIsOneOfTheCluster) {
  using OwnTask = std::pair<std::string, int>;
  const Variables variables{{"TF_CONFIG", R"({"cluster": {"chief": ["a:1"], "worker": ["b:1", "c:1"]},
                                              "task": {"type": "chief", "index": 0}})"}};
  EXPECT_EQ(TFConfigClusterResolver().own_task(), OwnTask("chief", 0));
  const auto tpus = std::make_shared<TPUClusterResolver>("h:1,i:2");
  EXPECT_EQ(tpus->task_id(), 0);
  EXPECT_EQ(tpus->own_task(), std::nullopt) << "a client of the TPUs";
  const auto unknown = std::make_shared<SimpleClusterResolver>(ClusterSpec(Jobs{{"worker", {"j:1"}}}));
  EXPECT_EQ(unknown->own_task(), std::nullopt);
  const auto own = std::make_shared<SimpleClusterResolver>(
      ClusterSpec(Jobs{{"worker", {"k:1"}}}), SimpleClusterOptions{.task_type = "worker", .task_id = 0});
  EXPECT_EQ(UnionResolver({unknown, own}).own_task(), OwnTask("worker", 1)) << "its index in the union";
  EXPECT_EQ(UnionResolver({tpus, unknown}).own_task(), std::nullopt);
  EXPECT_EQ(UnionResolver({tpus}, {.task_type = "worker", .task_id = 1}).own_task(), OwnTask("worker", 1));
}

/// Counts how often it is asked for the cluster.
class CountingResolver : public ClusterResolver {
 public:
  ClusterSpec cluster_spec() const override {
    ++num_asked;
    return ClusterSpec(Jobs{{"worker", {"a:1", "b:1", "c:1", "d:1"}}});
  }
  std::string master(const TaskName&) const override { return ""; }

  mutable int num_asked = 0;
};

TEST(UnionResolverTest, ResolversAreNotAskedForEachTask) {
  const auto counting = std::make_shared<CountingResolver>();
  const TaskSpecs specs = UnionResolver({counting}).task_specs();
  EXPECT_EQ(specs.at("worker").size(), 4U);
  EXPECT_EQ(specs.at("worker").at(3), "grpc://d:1");
  EXPECT_EQ(counting->num_asked, 2) << "who is there, and what connects to them";
}

TEST(TPUClusterResolverTest, AddressesOfWorkers) {
  for (const char* form : {"grpc://10.0.0.2:8470", "10.0.0.2:8470"}) {
    const TPUClusterResolver resolver(form);
    EXPECT_EQ(resolver.master(), "grpc://10.0.0.2:8470") << form;
    EXPECT_EQ(resolver.cluster_spec(), ClusterSpec(Jobs{{"worker", {"10.0.0.2:8470"}}})) << form;
    EXPECT_EQ(resolver.client_specs(), (std::vector<std::string>{"grpc://10.0.0.2:8470"})) << form;
    EXPECT_EQ(resolver.environment(), "") << form;
  }
  const TPUClusterResolver with_fields("grpc://h:1,ca_file=/c.pem");
  EXPECT_EQ(with_fields.master(), "grpc://h:1");
  EXPECT_EQ(with_fields.client_spec("worker", 0), "grpc://h:1,ca_file=/c.pem");
}

TEST(TPUClusterResolverTest, SeveralAddressesAreTasks) {
  const TPUClusterResolver resolver("grpc://h:1,ca_file=/c.pem,token_file=/t,i:2");
  EXPECT_EQ(resolver.client_specs(),
            (std::vector<std::string>{"grpc://h:1,ca_file=/c.pem,token_file=/t", "grpc://i:2"}));
  const ClusterSpec cluster = resolver.cluster_spec();
  EXPECT_EQ(cluster.as_map().at("worker"), (std::map<int, std::string>{{0, "h:1"}, {1, "i:2"}}));
  EXPECT_EQ(resolver.master({.task_id = 1}), "grpc://i:2");
  EXPECT_EQ(resolver.client_spec("worker", 1), "grpc://i:2");
  expect_error_text({"there is no task 2"}, [&] { (void)resolver.num_accelerators({.task_id = 2}); });
  expect_error_text({"several addresses must be those of different workers"},
                    [] { TPUClusterResolver("h:1,h:1"); });
  expect_error_text({"got \"somewhere\""}, [] { TPUClusterResolver("h:1,somewhere"); });
}

TEST(TPUClusterResolverTest, DevicesOfThisProcessHaveNoMaster) {
  for (const char* form : {"local", "sim:tpu_over_network"}) {
    const TPUClusterResolver resolver(form);
    EXPECT_EQ(resolver.master(), "") << form;
    EXPECT_TRUE(resolver.cluster_spec().empty()) << form;
  }
  EXPECT_EQ(TPUClusterResolver("sim:tpu_over_network").num_accelerators(), (NumAccelerators{{"TPU", 1}}));
}

TEST(TPUClusterResolverTest, AnEmptyNameIsLookedUpInTheEnvironment) {
  expect_error_text({"neither COLAB_TPU_ADDR nor TPU_NAME is set; give"}, [] { TPUClusterResolver(""); });
  const Variables name{{"TPU_NAME", "grpc://n:1"}};
  EXPECT_EQ(TPUClusterResolver("").master(), "grpc://n:1");
  const Variables colab{{"COLAB_TPU_ADDR", "c:1"}};
  EXPECT_EQ(TPUClusterResolver("").master(), "grpc://c:1");
  EXPECT_EQ(TPUClusterResolver("").environment(), "colab");
}

TEST(TPUClusterResolverTest, NamesStandInATable) {
  const std::string path = testing::TempDir() + "/tpu_table";
  std::ofstream(path) << "# ours\nfirst grpc://a:1\nsecond b:2  # the other\n\nwrong c\n";
  EXPECT_EQ(TPUClusterResolver({.tpu = "second", .table_file = path}).master(), "grpc://b:2");
  expect_error_text({"did you mean \"first\""},
                    [&] { TPUClusterResolver({.tpu = "frist", .table_file = path}); });
  expect_error_text({"the table has no address"},
                    [&] { TPUClusterResolver({.tpu = "wrong", .table_file = path}); });
  expect_error_text({"there is no table"}, [] { TPUClusterResolver("first"); });
  const Variables variables{{"CORNU_TPU_TABLE", path}};
  EXPECT_EQ(TPUClusterResolver("first").master(), "grpc://a:1");
  std::ofstream(path) << "name address more\n";
  expect_error_text({"tpu_table:1: a line must be"}, [] { TPUClusterResolver("first"); });
}

TEST(TPUClusterResolverTest, WrongFormsSayWhatWouldWork) {
  expect_error_text({"workers use gRPC; give"}, [] { TPUClusterResolver("http://h:1"); });
  expect_error_text({"has no port; give"}, [] { TPUClusterResolver("grpc://h"); });
  expect_error_text({"not HOST:PORT"}, [] { TPUClusterResolver("h:99999"); });
  expect_error_text({"job_name must not be empty"},
                    [] { TPUClusterResolver({.tpu = "h:1", .job_name = ""}); });
}

}  // namespace
}  // namespace cornu::inline v0::distribute
