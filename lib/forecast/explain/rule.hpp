// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/mean_value.hpp"
#include "forecast/explain/rules.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// Thresholds of several rules. Shares are those of the run time, unless said otherwise;
// docs/reference/explain.md has all.
inline constexpr double kCandidate = kSmallGain;  ///< less lost time is no candidate
inline constexpr u64 kStepsForTrend = 10;
inline constexpr double kRare = 2;      ///< a rare step's time over the median
inline constexpr double kSteady = 0.7;  ///< Spearman correlation of both halves of a run
inline constexpr u64 kBatch = 8;        ///< operations in a row
inline constexpr double kIdle =
    0.35;  ///< computation before a wait, over that of the rank waited for
inline constexpr double kChained = 0.75;  ///< share of ranks or messages

/// Ticks times a factor.
u64 scaled(u64 ticks, double factor);
/// Whether a call sends, receives, or completes or looks for messages.
bool is_message_call(const RunGraph::Call& call);
/// The same, or a collective operation.
bool moves_data(const RunGraph::Call& call);
double most(const std::vector<double>& values);
/// The rank with the largest value.
u32 slowest(const std::vector<double>& values);

/// What rules have in common: the evidence, and the candidates found.
class Rule {
  public:
    using Kind = CauseKind;
    using Call = RunGraph::Call;
    using Change = std::function<void(const RunGraph&, RunDurations&)>;

    Rule(const RunEvidence& evidence, std::vector<Candidate>& found)
        : evidence_(evidence),
          graph_(evidence.graph),
          cells_(evidence.computation),
          found_(found) {}

  protected:
    /// Commands that print the numbers.
    static constexpr const char* kOfRanks = "efficiency";
    static constexpr const char* kByStep = "efficiency --focus";

    [[nodiscard]] double usual_of(u32 rank) const { return evidence_.usual[rank]; }
    [[nodiscard]] bool is_large(double ticks) const { return evidence_.share(ticks) >= kCandidate; }
    Candidate& add(Kind kind, Change change);
    static void figure(Candidate& made, std::string name, double value, std::string command) {
        made.cause.figures.push_back({std::move(name), value, std::move(command)});
    }
    /// Computation of the slow rank that computes least, and of the other rank that computes most
    /// (of one slow rank with graded work: least).
    void add_computation(Candidate& made) const;
    /// Computation of the first step and the last one.
    void add_steps(Candidate& made) const;
    /// The number of calls of a call's function.
    void add_calls(Candidate& made, u32 example) const;
    /// Count and sizes of the messages of a call's function.
    void add_sizes(Candidate& made, u32 example) const;
    /// The longest wait of a kind on a rank, by call path.
    void add_wait(Candidate& made, WaitKind kind) const;
    [[nodiscard]] std::string path_of_node(u32 node) const;
    [[nodiscard]] std::string path_of_call(u32 call) const {
        return call == kNone ? std::string() : path_of_node(graph_.calls[call].node);
    }
    [[nodiscard]] u32 first_of(MpiFunction function) const;
    /// The call path of most computation of ranks (ascending; empty: all) in columns beyond the
    /// mean of the others.
    [[nodiscard]] std::string place_of_excess(const std::vector<u32>& ranks, u32 first,
                                              u32 end) const;
    /// Whether a call waits for messages that it receives; adds the ranks that send them.
    bool receives(u32 call, std::set<u32>* partners) const;
    [[nodiscard]] double computation_of(u32 call) const {
        return static_cast<double>(evidence_.recorded.computation[call]);
    }
    /// Computation of a rank since the last call that waited.
    [[nodiscard]] double computation_before(u32 call) const {
        return static_cast<double>(evidence_.since_wait[call]);
    }
    /// Computation of the rank after a call, up to the next call that waits.
    [[nodiscard]] double computation_after(u32 call) const {
        return static_cast<double>(evidence_.until_wait[call]);
    }
    /// Changes computation by factors by rank and column.
    [[nodiscard]] Change scale_computation(StepMatrix factors) const;
    /// Factors that make cells what WANTED(rank, column) tells.
    template <class Wanted>
    [[nodiscard]] StepMatrix factors_to(const Wanted& wanted) const {
        StepMatrix factors(cells_.ranks(), cells_.columns());
        for (u32 rank = 0; rank < cells_.ranks(); ++rank) {
            for (u32 column = 0; column < cells_.columns(); ++column) {
                const double cell = cells_.at(rank, column);
                factors.at(rank, column) = cell > 0 ? wanted(rank, column) / cell : 1;
            }
        }
        return factors;
    }

    const RunEvidence& evidence_;
    const RunGraph& graph_;
    const StepMatrix& cells_;  ///< computation

  private:
    std::vector<Candidate>& found_;
};

}  // namespace tracefold
