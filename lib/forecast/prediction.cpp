// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/prediction.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tracefold {

namespace {

constexpr double kMostLatency = kLargestLatency * kPicosecondsPerSecond;
constexpr double kMostPerByte = kLargestPerByte * kPicosecondsPerSecond;
constexpr double kCurve[] = {0, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64};
/// Upper end of the curve if the network's parameter is 0.
constexpr double kSomeLatency = 1e6;
constexpr double kSomePerByte = 100;
constexpr std::size_t kMostGains = 8;
constexpr double kVisible = 0.005;      ///< of the run time: half the least slowdown
constexpr double kMicrosecond = 1e6;    ///< in picoseconds
constexpr double kRounding = 1 + 1e-9;  ///< of sums of ticks in picoseconds

enum class Parameter : u8 { latency, per_byte };

double seconds(i64 picoseconds) { return static_cast<double>(picoseconds) / kPicosecondsPerSecond; }

double most_of(Parameter parameter) {
    return parameter == Parameter::latency ? kMostLatency : kMostPerByte;
}

/// Unit of a curve.
double unit_of(const LinkParameters& link, Parameter parameter) {
    const bool is_latency = parameter == Parameter::latency;
    const double value = is_latency ? static_cast<double>(link.latency) : link.per_byte;
    if (value > 0) return value;
    return is_latency ? kSomeLatency : kSomePerByte;
}

bool has_matrices(const CommunicationSurvey& survey) {
    return survey.has_exchange([](const Exchange& it) { return is_matrix(it.kind()); });
}

/// Runs the walks of one network.
class NetworkWalks {
  public:
    NetworkWalks(Communicator& comm, TraceFile& file, const CommunicationSurvey& survey,
                 const PredictionRequest& request, const Network& network,
                 const ProgramSteps* steps, CallTree& tree)
        : comm_(comm),
          file_(file),
          survey_(survey),
          request_(request),
          levels_(network, request.placement),
          steps_(steps),
          tree_(tree) {
        result_.network = network;
        result_.counted = levels_.outermost();
        for (const NetworkLevel& level : network.levels) base_.links.push_back(level.link);
    }

    NetworkPrediction run(Prediction& all) {
        fills_matrices_ = all.empty_matrices.calls == 0;
        walk_curves(all);
        if (steps_ != nullptr) walk_steps();
        set_goals();
        agree(comm_, [this] { walk_on(); });
        for (std::size_t i = 0; i < request_.slowdowns.size(); ++i) {
            result_.tolerances.push_back(
                {request_.slowdowns[i], exchange(2 * i), exchange(2 * i + 1)});
        }
        find_reorderings();
        if (all.max_to_mean && !has_threads_in_mpi()) find_bounds();
        return std::move(result_);
    }

  private:
    [[nodiscard]] WalkRequest new_walk() const {
        WalkRequest walk;
        walk.scenarios = {base_};
        walk.rendezvous = result_.network.rendezvous;
        walk.collectives = request_.collectives;
        walk.levels = levels_;
        walk.counted = result_.counted;
        walk.fills_matrices = fills_matrices_;
        return walk;
    }

    [[nodiscard]] const LinkParameters& base_link() const { return base_.links[result_.counted]; }

    [[nodiscard]] Scenario with(Parameter parameter, double value) const {
        Scenario scenario = base_;
        LinkParameters& link = scenario.links[result_.counted];
        if (parameter == Parameter::latency) {
            link.latency = std::llround(value);
        } else {
            link.per_byte = value;
        }
        return scenario;
    }

    /// Limited to the searched range, unless the network itself is beyond it.
    [[nodiscard]] double curve_value(Parameter parameter, double factor) const {
        const double unit = unit_of(base_link(), parameter);
        return std::min(factor * unit, std::max(unit, most_of(parameter)));
    }

    static ParameterSearch::Point point(Parameter parameter, double value,
                                        const WalkResult::End& end) {
        const u64 slope = parameter == Parameter::latency ? end.clock.latencies : end.clock.bytes;
        return {value, static_cast<double>(end.clock.time), static_cast<double>(slope)};
    }

