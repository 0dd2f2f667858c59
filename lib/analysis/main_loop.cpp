// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/main_loop.hpp"

#include "analysis/transfer_recipe.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// A loop goes on being the main loop's core while the next one has at least this part of it.
constexpr double kNearlyAll = 0.5;

class MainLoopFinder {
  public:
    MainLoopFinder(ListingSource& source, u32 script, const ParticipantList& participants)
        : source_(source),
          script_(source.structure().scripts[script]),
          pattern_(source.structure().patterns[script_.pattern]),
          members_(participants.members()) {
        loop_.participants = participants;
    }

    std::optional<MainLoop> run() {
        work_out_weights();
        find_senders();
        double all = 0;
        for (const u32 item : pattern_.root) all += weight_[item];
        u32 node = heaviest_loop(pattern_.root);
        if (node == kNone || all == 0) return std::nullopt;
        loop_.node = node;
        const auto places = std::count(pattern_.root.begin(), pattern_.root.end(), node);
        loop_.share = static_cast<double>(places) * weight_[node] / all;
        find_symbols(node);
        for (; node != kNone; node = inner(node)) {
            Extremes iterations;
            for (const u32 member : members_) {
                iterations.add(source_.counts().executions(member, node));
            }
            loop_.iterations.push_back(iterations);
            loop_.inner_iterations.push_back(inner_iterations_[node]);
            if (sends_within_[node]) loop_.sending = loop_.iterations.size();
            if (sends(node)) {
                loop_.steps = iterations.agree() ? std::optional(iterations.least) : std::nullopt;
            }
        }
        return std::move(loop_);
    }

  private:
    /// How often a node is executed each time it is come by, on average over all members.
    [[nodiscard]] double repeats(u32 node) {
        double executions = 0;
        double visits = 0;
        for (const u32 member : members_) {
            executions += static_cast<double>(source_.counts().executions(member, node));
            visits += static_cast<double>(source_.counts().visits(member, node));
        }
        return visits == 0 ? 0 : executions / visits;
    }

    /// Calls behind one visit of every node; loops hold loops of a lower index only.
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

    /// Notes the symbols that stand only within a loop of the root.
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

    /// The loop within a loop that holds nearly all of it.
    [[nodiscard]] u32 inner(u32 node) const {
        const std::vector<u32>& body = pattern_.loops[node - pattern_.leaf_count];
        const u32 best = heaviest_loop(body);
        if (best == kNone) return kNone;
        double all = 0;
        for (const u32 item : body) all += weight_[item];
        return weight_[best] >= kNearlyAll * all ? best : kNone;
    }

    /// Whether a leaf is a call that sends a message.
    [[nodiscard]] bool leaf_sends(u32 leaf) {
        const u32 symbol = script_.symbols[leaf];
        const auto recipes =
            transfer_recipes(source_.structure(), symbol, source_.index().slots(symbol));
        return std::any_of(recipes.begin(), recipes.end(), [](const TransferRecipe& recipe) {
            return recipe.kind == Transfer::Kind::send;
        });
    }

    /// Whether a loop sends itself.
    [[nodiscard]] bool sends(u32 node) const {
        const std::vector<u32>& body = pattern_.loops[node - pattern_.leaf_count];
        return std::any_of(body.begin(), body.end(), [this](u32 item) {
            return item < pattern_.leaf_count && sends_within_[item];
        });
    }

    /// Finds the nodes that send or hold one that does, and their iterations.
    void find_senders() {
        for (u32 leaf = 0; leaf < pattern_.leaf_count; ++leaf) {
            sends_within_.push_back(leaf_sends(leaf));
        }
        fewest_iterations_.assign(pattern_.node_count(), MainLoop::kNever);
        inner_iterations_ = fewest_iterations_;
        for (u32 node = pattern_.leaf_count; node < pattern_.node_count(); ++node) {
            const std::vector<u32>& body = pattern_.loops[node - pattern_.leaf_count];
            bool sends = false;
            for (const u32 item : body) {
                sends = sends || sends_within_[item];
                inner_iterations_[node] =
                    std::min(inner_iterations_[node], fewest_iterations_[item]);
            }
            sends_within_.push_back(sends);
            if (sends) fewest_iterations_[node] = std::min(inner_iterations_[node], fewest(node));
        }
    }

    /// Executions of a node by the member that executes it least, if at all.
    [[nodiscard]] u64 fewest(u32 node) {
        u64 least = MainLoop::kNever;
        for (const u32 member : members_) {
            const u64 executions = source_.counts().executions(member, node);
            if (executions != 0) least = std::min(least, executions);
        }
        return least;
    }

    ListingSource& source_;
    const Script& script_;
    const Pattern& pattern_;
    std::vector<u32> members_;
    std::vector<double> weight_;          ///< by node
    std::vector<bool> sends_within_;      ///< by node
    std::vector<u64> fewest_iterations_;  ///< by node: of a loop that sends or one within it
    std::vector<u64> inner_iterations_;   ///< by node: of those within it only
    MainLoop loop_;
};

}  // namespace

std::optional<MainLoop> find_main_loop(ListingSource& source, u32 script,
                                       const ParticipantList& participants) {
    return MainLoopFinder(source, script, participants).run();
}

u32 ChosenLoops::of(u32 location) {
    const u32 script = source_.index().script(Stream::events, location);
    if (script == kNone) return kNone;
    const auto [known, fresh] = known_.emplace(script, kNone);
    if (fresh) known->second = find(script);
    return known->second;
}

u64 ChosenLoops::iterations(u32 location) {
    const u32 node = of(location);
    return node == kNone ? 0 : source_.counts().executions(location, node);
}

u32 ChosenLoops::find(u32 script) {
    if (number_ == 0) {
        const ParticipantList members(source_.counts().members_of_script(script));
        const std::optional<MainLoop> loop = find_main_loop(source_, script, members);
        return loop ? loop->node : kNone;
    }
    const Structure& structure = source_.structure();
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    std::vector<u32> loops;
    for (const u32 item : pattern.root) {
        const bool again = std::find(loops.begin(), loops.end(), item) != loops.end();
        if (item >= pattern.leaf_count && !again) loops.push_back(item);
    }
    return number_ <= loops.size() ? loops[number_ - 1] : kNone;
}

}  // namespace tracefold
