// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/guard.hpp"

#include "base/error.hpp"
#include "base/mean_value.hpp"
#include "forecast/guard/guarded_run.hpp"
#include "forecast/guard/path_alignment.hpp"
#include "forecast/guard/time_test.hpp"
#include "model/mpi_function.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string_view>
#include <tuple>

namespace tracefold {

struct Guard::Runs {
    RankNumbers numbers;
    std::vector<GuardedRun> baselines;
    std::vector<GuardedRun> current;

    GuardedRun read(TraceFile& file, const std::string& name) {
        GuardedRun run = read_guarded_run(file, name, numbers);
        const GuardedRun* first = !baselines.empty() ? &baselines.front()
                                  : !current.empty() ? &current.front()
                                                     : nullptr;
        if (first != nullptr && run.ranks != first->ranks) {
            throw Error(ErrorKind::unsupported,
                        "{} has {} ranks and {} has {}: only equal numbers can be compared",
                        first->name, first->ranks, name, run.ranks);
        }
        if (first != nullptr && run.timing != first->timing) {
            throw Error(ErrorKind::unsupported,
                        "the timing of {} is {} and that of {} is {}: only equal levels can be "
                        "compared",
                        first->name, timing_name(first->timing), name, timing_name(run.timing));
        }
        return run;
    }
};

namespace {

/// That any call path is falsely found slower, if noise were normal; real runs come to 5 %.
constexpr double kError = 0.03;
constexpr double kTestedShare = 0.01;  ///< of the run, of call paths that are tested
constexpr std::size_t kLeastForCommon = 5;
constexpr double kCommonGain = 2;  ///< in variance, from which on a common change is taken out
constexpr std::size_t kLeastForLevels = 15;
constexpr double kLeastTime = 1e-6;  ///< relative to the run, in place of none
constexpr double kLeastSeconds = 1e-12;
constexpr const char* kAllPaths = "all call paths";
constexpr const char* kOtherPaths = "other call paths";

/// All runs, the new ones first, and their call paths as one tree.
struct Comparison {
    std::vector<const GuardedRun*> runs;
    std::size_t current = 0;  ///< number of new runs
    AlignedTree tree;

    [[nodiscard]] const GuardedRun::Path* path(std::size_t run, u32 node) const {
        const u32 index = tree.paths[run][node];
        return index == kNone ? nullptr : &runs[run]->paths[index];
    }
    [[nodiscard]] const GuardedRun::Path& example(u32 node) const {
        return runs[tree.nodes[node].run]->paths[tree.nodes[node].path];
    }
    /// Recorders' samples alone make no call.
    [[nodiscard]] bool is_called(std::size_t run, u32 node) const {
        const GuardedRun::Path* at = path(run, node);
        return at != nullptr && at->numbers[0] != nullptr;
    }
    [[nodiscard]] bool is_called_in_all(u32 node) const {
        for (std::size_t run = 0; run < runs.size(); ++run) {
            if (!is_called(run, node)) return false;
        }
        return true;
    }
    /// The nearest source line from a call path upwards.
    [[nodiscard]] std::pair<std::string, u64> source(u32 node) const {
        for (; node != kNone; node = tree.nodes[node].parent) {
            if (!example(node).file.empty()) return {example(node).file, example(node).line};
        }
        return {};
    }
};

/// Compares numbers of the new runs with those that all baselines share.
class StructureComparison {
  public:
    StructureComparison(const Comparison& compared, const GuardSettings& settings,
                        GuardResult& result)
        : compared_(compared),
          settings_(settings),
          result_(result),
          polls_(std::ranges::any_of(compared.runs, &GuardedRun::polls)) {}

    void run() {
        for (u32 node = 0; node < compared_.tree.nodes.size(); ++node) call_path(node);
        std::set<std::pair<std::string, bool>> calls;
        for (const GuardedRun* run : compared_.runs) {
            for (const auto& [call, hash] : run->peers) calls.insert(call);
        }
        for (const auto& call : calls) {
            numbers({StructureKind::peers, kNone, call.first}, [&](std::size_t run) {
                const auto found = compared_.runs[run]->peers.find(call);
                return found == compared_.runs[run]->peers.end() ? nullptr : found->second;
            });
        }
        // The names of renamed functions would be another sequence.
        const bool only_mpi = !compared_.tree.renamed.empty();
        numbers({StructureKind::order}, [&](std::size_t run) {
            return only_mpi ? compared_.runs[run]->mpi_order : compared_.runs[run]->order;
        });
    }