    void walk_curves(Prediction& all) {
        WalkRequest walk = new_walk();
        walk.finds_delays = request_.delays;
        // Identical on all networks.
        const bool is_first = all.networks.empty();
        walk.finds_any_source = is_first;
        walk.scenarios.emplace_back().links.resize(base_.links.size());
        for (const Parameter parameter : {Parameter::latency, Parameter::per_byte}) {
            for (const double factor : kCurve) {
                walk.scenarios.push_back(with(parameter, curve_value(parameter, factor)));
            }
        }
        if (request_.faster) {
            walk.speeds = {request_.faster};
            walk.scenarios.push_back(base_);
            walk.scenarios.back().speed = 0;
        }
        WalkResult done = walk_timing(file_, survey_, walk, tree_);
        // Files with mean times do not tell when a rank begins.
        const auto recorded = [&] {
            return all.max_to_mean ? done.mean_recorded_seconds : done.recorded_seconds;
        };
        const auto is_disproved = [&] {
            return seconds(done.ends[1].clock.time) > recorded() * kRounding;
        };
        if (is_disproved() && fills_matrices_ && has_matrices(survey_)) {
            fills_matrices_ = walk.fills_matrices = false;
            done = walk_timing(file_, survey_, walk, tree_);
        }
        start_ = done.ends[0];
        result_.run_time = seconds(start_.clock.time);
        if (!is_disproved()) result_.ideal_run_time = seconds(done.ends[1].clock.time);
        result_.latencies = start_.clock.latencies;
        result_.overheads = start_.clock.overheads;
        result_.bytes = start_.clock.bytes;
        result_.last_rank = start_.rank;
        if (request_.faster) result_.faster_run_time = seconds(done.ends.back().clock.time);
        std::size_t next = 2;
        take_curve(Parameter::latency, done, next, result_.over_latency);
        take_curve(Parameter::per_byte, done, next, result_.over_bytes);
        if (result_.network.unknown.latency) result_.over_latency.clear();
        if (result_.network.unknown.per_byte) result_.over_bytes.clear();
        result_.path = std::move(done.path);
        result_.delays = std::move(done.delays);
        result_.waited = seconds(done.waited);
        result_.traffic = std::move(done.traffic);
        if (!is_first) return;
        all.recorded_run_time = recorded();
        all.unmodelled = std::move(done.unmodelled);
        all.held_order = std::move(done.held_order);
        all.empty_matrices = done.empty_matrices;
        all.calls = done.calls;
        for (const WalkResult::Traffic& level : result_.traffic) all.messages += level.messages;
    }

    void walk_steps() {
        WalkRequest walk = new_walk();
        walk.steps = steps_;
        result_.path_by_step = walk_timing(file_, survey_, walk, tree_).path;
    }

    void take_curve(Parameter parameter, const WalkResult& done, std::size_t& next,
                    std::vector<NetworkPrediction::CurvePoint>& out) {
        for (const double factor : kCurve) {
            const double value = curve_value(parameter, factor);
            const ParameterSearch::Point at = point(parameter, value, done.ends[next++]);
            known_[static_cast<std::size_t>(parameter)].push_back(at);
            out.push_back({value / kPicosecondsPerSecond, at.result / kPicosecondsPerSecond,
                           static_cast<u64>(at.slope)});
        }
    }

    /// The order of threads hangs on times, and the run time with it.
    [[nodiscard]] bool has_threads_in_mpi() const {
        for (u32 rank = 0; rank < file_.definitions().world_size(); ++rank) {
            if (mpi_locations(file_, rank).size() > 1) return true;
        }
        return false;
    }

    /// Walks with every duration at its shortest and at its longest.
    void find_bounds() {
        WalkRequest walk = new_walk();
        walk.keeps_path = false;
        const auto run_time = [&](Times times) {
            walk.times = times;
            return seconds(walk_timing(file_, survey_, walk, tree_).ends[0].clock.time);
        };
        // Means of ranks are rounded.
        result_.bounds = {std::min(run_time(Times::least), result_.run_time),
                          std::max(run_time(Times::most), result_.run_time)};
    }

    /// Walks at other latencies in the order of events that they cause.
    void find_reorderings() {
        std::vector<double> latencies = {static_cast<double>(base_link().latency) + kMicrosecond};
        for (const NetworkPrediction::Tolerance& it : result_.tolerances) {
            if (it.latency) latencies.push_back(*it.latency * kPicosecondsPerSecond);
        }
        std::ranges::sort(latencies);
        WalkRequest held = new_walk();
        held.keeps_path = false;
        for (const double latency : latencies) {
            held.scenarios.push_back(with(Parameter::latency, latency));
        }
        const WalkResult done = walk_timing(file_, survey_, held, tree_);
        for (std::size_t i = 0; i < latencies.size(); ++i) {
            WalkRequest walk = new_walk();
            walk.keeps_path = false;
            walk.scenarios = {held.scenarios[i + 1]};
            const i64 reordered = walk_timing(file_, survey_, walk, tree_).ends[0].clock.time;
            const i64 time = done.ends[i + 1].clock.time;
            const i64 difference = std::abs(reordered - time);
            if (static_cast<double>(difference) <= kVisible * static_cast<double>(time)) continue;
            result_.reorderings.push_back(
                {latencies[i] / kPicosecondsPerSecond, seconds(time), seconds(reordered)});
        }
    }

