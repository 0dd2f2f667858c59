// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/main_loop.hpp"

#include "base/error.hpp"
#include "file/call_reader.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// The core of the main loop extends to a nested loop that holds at least this share of it.
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
        }
        return std::move(loop_);
    }

  private:
    /// Executions of a node per visit, averaged over all members.
    [[nodiscard]] double repeats(u32 node) {
        double executions = 0;
        double visits = 0;
        for (const u32 member : members_) {
            executions += static_cast<double>(source_.counts().executions(member, node));
            visits += static_cast<double>(source_.counts().visits(member, node));
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

    ListingSource& source_;
    const Script& script_;
    const Pattern& pattern_;
    std::vector<u32> members_;
    std::vector<double> weight_;  ///< by node
    MainLoop loop_;
};

}  // namespace

std::optional<MainLoop> find_main_loop(ListingSource& source, u32 script,
                                       const ParticipantList& participants) {
    return MainLoopFinder(source, script, participants).run();
}

u32 chosen_loop(ListingSource& source, u32 script, u32 number) {
    if (number == 0) {
        const ParticipantList& members = source.counts().members_of_script(script);
        const std::optional<MainLoop> loop = find_main_loop(source, script, members);
        return loop ? loop->node : u32{kNone};
    }
    const Structure& structure = source.structure();
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    std::vector<u32> loops;
    for (const u32 item : pattern.root) {
        const bool again = std::find(loops.begin(), loops.end(), item) != loops.end();
        if (item >= pattern.leaf_count && !again) loops.push_back(item);
    }
    return number <= loops.size() ? loops[number - 1] : u32{kNone};
}

std::vector<IterationRange> iteration_ranges(TraceFile& file, u32 location,
                                             const LocationSteps& steps,
                                             const std::function<bool(u64 iteration)>& wanted) {
    CallReader calls(file, location);
    StepCounter counter(&steps);
    std::vector<IterationRange> ranges;
    bool is_within = false;
    u64 number = 0;
    for (u64 before = 0; calls.next(); before = calls.records()[calls.records().size() - 1].time) {
        counter.next();
        const std::optional<u64> iteration = counter.step();
        const bool was_within = std::exchange(is_within, iteration && wanted(*iteration));
        if (is_within && !was_within) {
            const u64 begin = number == 0 ? calls.records()[0].time : before;
            ranges.push_back({number, ~u64{0}, {begin, begin}});
        }
        if (was_within && !is_within) ranges.back().last = number;
        number += calls.records().size();
        if (is_within) ranges.back().time.end = calls.records()[calls.records().size() - 1].time;
    }
    return ranges;
}

const LocationSteps* Iterations::of(u32 location) {
    if (are_of_program()) return steps_.get() ? steps_.get()->of(location) : nullptr;
    const auto [known, fresh] = of_loops_.try_emplace(location);
    if (fresh) {
        const u32 loop = loop_of(location);
        if (loop != kNone) known->second = steps_of_loop(file_, location, loop);
    }
    return known->second.count() == 0 ? nullptr : &known->second;
}

void Iterations::expect_some() {
    if (!are_of_program() || steps_.get()) return;
    throw Error(ErrorKind::usage, "{} has no steps common to all ranks that could be selected: {}",
                file_.container().path(), no_steps_text(steps_.none()));
}

u32 Iterations::loop_of(u32 location) {
    const u32 script = source_.index().script(Stream::events, location);
    return script == kNone ? u32{kNone} : chosen_loop(source_, script, loop_);
}

}  // namespace tracefold