  private:
    /// Numbers of a call path, of a function, or of the whole program.
    struct Subject {
        StructureKind kind{};
        u32 node = kNone;
        std::string_view function = {};
        std::string_view metric = {};  ///< of counts and bytes, which have a sum
    };

    void call_path(u32 node) {
        const GuardedRun::Path& example = compared_.example(node);
        if (example.polls) return;
        if (!compared_.is_called_in_all(node)) {
            const u32 parent = compared_.tree.nodes[node].parent;
            if (parent != kNone && !compared_.is_called_in_all(parent)) return;
            numbers({StructureKind::calls, node, "", "visits"}, [&](std::size_t run) {
                return compared_.is_called(run, node) ? example.numbers[0] : nullptr;
            });
            return;
        }
        for (std::size_t m = 0; m < kGuardedMetrics.size(); ++m) {
            const bool visits = kGuardedMetrics[m] == ProfileMetric::visits;
            // A poll that succeeds takes the place of a wait, and then learns of its bytes.
            if (!visits && example.completes && polls_) continue;
            numbers({visits ? StructureKind::counts : StructureKind::bytes, node, "",
                     metric_name(kGuardedMetrics[m])},
                    [&](std::size_t run) { return compared_.path(run, node)->numbers[m]; });
        }
    }

    /// `of`: the numbers of a run.
    template <class Numbers>
    void numbers(const Subject& subject, const Numbers& of) {
        const std::size_t first = compared_.current;
        bool same = true;
        bool same_sums = !subject.metric.empty();
        for (std::size_t run = first; run < compared_.runs.size(); ++run) {
            same = same && of(run) == of(first);
            same_sums = same_sums && RankNumbers::sum(of(run)) == RankNumbers::sum(of(first));
        }
        if (!same) ++result_.varying;
        if (!same && !same_sums) return;
        for (std::size_t run = 0; run < first; ++run) {
            const bool differs = same ? of(run) != of(first)
                                      : RankNumbers::sum(of(run)) != RankNumbers::sum(of(first));
            if (!differs) continue;
            StructureDifference it{subject.kind, std::string(subject.function),
                                   std::string(subject.metric)};
            if (subject.node != kNone) {
                it.place = compared_.example(subject.node).name;
                std::tie(it.file, it.line) = compared_.source(subject.node);
            }
            it.run = compared_.runs[run]->name;
            if (same) it.ranks = RankNumbers::differing(of(first), of(run));
            if (!subject.metric.empty()) {
                it.baseline = RankNumbers::sum(of(first));
                it.current = RankNumbers::sum(of(run));
            }
            it.allowed = settings_.allows && settings_.allows(it.kind, it.place);
            result_.differences.push_back(std::move(it));
            return;
        }
    }

    const Comparison& compared_;
    const GuardSettings& settings_;
    GuardResult& result_;
    bool polls_;
};

/// Times of MPI's start and end are those of the launcher.
bool is_of_launcher(const GuardedRun::Path& path) {
    const auto info = find_mpi_function(path.call);
    return path.is_mpi && info &&
           (info->function == MpiFunction::Init || info->function == MpiFunction::Init_thread ||
            info->function == MpiFunction::Finalize);
}

/// Tests times of the whole run and of call paths.
class TimeComparison {
  public:
    TimeComparison(const Comparison& compared, const GuardSettings& settings, GuardResult& result)
        : compared_(compared), settings_(settings), result_(result) {}

    void run() {
        collect();
        std::vector<std::vector<double>> logs;
        for (const std::vector<double>& seconds : seconds_) {
            auto& of_path = logs.emplace_back();
            for (std::size_t run = 0; run < seconds.size(); ++run)
                of_path.push_back(std::log(
                    std::max({seconds[run], kLeastTime * seconds_[0][run], kLeastSeconds})));
        }
        take_out_common(logs);
        std::vector<TimeSample> samples;
        for (std::size_t i = 0; i < logs.size(); ++i) samples.push_back(sample(logs[i], i));
        const std::vector<TimeTest> tests =
            test_times(samples, kError, std::log1p(settings_.least_effect));
        for (std::size_t i = 0; i < tests.size(); ++i) judge(tests[i], result_.times[i]);
        std::stable_sort(result_.times.begin() + 1, result_.times.end(),
                         [](const auto& a, const auto& b) { return a.share > b.share; });
    }

