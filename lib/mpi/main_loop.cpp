// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/main_loop.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// The core of the main loop extends to a nested loop that holds at least this share of it.
constexpr double kNearlyAll = 0.5;

class MainLoopFinder {
  public:
    MainLoopFinder(const Structure& structure, ExecutionCounts& counts, u32 script,
                   const ParticipantList& participants)
        : counts_(counts),
          script_(structure.scripts[script]),
          pattern_(structure.patterns[script_.pattern]),
          members_(participants.members()) {
        loop_.participants = participants;
    }

    std::optional<MainLoop> run() {
        work_out_weights();
        double all = 0;
        for (const u32 item : pattern_.root) all += weight_[item];
        u32 node = heaviest_loop(pattern_.root);
        if (node == kNone || all == 0) return std::nullopt;
        const auto places = std::count(pattern_.root.begin(), pattern_.root.end(), node);
        loop_.share = static_cast<double>(places) * weight_[node] / all;
        find_symbols(node);
        for (; node != kNone; node = inner(node)) {
            loop_.nodes.push_back(node);
            Extremes iterations;
            for (const u32 member : members_) {
                iterations.add(counts_.executions(member, node));
            }
            loop_.iterations.push_back(iterations);
        }
        return std::move(loop_);
    }

  private:
    /// Executions of a node per visit, averaged over all members.
    [[nodiscard]] double repeats(u32 node) {
        double executions = 0;
        double visits = 0;
        for (const u32 member : members_) {
            executions += static_cast<double>(counts_.executions(member, node));
            visits += static_cast<double>(counts_.visits(member, node));
        }
        return visits == 0 ? 0 : executions / visits;
    }

    /// Computes the calls behind one visit of every node. Loops contain only loops of lower index.
    void work_out_weights() {
        for (u32 node = 0; node < pattern_.node_count(); ++node) {
            double body = 1;
            if (node >= pattern_.leaf_count) {
                body = 0;
                for (const u32 item : pattern_.loops[node - pattern_.leaf_count]) {
                    body += weight_[item];
                }
            }
            weight_.push_back(body * repeats(node));
        }
    }

    /// Collects the symbols that occur only within a loop of the root.
    void find_symbols(u32 loop) {
        std::vector<bool> within(pattern_.node_count(), false);
        std::vector<bool> outside(pattern_.node_count(), false);
        for (const u32 item : pattern_.root) (item == loop ? within : outside)[item] = true;
        for (u32 node = static_cast<u32>(pattern_.node_count()); node-- > pattern_.leaf_count;) {
            for (const u32 item : pattern_.loops[node - pattern_.leaf_count]) {
                if (within[node]) within[item] = true;
                if (outside[node]) outside[item] = true;
            }
        }
        for (u32 leaf = 0; leaf < pattern_.leaf_count; ++leaf) {
            if (within[leaf] && !outside[leaf]) loop_.symbols.push_back(script_.symbols[leaf]);
        }
        std::sort(loop_.symbols.begin(), loop_.symbols.end());
    }

    [[nodiscard]] u32 heaviest_loop(const std::vector<u32>& body) const {
        u32 best = kNone;
        for (const u32 item : body) {
            if (item < pattern_.leaf_count) continue;
            if (best == kNone || weight_[item] > weight_[best]) best = item;
        }
        return best;
    }

    /// The nested loop that holds nearly all of a loop.
    [[nodiscard]] u32 inner(u32 node) const {
        const std::vector<u32>& body = pattern_.loops[node - pattern_.leaf_count];
        const u32 best = heaviest_loop(body);
        if (best == kNone) return kNone;
        double all = 0;
        for (const u32 item : body) all += weight_[item];
        return weight_[best] >= kNearlyAll * all ? best : kNone;
    }

    ExecutionCounts& counts_;
    const Script& script_;
    const Pattern& pattern_;
    std::vector<u32> members_;
    std::vector<double> weight_;  ///< by node
    MainLoop loop_;
};

}  // namespace

std::optional<MainLoop> find_main_loop(const Structure& structure, ExecutionCounts& counts,
                                       u32 script, const ParticipantList& participants) {
    return MainLoopFinder(structure, counts, script, participants).run();
}

std::vector<MainLoop> main_loops(const Structure& structure, ExecutionCounts& counts) {
    std::vector<MainLoop> loops;
    for (u32 script = 0; script < structure.scripts.size(); ++script) {
        if (structure.scripts[script].stream != Stream::events) continue;
        const ParticipantList& members = counts.members_of_script(script);
        if (members.empty()) continue;
        std::optional<MainLoop> loop = find_main_loop(structure, counts, script, members);
        if (loop) loops.push_back(std::move(*loop));
    }
    return loops;
}

}  // namespace tracefold