    /// A search for one slowdown and parameter.
    struct Goal {
        Parameter parameter;
        ParameterSearch search;
    };

    void set_goals() {
        for (const double slowdown : request_.slowdowns) {
            const double target = static_cast<double>(start_.clock.time) * (1 + slowdown);
            for (const Parameter parameter : {Parameter::latency, Parameter::per_byte}) {
                // Times are rounded once per message on the path.
                const double precision = 2 + static_cast<double>(start_.clock.overheads);
                const auto& known = known_[static_cast<std::size_t>(parameter)];
                goals_.push_back({parameter, {known, target, most_of(parameter), precision}});
            }
        }
    }

    [[nodiscard]] bool is_own(std::size_t goal) const {
        return goal % static_cast<std::size_t>(comm_.size()) ==
               static_cast<std::size_t>(comm_.rank());
    }

    /// Each process handles its share of the goals, all in one walk; the first walk also yields the
    /// gains of call paths.
    void walk_on() {
        for (bool first = true;; first = false) {
            WalkRequest walk = new_walk();
            walk.keeps_path = false;
            if (first) ask_gains(walk);
            const std::size_t gains = walk.scenarios.size() - 1;
            std::vector<Goal*> asked;
            for (std::size_t i = 0; i < goals_.size(); ++i) {
                if (!is_own(i) || goals_[i].search.wanted().empty()) continue;
                asked.push_back(&goals_[i]);
                for (const double value : goals_[i].search.wanted()) {
                    walk.scenarios.push_back(with(goals_[i].parameter, value));
                }
            }
            if (walk.scenarios.size() == 1) return;
            const WalkResult done = walk_timing(file_, survey_, walk, tree_);
            for (std::size_t i = 0; i < gains; ++i) {
                result_.gains[i].gain = seconds(start_.clock.time - done.ends[i + 1].clock.time);
            }
            std::size_t next = gains + 1;
            for (Goal* const goal : asked) {
                std::vector<ParameterSearch::Point> points;
                for (const double value : goal->search.wanted()) {
                    points.push_back(point(goal->parameter, value, done.ends[next++]));
                }
                goal->search.take(points);
            }
            if (first) {
                std::ranges::stable_sort(result_.gains, std::greater<>(),
                                         &NetworkPrediction::Gain::gain);
            }
        }
    }

    /// Broadcasts the result of the searching process, in seconds.
    std::optional<double> exchange(std::size_t goal) {
        const std::optional<double> found = goals_[goal].search.found();
        const double mine = found ? *found / kPicosecondsPerSecond : -1;
        const std::vector<u64> of_all = comm_.all_gather(std::bit_cast<u64>(mine));
        const auto told =
            std::bit_cast<double>(of_all[goal % static_cast<std::size_t>(comm_.size())]);
        return told < 0 ? std::nullopt : std::optional<double>(told);
    }

    /// Examines the call paths with most computation on the critical path, which bounds the gain.
    void ask_gains(WalkRequest& walk) {
        std::map<u32, i64> on_path;
        for (const PathCost& cost : result_.path) {
            if (cost.kind == CostKind::computation) on_path[cost.node] += cost.time;
        }
        std::vector<std::pair<i64, u32>> largest;
        for (const auto& [node, time] : on_path) largest.emplace_back(time, node);
        std::ranges::sort(largest, std::greater<>());
        if (largest.size() > kMostGains) largest.resize(kMostGains);
        for (const auto& [time, node] : largest) {
            result_.gains.push_back({node, seconds(time), 0});
            const std::string path = path_of(file_.definitions(), tree_, node);
            walk.speeds.emplace_back(
                [path](const std::string& other) { return other == path ? 2.0 : 1.0; });
            walk.scenarios.push_back(base_);
            walk.scenarios.back().speed = static_cast<u32>(walk.speeds.size()) - 1;
        }
    }