  private:
    /// Seconds by run of the whole run, of each call path with enough of it, and of the others.
    void collect() {
        const std::size_t runs = compared_.runs.size();
        seconds_.assign(1, std::vector<double>(runs, 0));
        for (std::size_t run = 0; run < runs; ++run) {
            for (const GuardedRun::Path& path : compared_.runs[run]->paths)
                seconds_[0][run] += is_of_launcher(path) ? 0 : path.seconds;
        }
        result_.times.push_back(time(kAllPaths, seconds_[0]));
        std::vector<double> others(runs, 0);
        for (u32 node = 0; node < compared_.tree.nodes.size(); ++node) {
            if (is_of_launcher(compared_.example(node))) continue;
            std::vector<double> seconds;
            for (std::size_t run = 0; run < runs; ++run) {
                const GuardedRun::Path* path = compared_.path(run, node);
                seconds.push_back(path == nullptr ? 0 : path->seconds);
            }
            if (compared_.is_called_in_all(node) && is_large(seconds)) {
                GuardedTime it = time(compared_.example(node).name, seconds);
                std::tie(it.file, it.line) = compared_.source(node);
                result_.times.push_back(std::move(it));
                seconds_.push_back(std::move(seconds));
            } else {
                for (std::size_t run = 0; run < runs; ++run) others[run] += seconds[run];
            }
        }
        if (!is_large(others)) return;
        result_.times.push_back(time(kOtherPaths, others));
        seconds_.push_back(std::move(others));
    }

    /// The mean share of a time in some runs.
    [[nodiscard]] double share(const std::vector<double>& seconds, std::size_t from,
                               std::size_t to) const {
        double sum = 0;
        for (std::size_t run = from; run < to; ++run)
            sum += seconds_[0][run] > 0 ? seconds[run] / seconds_[0][run] : 0;
        return sum / static_cast<double>(to - from);
    }
    [[nodiscard]] bool is_large(const std::vector<double>& seconds) const {
        return share(seconds, 0, compared_.current) >= kTestedShare ||
               share(seconds, compared_.current, seconds.size()) >= kTestedShare;
    }

    [[nodiscard]] GuardedTime time(const std::string& path,
                                   const std::vector<double>& seconds) const {
        GuardedTime it;
        it.path = path;
        it.share = share(seconds, compared_.current, seconds.size());
        for (std::size_t run = 0; run < seconds.size(); ++run) {
            (run < compared_.current ? it.current : it.baseline)
                .push_back(seconds[run] / std::max(compared_.runs[run]->ranks, 1U));
        }
        return it;
    }

    /// Subtracts from call paths what most of them share, if the baselines vary far less then.
    void take_out_common(std::vector<std::vector<double>>& logs) {
        const std::size_t paths = logs.size() - 1;
        const std::size_t first = compared_.current;
        if (paths < kLeastForCommon || compared_.runs.size() - first < 3) return;
        const auto baselines = [first](const std::vector<double>& of_path) {
            return std::span(of_path).subspan(first);
        };
        std::vector<double> means;
        std::vector<double> deviations;
        for (std::size_t i = 1; i <= paths; ++i) {
            means.push_back(mean_value(baselines(logs[i])));
            deviations.push_back(std::sqrt(scatter(baselines(logs[i]))));
        }
        const std::vector<double> equal(paths, 1);
        // Noisy call paths count less; the quieter half of them all the same.
        const double usual = weighted_median(deviations, equal);
        std::vector<double> weights;
        for (const double deviation : deviations)
            weights.push_back(1 / std::max({deviation, usual, kLeastTime}));
        std::vector<double> common;
        std::vector<std::vector<double>> rest = logs;
        for (std::size_t run = 0; run < compared_.runs.size(); ++run) {
            std::vector<double> moved;
            for (std::size_t i = 1; i <= paths; ++i) moved.push_back(logs[i][run] - means[i - 1]);
            common.push_back(weighted_median(moved, weights));
            for (std::size_t i = 1; i <= paths; ++i) rest[i][run] -= common.back();
        }
        std::vector<double> gains;
        for (std::size_t i = 1; i <= paths; ++i) {
            gains.push_back(std::max(scatter(baselines(logs[i])), kLeastScatter) /
                            std::max(scatter(baselines(rest[i])), kLeastScatter));
        }
        if (weighted_median(gains, equal) < kCommonGain) return;
        logs = std::move(rest);
        result_.has_common = true;
        result_.common = std::expm1(mean_value(std::span(common).first(first)) -
                                    mean_value(std::span(common).subspan(first)));
    }

