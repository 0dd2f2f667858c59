// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/wait_iteration.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

WaitAnalysis::Iteration::Iteration(WaitAnalysis& analysis, const std::vector<std::size_t>& calls)
    : analysis_(analysis), parts_(calls.size()) {
    std::size_t all = 0;
    for (u32 walker = 0; walker < calls.size(); ++walker) {
        parts_[walker].first = static_cast<u32>(all);
        parts_[walker].calls = calls[walker];
        all += calls[walker];
        if (calls[walker] != 0 && !analysis_.walkers_[walker]->sums.is_inside()) complete_ = false;
        walker_of_.insert(walker_of_.end(), calls[walker], walker);
    }
    calls_.resize(all);
}

void WaitAnalysis::Iteration::began(u32 walker, const MpiCall& mpi_call) {
    if (!complete_) return;
    Part& part = parts_[walker];
    const Call& call = analysis_.walkers_[walker]->call;
    if (part.begun == 0) part.first_index = call.index;
    const bool is_known = mpi_call.family != CallFamily::window &&
                          mpi_call.family != CallFamily::init &&
                          mpi_call.family != CallFamily::finalize;
    if (part.begun == part.calls || !is_known) {
        complete_ = false;
        return;
    }
    const u32 number = part.first + static_cast<u32>(part.begun++);
    if (mpi_call.region != kNone) ++part.with_region;
    calls_[number] = call;
    calls_[number].partners = 0;
    steps_.push_back({Step::Kind::begin, number, 0, 0});
}

void WaitAnalysis::Iteration::ended(u32 walker) {
    const Part& part = parts_[walker];
    if (part.begun == 0) complete_ = false;
    if (!complete_) return;
    steps_.push_back({Step::Kind::end, part.first + static_cast<u32>(part.begun) - 1, 0, 0});
}

/// Number of a call of this iteration; clears complete_ for other calls.
u32 WaitAnalysis::Iteration::number(CallPlace place) {
    const Part& part = parts_[place.walker];
    if (place.index < part.first_index || place.index - part.first_index >= part.begun) {
        complete_ = false;
        return 0;
    }
    return part.first + static_cast<u32>(place.index - part.first_index);
}

void WaitAnalysis::Iteration::matched(CallPlace sender, CallPlace receiver, bool known) {
    const u32 from = number(sender);
    const u32 to = number(receiver);
    complete_ = complete_ && known;
    if (!complete_) return;
    // The probe must be of this iteration.
    number({receiver.walker, receiver.index - calls_[to].probe, 0});
    const auto slot = static_cast<u32>(sent_.size());
    sent_.emplace_back();
    messages_[receiver] = slot;
    ++incomplete_;
    steps_.push_back({Step::Kind::match, from, to, slot});
}

void WaitAnalysis::Iteration::completed(CallPlace receiver, CallPlace completion) {
    const std::optional<u32> slot = messages_.take(receiver);
    if (!slot) complete_ = false;
    if (!complete_) return;
    --incomplete_;
    steps_.push_back({Step::Kind::complete, number(completion), 0, *slot});
}

void WaitAnalysis::Iteration::probed(CallPlace sender, CallPlace probe) {
    const u32 from = number(sender);
    const u32 to = number(probe);
    if (complete_) steps_.push_back({Step::Kind::probe, to, from, 0});
}

void WaitAnalysis::Iteration::completed_send(CallPlace sender, CallPlace completion) {
    const u32 from = number(sender);
    const u32 to = number(completion);
    if (complete_) steps_.push_back({Step::Kind::complete_send, to, from, 0});
}

void WaitAnalysis::Iteration::matched_collective(const CollectiveInstances::Instance& instance,
                                                 Collective collective) {
    if (!complete_) return;
    Members members;
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        const u32 call = number(arrival.place);
        members.calls.push_back(calls_.data() + call);
        members.slots.push_back(static_cast<u32>(ready_.size()));
        members_[arrival.place] = members.slots.back();
        ready_.emplace_back();
    }
    members.collective = std::move(collective);
    steps_.push_back({Step::Kind::collective, static_cast<u32>(collectives_.size()), 0, 0});
    collectives_.push_back(std::move(members));
}

