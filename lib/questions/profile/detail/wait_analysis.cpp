// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/wait_analysis.hpp"

#include "file/record_counts.hpp"
#include "mpi/epoch_matching.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/profile/detail/wait_iteration.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

using Kind = Action::Kind;

bool is_collective(const Action& action) {
    return action.kind == Kind::collective ||
           (action.kind == Kind::record && action.type == EventType::RmaCollectiveEnd);
}

/// Actions that other calls will match: the call must be kept for them.
bool has_partners(const Action& action) {
    return action.kind == Kind::send || action.is_matched_here() || is_collective(action) ||
           (action.kind == Kind::post_collective && action.known);
}

bool is_epoch_call(MpiFunction function) {
    return function == MpiFunction::Win_post || function == MpiFunction::Win_start ||
           function == MpiFunction::Win_complete || function == MpiFunction::Win_wait ||
           function == MpiFunction::Win_test;
}

/// Actions whose partner the trace does not identify.
bool has_unknown_partner(const Action& action, const MpiCall& mpi_call) {
    if (action.kind != Kind::record) return false;
    if (action.type == EventType::RmaWaitChange) return true;
    return action.type == EventType::RmaGroupSync && !is_epoch_call(mpi_call.function);
}

bool may_wait_for_receiver(const MpiCall& mpi_call) {
    return mpi_call.family == CallFamily::send && mpi_call.function != MpiFunction::Bsend;
}

/// Number of buffered lock epochs that triggers their evaluation.
constexpr std::size_t kFewEpochs = 256;

}  // namespace

WaitAnalysis::WaitAnalysis(TraceFile& file, const std::vector<Thread>& threads)
    : definitions_(file.definitions()),
      threads_(file),
      locks_([this](const WindowCall& call, u64 until) {
          has_contended_locks_ = has_contended_locks_ || call.counts;
          book(call, WaitKind::late_unlock, until);
      }),
      settle_at_(kFewEpochs) {
    find_forks(file, threads);
    const CommonClock clock = common_clock(file);
    for (u32 number = 0; number < threads.size(); ++number) {
        walkers_.emplace_back(file, threads[number], number, clock, tree_, threads_);
    }
}

WaitAnalysis::~WaitAnalysis() = default;

/// Threads may be walked before those that start them: find the forking call paths first.
void WaitAnalysis::find_forks(TraceFile& file, const std::vector<Thread>& threads) {
    const bool alone = !threads.empty() && threads.back().rank + 1 == threads.size();
    for (u32 number = 0; number < threads.size() && !alone; ++number) {
        const u32 location = threads[number].location;
        if (!starts_threads(file, location)) continue;
        PathWalk walk(file, location, number, Times::skip, tree_, threads_);
        while (walk.next()) continue;
    }
}

void WaitAnalysis::began(u32 walker, const MpiCall& mpi_call) {
    Walker& it = walkers_[walker];
    Call& call = it.call;
    if (call.partners > 0) it.open[call.index] = call;
    const u32 node = it.path.next(mpi_call);
    call = {mpi_call.index, it.clock.common(mpi_call.begin), it.clock.common(mpi_call.end)};
    call.end = std::max(call.begin, call.end);
    call.node = node;
    const bool starts = !it.inside && !it.over && mpi_call.family != CallFamily::init &&
                        mpi_call.family != CallFamily::local;
    if (starts) {
        it.inside = true;
        it.times.begin = it.last = call.begin;
    }
    if (it.inside) compute_until(it, call);
    if (mpi_call.family == CallFamily::finalize) {
        it.inside = false;
        it.over = true;
    }
    call.counts = it.inside;
    call.may_wait_send = may_wait_for_receiver(mpi_call);
    call.in_file = mpi_call.family == CallFamily::file;
    open(it, call);
    for (const Action& action : mpi_call.actions) {
        call.partners += partners_of(action, mpi_call);
        has_unknown_waits_ =
            has_unknown_waits_ || (call.counts && has_unknown_partner(action, mpi_call));
    }
    if (mpi_call.family == CallFamily::window) begin_epoch_call(walker, mpi_call);
    if (iteration_) iteration_->began(walker, mpi_call);
}