    TimeSample sample(const std::vector<double>& logs, std::size_t index) {
        const std::size_t first = compared_.current;
        TimeSample sample;
        sample.before.assign(logs.begin() + static_cast<std::ptrdiff_t>(first), logs.end());
        sample.after.assign(logs.begin(), logs.begin() + static_cast<std::ptrdiff_t>(first));
        if (sample.before.size() >= kLeastForLevels) {
            sample.before.erase(
                sample.before.begin(),
                sample.before.begin() + static_cast<std::ptrdiff_t>(last_level(sample.before)));
        }
        sample.alone = index == 0;
        result_.times[index].used = sample.before.size();
        return sample;
    }

    void judge(const TimeTest& test, GuardedTime& it) const {
        it.change = std::expm1(test.effect);
        it.low = std::expm1(test.low);
        it.high = std::expm1(test.high);
        it.detectable = std::expm1(test.detectable);
        it.p = test.p_slower;
        it.by_ranks = test.by_ranks;
        if (test.p_slower < kError && it.change >= settings_.least_effect) {
            it.verdict = TimeVerdict::slower;
        } else if (test.p_faster < kError && -it.change >= settings_.least_effect) {
            it.verdict = TimeVerdict::faster;
        } else if (it.high < settings_.least_effect) {
            it.verdict = TimeVerdict::equal;
        }
    }

    static constexpr double kLeastScatter = 1e-10;  ///< of logarithms

    const Comparison& compared_;
    const GuardSettings& settings_;
    GuardResult& result_;
    std::vector<std::vector<double>> seconds_;  ///< sums over ranks
};

GuardVerdict overall(const GuardResult& result) {
    const auto counts = [](const StructureDifference& it) { return !it.allowed; };
    if (std::ranges::any_of(result.differences, counts)) return GuardVerdict::structure;
    const auto any = [&](TimeVerdict verdict) {
        return std::ranges::find(result.times, verdict, &GuardedTime::verdict) !=
               result.times.end();
    };
    if (any(TimeVerdict::slower)) return GuardVerdict::slower;
    if (any(TimeVerdict::undecided)) return GuardVerdict::undecided;
    return any(TimeVerdict::faster) ? GuardVerdict::faster : GuardVerdict::equal;
}

}  // namespace

std::string_view structure_kind_name(StructureKind kind) {
    constexpr std::array<std::string_view, kStructureKinds.size()> kNames = {
        "calls", "counts", "bytes", "peers", "order"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view time_verdict_name(TimeVerdict verdict) {
    constexpr std::array<std::string_view, 4> kNames = {"equal", "faster", "undecided", "slower"};
    return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view guard_verdict_name(GuardVerdict verdict) {
    constexpr std::array<std::string_view, 5> kNames = {"equal", "faster", "undecided", "slower",
                                                        "structure differs"};
    return kNames[static_cast<std::size_t>(verdict)];
}

Guard::Guard() : runs_(std::make_unique<Runs>()) {}

Guard::~Guard() = default;

void Guard::add_baseline(TraceFile& file, const std::string& name) {
    runs_->baselines.push_back(runs_->read(file, name));
}

void Guard::add_run(TraceFile& file, const std::string& name) {
    runs_->current.push_back(runs_->read(file, name));
}

GuardResult Guard::judge(const GuardSettings& settings) const {
    Comparison compared;
    GuardResult result;
    for (const GuardedRun& run : runs_->current) {
        compared.runs.push_back(&run);
        result.runs.push_back(run.name);
    }
    compared.current = compared.runs.size();
    for (const GuardedRun& run : runs_->baselines) {
        compared.runs.push_back(&run);
        result.baselines.push_back(run.name);
    }
    result.ranks = compared.runs.front()->ranks;
    result.timing = compared.runs.front()->timing;
    if (runs_->baselines.empty()) return result;
    compared.tree = align_runs(compared.runs);
    result.renamed = compared.tree.renamed;
    StructureComparison(compared, settings, result).run();
    if (result.timing != TimingLevel::none) TimeComparison(compared, settings, result).run();
    result.verdict = overall(result);
    return result;
}

}  // namespace tracefold