    Communicator& comm_;
    TraceFile& file_;
    const CommunicationSurvey& survey_;
    const PredictionRequest& request_;
    RankLevels levels_;
    const ProgramSteps* steps_;  ///< null: not requested, or known
    CallTree& tree_;
    bool fills_matrices_ = true;
    Scenario base_;
    WalkResult::End start_;
    std::array<std::vector<ParameterSearch::Point>, 2> known_;  ///< by parameter
    std::vector<Goal> goals_;
    NetworkPrediction result_;
};

}  // namespace

namespace {

std::optional<double> max_to_mean(const TimingModel& model) {
    double longest = 0;
    double sum = 0;
    for (const TimingModel::Edge& edge : model.edges) {
        const LogHistogram& all = edge.durations.all;
        longest += static_cast<double>(all.max()) * static_cast<double>(all.count());
        sum += static_cast<double>(all.sum());
    }
    return sum > 0 ? std::optional(longest / sum) : std::nullopt;
}

}  // namespace

Prediction predict(Communicator& comm, TraceFile& file, const PredictionRequest& request) {
    require_all_ranks(file, "a prediction");
    if (file.summary().timing == TimingLevel::none) {
        throw Error(ErrorKind::unsupported,
                    "a prediction needs times, which the file does not keep; fold the archive "
                    "with --timing exact");
    }
    Prediction result;
    // Each network takes several walks.
    file.keep_decoded_ticks();
    const CommunicationSurvey survey(file, 1, SizeSource::sender);
    const std::string unrecorded = unrecorded_sentence(survey.findings().unrecorded);
    if (!unrecorded.empty()) {
        throw Error(ErrorKind::unsupported, unrecorded + "; a prediction would take it as free");
    }
    std::optional<ProgramSteps> steps;
    if (request.steps) steps = find_program_steps(file);
    result.steps = steps ? steps->count : 0;
    if (file.summary().timing == TimingLevel::histogram)
        result.max_to_mean = max_to_mean(file.durations());
    for (const Network& network : request.networks) {
        NetworkWalks walks(comm, file, survey, request, network, steps ? &*steps : nullptr,
                           result.tree);
        result.networks.push_back(walks.run(result));
    }
    return result;
}

namespace {

using Point = ParameterSearch::Point;

/// Where the tangent at a point reaches the target.
double reach(const Point& point, double target) {
    return point.value + (target - point.result) / point.slope;
}

}  // namespace

ParameterSearch::ParameterSearch(std::span<const Point> known, double target, double most,
                                 double precision)
    : target_(target), most_(most), precision_(precision) {
    for (const Point& point : known) note(point);
    find_next();
}

void ParameterSearch::note(const Point& point) {
    if (point.result <= target_) {
        if (!left_ || point.value >= left_->value) left_ = point;
    } else if (!right_ || point.value < right_->value) {
        right_ = point;
    }
}

void ParameterSearch::take(std::span<const Point> points) {
    count_ = 0;
    ++steps_;
    for (const Point& point : points) {
        if (std::abs(point.result - target_) <= precision_) found_ = point.value;
        note(point);
    }
    if (!found_) find_next();
}

/// True if the tangent at the right point passes through the left point.
bool ParameterSearch::is_line() const {
    const double there = right_->result + right_->slope * (left_->value - right_->value);
    return std::abs(there - left_->result) <= precision_;
}

void ParameterSearch::find_next() {
    double tangent = most_;
    if (left_ && left_->slope > 0) tangent = std::min(tangent, reach(*left_, target_));
    if (!right_) {
        // The target is not reached within the limit.
        if (left_ && left_->value >= most_) return;
        wanted_[count_++] = tangent;
        return;
    }
    if (right_->slope > 0) tangent = std::min(tangent, reach(*right_, target_));
    const bool is_known = right_->slope <= 0 || steps_ >= kMostSteps || tangent >= right_->value;
    if (is_known || (left_ && is_line())) {
        const double value = is_known ? right_->value : reach(*right_, target_);
        if (value <= most_) found_ = value;
        return;
    }
    wanted_[count_++] = tangent;
    if (!left_) return;
    const double rise = (right_->result - left_->result) / (right_->value - left_->value);
    const double chord = left_->value + (target_ - left_->result) / rise;
    if (chord > left_->value && chord < tangent) wanted_[count_++] = chord;
}

}  // namespace tracefold