void WaitAnalysis::compute_until(Walker& walker, const Call& call) {
    const u64 computed = call.begin - std::min(walker.last, call.begin);
    walker.times.computation += computed;
    walker.times.ideal.advance(computed);
    walker.times.end = call.begin;
}

/// Starts a call, on the ideal network too.
void WaitAnalysis::open(Walker& walker, Call& call) {
    call.ideal = walker.times.ideal;
    walker.ready_ideal = call.ideal;
    walker.waits = {};
}

/// Number of partners that will look up the call.
i64 WaitAnalysis::partners_of(const Action& action, const MpiCall& mpi_call) const {
    if (has_partners(action)) return 1;
    return static_cast<i64>(epoch_partners(definitions_, mpi_call, action));
}

void WaitAnalysis::begin_epoch_call(u32 walker, const MpiCall& mpi_call) {
    const Action* const sync = find_record(mpi_call, EventType::RmaGroupSync);
    if (sync == nullptr) return;
    Walker& it = walkers_[walker];
    it.call.window = sync->fields[1];
    it.call.exposes = mpi_call.function == MpiFunction::Win_post;
    if (mpi_call.function == MpiFunction::Win_complete) {
        it.access.access(it.call.window, window_call(walker, kNone));
    }
}

void WaitAnalysis::ended(u32 walker, const MpiCall& mpi_call) {
    Walker& it = walkers_[walker];
    const Call& call = it.call;
    for (u32 i = 0; i < mpi_call.actions.size(); ++i) {
        if (!is_collective(mpi_call.actions[i])) continue;
        const CallPlace place{walker, call.index, i};
        const std::optional<Ready> ready = ready_.take(place);
        if (!ready) continue;
        take(it, call, *ready);
        if (iteration_) iteration_->was_ready(place, place);
    }
    if (call.counts) close(walker, call);
    if (mpi_call.family == CallFamily::window) note_window_actions(walker, mpi_call);
    if (mpi_call.family == CallFamily::init && !it.over) {
        it.inside = true;
        it.times.begin = it.times.end = call.end;
    }
    it.last = call.end;
    if (iteration_) iteration_->ended(walker);
}

/// Adds the times of a completed call.
void WaitAnalysis::close(u32 walker, const Call& call) {
    Walker& it = walkers_[walker];
    const u64 duration = call.end - call.begin;
    it.times.mpi += duration;
    it.times.ideal = it.ready_ideal;
    if (call.in_file) {
        it.times.io += duration;
        IdealTime end = call.ideal;
        end.advance(duration);
        it.times.ideal.wait_for(end);
    }
    it.times.end = call.end;
    for (std::size_t kind = 0; kind < kWaitKinds; ++kind) {
        book(walker, call, static_cast<WaitKind>(kind), it.waits[kind]);
    }
}

WindowCall WaitAnalysis::window_call(u32 walker, u32 target) const {
    const Call& call = walkers_[walker].call;
    return {call.begin, call.end, call.node, walker, target, call.counts};
}

/// World rank of the accessed or locked window; kNone: all.
u32 WaitAnalysis::target_of(u32 rank, const Action& action) const {
    return world_peer(definitions_, definitions_.window_communicator(action.fields[0]), rank,
                      action.fields[1]);
}