void WaitAnalysis::Iteration::was_ready(CallPlace part, CallPlace waiting) {
    const std::optional<u32> slot = members_.take(part);
    if (!slot) complete_ = false;
    if (!complete_) return;
    steps_.push_back({Step::Kind::take, number(waiting), 0, *slot});
}

bool WaitAnalysis::Iteration::is_complete() const {
    const bool all_begun =
        std::ranges::all_of(parts_, [](const Part& part) { return part.begun == part.calls; });
    return complete_ && all_begun && incomplete_ == 0;
}

void WaitAnalysis::Iteration::repeat(const std::vector<IterationSource*>& sources, u64 times) {
    for (u64 i = 0; i < times; ++i) {
        cancel_point();
        read_times(sources);
        for (const Step& step : steps_) run(step);
    }
    pass(times);
}

void WaitAnalysis::Iteration::read_times(const std::vector<IterationSource*>& sources) {
    for (std::size_t walker = 0; walker < parts_.size(); ++walker) {
        const Part& part = parts_[walker];
        if (part.calls == 0) continue;
        const u64* times = sources[walker]->next_times();
        for (Call& call : std::span(calls_).subspan(part.first, part.calls)) {
            analysis_.walkers_[walker]->set_times(call, times[0], times[1]);
            times += 2;
            analysis_.forget_receivers(call);
            call.restart();
        }
    }
}

void WaitAnalysis::Iteration::run(const Step& step) {
    if (step.kind == Step::Kind::collective) {
        const Members& members = collectives_[step.call];
        const std::vector<Ready> ready = analysis_.ready_of(members.collective, members.calls);
        for (std::size_t i = 0; i < ready.size(); ++i) ready_[members.slots[i]] = ready[i];
        return;
    }
    Call& call = calls_[step.call];
    const u32 number = walker_of_[step.call];
    Walker& walker = *analysis_.walkers_[number];
    switch (step.kind) {
        case Step::Kind::begin:
            walker.sums.compute_until(call.begin, call.polls);
            open(walker, call);
            break;
        case Step::Kind::end:
            analysis_.close(number, call);
            walker.sums.pass(call.end, call.in_vain);
            break;
        case Step::Kind::match: {
            Call& to = calls_[step.partner];
            sent_[step.slot] = analysis_.match(
                {number, walker_of_[step.partner], &call, &to,
                 call.completion == 0 ? nullptr : &calls_[step.call + call.completion],
                 to.probe == 0 ? nullptr : &calls_[step.partner - to.probe]});
            break;
        }
        case Step::Kind::probe: {
            const Call& from = calls_[step.partner];
            WaitAnalysis::take(walker, {from.ideal, from.begin});
            break;
        }
        case Step::Kind::complete_send:
            analysis_.complete_send(number, call, calls_[step.partner]);
            break;
        case Step::Kind::complete:
            analysis_.complete(walker, call, sent_[step.slot]);
            break;
        case Step::Kind::take:
            analysis_.take(walker, call, ready_[step.slot]);
            break;
        case Step::Kind::collective:
            break;
    }
}

/// Moves the analysis past the repeated calls.
void WaitAnalysis::Iteration::pass(u64 times) {
    for (std::size_t number = 0; number < parts_.size(); ++number) {
        const Part& part = parts_[number];
        if (part.calls == 0) continue;
        Walker& walker = *analysis_.walkers_[number];
        walker.path.pass(times * part.with_region);
        analysis_.forget_receivers(walker.call);
        Call& last = calls_[part.first + part.calls - 1];
        walker.call = last;
        last.more_receivers = 0;
        walker.call.index = part.first_index + part.calls * (times + 1) - 1;
    }
}

}  // namespace tracefold
