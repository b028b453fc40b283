#include "bench/compare.h"

#include "bench/growth_plot.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace carom::bench {
namespace {

struct Case {
  std::string name;
  std::size_t operations;
  Work ours;
  std::string peer;
  Work peers;
  Clock clock;
};

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

// Keeps the medians and prints nothing.
class Medians final : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      // What is measured once has no median.
      if (run.run_type == Run::RT_Iteration || run.aggregate_name == "median") {
        const bool wall = !run.run_name.time_type.empty();
        nanoseconds[run.run_name.function_name] =
            wall ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime();
      }
    }
  }

  std::map<std::string, double> nanoseconds;
};

int usage() {
  std::puts(
      "A bench of carom against its peers.\n"
      "  --json FILE      also write the rows as JSON\n"
      "  --plot FILE      draw how times grow, of cases that have a number in their names (SVG)\n"
      "  --filter TEXT    only the cases whose name contains TEXT\n"
      "  --case NAME      only the case of this name\n"
      "  --repetitions N  how often each side is measured (default 9); the median counts\n"
      "  --alone N        our side only, N times, for a profiler\n"
      "Example: bench_primitives --filter triangle --json out/primitives.json");
  return 0;
}

std::string json_row(const Case& c, double ours, double peer) {
  char numbers[160];
  std::snprintf(numbers, sizeof numbers,
                "\"ours_ns\": %.3f, \"peer\": \"%s\", \"peer_ns\": %.3f, \"ratio\": %.3f", ours,
                c.peer.c_str(), peer, peer / ours);
  return "  {\"case\": \"" + c.name + "\", " + numbers + "}";
}

bool write_json(const char* file, const std::vector<std::string>& rows) {
  std::FILE* f = std::fopen(file, "w");
  if (!f) {
    std::fprintf(stderr, "bench: cannot write %s: %s\n", file, std::strerror(errno));
    return false;
  }
  std::fputs("[\n", f);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::fprintf(f, "%s%s\n", rows[i].c_str(), i + 1 < rows.size() ? "," : "");
  }
  std::fputs("]\n", f);
  return std::fclose(f) == 0;
}

int run_alone(const std::vector<Case>& chosen, int times) {
  double sum = 0;
  for (const Case& c : chosen)
    for (int i = 0; i < times; ++i) sum += c.ours();
  std::printf("%zu cases, %d times each: %.17g\n", chosen.size(), times, sum);
  return 0;
}

} // namespace

void compare(const std::string& name, std::size_t operations, Work ours, const std::string& peer,
             Work peers, Clock clock) {
  cases().push_back({name, operations, std::move(ours), peer, std::move(peers), clock});
}

int main(int argc, char** argv) {
  const char* json = nullptr;
  const char* plot = nullptr;
  std::string filter, only;
  int repetitions = 9, alone = 0;
  for (int i = 1; i < argc; ++i) {
    const bool has_value = i + 1 < argc;
    if (!std::strcmp(argv[i], "--json") && has_value) {
      json = argv[++i];
    } else if (!std::strcmp(argv[i], "--plot") && has_value) {
      plot = argv[++i];
    } else if (!std::strcmp(argv[i], "--filter") && has_value) {
      filter = argv[++i];
    } else if (!std::strcmp(argv[i], "--case") && has_value) {
      only = argv[++i];
    } else if (!std::strcmp(argv[i], "--repetitions") && has_value) {
      repetitions = std::max(1, std::atoi(argv[++i]));
    } else if (!std::strcmp(argv[i], "--alone") && has_value) {
      alone = std::max(1, std::atoi(argv[++i]));
    } else {
      return usage();
    }
  }

  std::vector<Case> chosen;
  for (const Case& c : cases()) {
    if (c.name.find(filter) != std::string::npos && (only.empty() || c.name == only))
      chosen.push_back(c);
  }
  if (alone > 0) return run_alone(chosen, alone);
  const auto add = [&](const std::string& name, const Work& work, Clock clock) {
    auto* bench = benchmark::RegisterBenchmark(name.c_str(),
                                               [&work](benchmark::State& state) {
                                                 for (auto step : state) {
                                                   (void)step;
                                                   benchmark::DoNotOptimize(work());
                                                 }
                                               })
                      ->Repetitions(repetitions)
                      ->MinTime(0.05)
                      ->ReportAggregatesOnly(true);
    if (clock == Clock::wall) bench->UseRealTime();
  };
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    add("ours " + std::to_string(i), chosen[i].ours, chosen[i].clock);
    add("peer " + std::to_string(i), chosen[i].peers, chosen[i].clock);
  }
  std::string program = argv[0], interleave = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {program.data(), interleave.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);

  std::printf("%-34s %12s %12s %8s  %s\n", "case", "ours [ns]", "peer [ns]", "ratio", "peer");
  std::vector<std::string> rows;
  std::vector<GrowthRow> growth;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto operations = static_cast<double>(chosen[i].operations);
    const double ours = medians.nanoseconds["ours " + std::to_string(i)] / operations;
    const double peer = medians.nanoseconds["peer " + std::to_string(i)] / operations;
    std::printf("%-34s %12.2f %12.2f %8.2f  %s\n", chosen[i].name.c_str(), ours, peer, peer / ours,
                chosen[i].peer.c_str());
    rows.push_back(json_row(chosen[i], ours, peer));
    growth.push_back({chosen[i].name, chosen[i].peer, ours, peer});
  }
  if (plot && !plot_growth(growth, plot)) return 2;
  return json && !write_json(json, rows) ? 2 : 0;
}

} // namespace carom::bench