void WaitAnalysis::note_window_actions(u32 walker, const MpiCall& mpi_call) {
    const u32 rank = walkers_[walker].rank;
    AccessEpochs& access = walkers_[walker].access;
    for (const Action& action : mpi_call.actions) {
        if (action.kind != Kind::record) continue;
        const u64 window = action.fields[0];
        switch (action.type) {
            case EventType::RmaRequestLock: {
                const u32 target = target_of(rank, action);
                locks_.request(window, target, action.fields[3] == 0, window_call(walker, target));
                break;
            }
            case EventType::RmaReleaseLock:
                locks_.release(window, target_of(rank, action),
                               window_call(walker, target_of(rank, action)));
                settle_locks();
                break;
            case EventType::RmaPut:
            case EventType::RmaGet:
            case EventType::RmaAtomic:
                access.access(window, window_call(walker, target_of(rank, action)));
                locks_.call(window, window_call(walker, target_of(rank, action)));
                break;
            case EventType::RmaOpCompleteBlocking:
            case EventType::RmaOpCompleteNonBlocking:
            case EventType::RmaOpCompleteRemote:
                locks_.call(window, window_call(walker, kNone));
                break;
            default:
                break;
        }
    }
    const u64 window = walkers_[walker].call.window;
    if (mpi_call.function == MpiFunction::Win_start) {
        access.start(window, window_call(walker, kNone));
    } else if (mpi_call.function == MpiFunction::Win_complete) {
        access.complete(window, [this](const WindowCall& call, u64 until) {
            book(call, WaitKind::late_post, until);
        });
    }
}

/// Periodically evaluates locks up to the time that all ranks have passed.
void WaitAnalysis::settle_locks() {
    if (locks_.pending() < settle_at_) return;
    u64 passed = ~u64{0};
    for (const Walker& walker : walkers_) {
        if (!walker.over) passed = std::min(passed, walker.last);
    }
    locks_.settle(passed);
    settle_at_ = std::max(kFewEpochs, 2 * locks_.pending());
}

void WaitAnalysis::synchronised(CallPlace waiting, CallPlace partner) {
    Call* const from = find(partner);
    if (from != nullptr) {
        Walker& it = walkers_[waiting.walker];
        if (from->exposes) {
            it.ready_ideal.wait_for(from->ideal);
            it.access.exposed(from->window, walkers_[partner.walker].rank, from->begin);
        } else {
            it.ready_ideal.wait_for(from->ideal);
            wait_until(it, WaitKind::late_complete, from->begin);
        }
    }
    partner_came(partner, from);
}

WaitAnalysis::Call* WaitAnalysis::find(CallPlace place) {
    Walker& it = walkers_[place.walker];
    return it.call.index == place.index ? &it.call : it.open.find(place.index);
}

void WaitAnalysis::partner_came(CallPlace place, Call* call) {
    if (call == nullptr || --call->partners > 0) return;
    Walker& it = walkers_[place.walker];
    if (call != &it.call) it.open.erase(place.index);
}

void WaitAnalysis::matched(CallPlace sender, CallPlace receiver) {
    Call* const from = find(sender);
    Call* const to = find(receiver);
    if (from != nullptr) messages_[receiver] = match(sender.walker, *from, to);
    if (iteration_) iteration_->matched(sender, receiver, from != nullptr && to != nullptr);
    partner_came(sender, from);
    // For a message to self, looks the receiver up again: sender's entry may have moved it.
    partner_came(receiver, sender.walker == receiver.walker ? find(receiver) : to);
}

/// Matches a message with its receive; `to`: null if no longer known.
WaitAnalysis::Sent WaitAnalysis::match(u32 sender, const Call& from, const Call* to) {
    if (to != nullptr && from.may_wait_send && to->begin < from.end) {
        book(sender, from, WaitKind::late_receiver, to->begin);
    }
    return {from.ideal, from.begin};
}

void WaitAnalysis::completed(CallPlace receiver, CallPlace completion) {
    const std::optional<Sent> sent = messages_.take(receiver);
    if (!sent) return;
    Walker& it = walkers_[completion.walker];
    complete(it, it.call, *sent);
    if (iteration_) iteration_->completed(receiver, completion);
}

/// Records that the call has received the message.
void WaitAnalysis::complete(Walker& walker, const Call& call, const Sent& sent) {
    if (sent.begin > call.end) ++early_messages_;
    walker.ready_ideal.wait_for(sent.ideal);
    wait_until(walker, WaitKind::late_sender, sent.begin);
}

void WaitAnalysis::matched_collective(const CollectiveInstances::Context& context,
                                      const CollectiveInstances::Instance& instance) {
    Collective collective = collective_of(context, instance);
    std::vector<Call*> calls;
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        calls.push_back(find(arrival.place));
    }
    const bool counts = std::ranges::any_of(
        calls, [](const Call* call) { return call != nullptr && call->counts; });
    if (counts && collective.needs.basis() == NeedBasis::unknown) {
        open_kinds_.insert(instance.part.kind);
    }
    const std::vector<Ready> ready = ready_of(collective, calls);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const CallPlace place = instance.present[i].place;
        if (collective.seats[i] < collective.needs.size()) ready_[place] = ready[i];
        partner_came(place, calls[i]);
    }
    if (iteration_) iteration_->matched_collective(instance, std::move(collective));
}

WaitAnalysis::Collective WaitAnalysis::collective_of(
    const CollectiveInstances::Context& context, const CollectiveInstances::Instance& instance) {
    const CollectiveKind kind = instance.part.kind;
    Collective collective;
    collective.kind = !context.is_of_window()           ? collective_wait(kind)
                      : kind == CollectiveKind::barrier ? WaitKind::fence
                                                        : WaitKind::all_to_all;
    collective.needs = CollectiveNeeds(context, instance);
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        collective.seats.push_back(context.member(arrival.rank));
    }
    return collective;
}

/// When each arrived member is ready. `calls`: of the members, null if no longer known.
std::vector<WaitAnalysis::Ready> WaitAnalysis::ready_of(const Collective& collective,
                                                        std::span<const Call* const> calls) {
    const CollectiveNeeds& needs = collective.needs;
    std::vector<u64> least(needs.size(), 0);
    std::vector<u64> most(needs.size(), 0);
    std::vector<u64> real(needs.size(), 0);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::size_t seat = collective.seats[i];
        if (calls[i] == nullptr || seat == needs.size()) continue;
        least[seat] = calls[i]->ideal.least;
        most[seat] = calls[i]->ideal.most;
        real[seat] = calls[i]->begin;
    }
    std::array<std::shared_ptr<const Arrivals>, 3> arrivals;
    if (needs.basis() != NeedBasis::semantics && needs.need() == CollectiveNeed::everybody) {
        arrivals = arrivals_of(needs, least, most, real);
    }
    least = needs.certain_times(least);
    most = needs.ready_times(most);
    real = needs.ready_times(real);
    std::vector<Ready> ready(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::size_t seat = collective.seats[i];
        if (seat == needs.size()) continue;
        ready[i] = {{least[seat], most[seat]},
                    real[seat],
                    collective.kind,
                    needs.basis(),
                    arrivals[std::min(needs.needed_side(seat), 2U)]};
    }
    return ready;
}

/// By side; the last entry: of all members.
std::array<std::shared_ptr<const WaitAnalysis::Arrivals>, 3> WaitAnalysis::arrivals_of(
    const CollectiveNeeds& needs, std::span<const u64> least, std::span<const u64> most,
    std::span<const u64> real) {
    std::vector<std::size_t> order;
    for (std::size_t seat = 0; seat < needs.size(); ++seat) {
        if (needs.gives(seat)) order.push_back(seat);
    }
    std::ranges::sort(order, {}, [&](std::size_t seat) { return real[seat]; });
    std::array<std::shared_ptr<const Arrivals>, 3> all;
    for (u32 side = 0; side < all.size(); ++side) {
        const auto arrivals = std::make_shared<Arrivals>();
        IdealTime latest;
        for (const std::size_t seat : order) {
            if (side < 2 && needs.side(seat) != side) continue;
            latest.wait_for({least[seat], most[seat]});
            arrivals->real.push_back(real[seat]);
            arrivals->ideal.push_back(latest);
        }
        all[side] = arrivals;
    }
    return all;
}

void WaitAnalysis::completed_collective(CallPlace post, CallPlace completion) {
    const std::optional<Ready> ready = ready_.take(post);
    if (!ready) return;
    Walker& it = walkers_[completion.walker];
    take(it, it.call, *ready);
    if (iteration_) iteration_->was_ready(post, completion);
}

void WaitAnalysis::begin_iteration(const std::vector<std::size_t>& calls) {
    iteration_ = std::make_unique<Iteration>(*this, calls);
}

bool WaitAnalysis::end_iteration() {
    if (iteration_ && !iteration_->is_complete()) iteration_.reset();
    return iteration_ != nullptr;
}

void WaitAnalysis::repeat(const std::vector<IterationSource*>& sources, u64 times) {
    iteration_->repeat(sources, times);
    iteration_.reset();
}

void WaitAnalysis::wait_until(Walker& walker, WaitKind kind, u64 time) {
    u64& until = walker.waits[static_cast<std::size_t>(kind)];
    until = std::max(until, time);
}

/// `call`: the one that waited. It did not wait for members that came after its end, unless it
/// certainly needs them: then the clocks disagree.
void WaitAnalysis::take(Walker& walker, const Call& call, const Ready& ready) {
    IdealTime ideal = ready.ideal;
    u64 real = ready.real;
    const bool is_early = real > call.end;
    if (is_early && ready.basis == NeedBasis::semantics) ++early_collectives_;
    if (is_early && ready.basis != NeedBasis::semantics) {
        IdealTime came = call.ideal;
        real = 0;
        if (ready.arrivals) {
            const std::vector<u64>& begins = ready.arrivals->real;
            const auto count = std::ranges::upper_bound(begins, call.end) - begins.begin();
            if (count != 0) {
                came.wait_for(ready.arrivals->ideal[static_cast<std::size_t>(count) - 1]);
                real = begins[static_cast<std::size_t>(count) - 1];
            }
        }
        if (ready.basis == NeedBasis::custom) ideal.least = came.least;
        ideal.most = std::max(came.most, ideal.least);
    }
    walker.ready_ideal.wait_for(ideal);
    wait_until(walker, ready.kind, real);
}

void WaitAnalysis::book(u32 walker, const Call& call, WaitKind kind, u64 until) {
    if (!call.counts || until <= call.begin) return;
    const u64 ticks = std::min(until, call.end) - call.begin;
    if (ticks == 0) return;
    Walker& it = walkers_[walker];
    Wait& wait = it.booked[u64{call.node} * kWaitKinds + static_cast<std::size_t>(kind)];
    ++wait.count;
    wait.ticks += ticks;
    it.times.waits[static_cast<std::size_t>(kind)] += ticks;
}

void WaitAnalysis::book(const WindowCall& window_call, WaitKind kind, u64 until) {
    Call call;
    call.begin = window_call.begin;
    call.end = window_call.end;
    call.node = window_call.node;
    call.counts = window_call.counts;
    book(window_call.caller, call, kind, until);
}

std::map<WaitAnalysis::Place, WaitAnalysis::Wait> WaitAnalysis::waits() const {
    std::map<Place, Wait> waits;
    for (u32 walker = 0; walker < walkers_.size(); ++walker) {
        walkers_[walker].booked.for_each([&](u64 key, const Wait& wait) {
            waits[{static_cast<u32>(key / kWaitKinds), walker,
                   static_cast<WaitKind>(key % kWaitKinds)}] = wait;
        });
    }
    return waits;
}

std::vector<RankEfficiency> WaitAnalysis::times() const {
    std::vector<RankEfficiency> times;
    for (const Walker& walker : walkers_) times.push_back(walker.times);
    return times;
}

}  // namespace tracefold
