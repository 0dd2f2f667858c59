// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/wait_analysis.hpp"

#include "file/record_counts.hpp"
#include "mpi/epoch_matching.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/profile/detail/wait_iteration.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

using Kind = Action::Kind;

/// Actions that other calls will match: the call must be kept for them.
bool has_partners(const Action& action) {
    return action.kind == Kind::send || action.is_matched_here() || joins_collective(action) ||
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

bool waits_for_message(MpiFunction function) {
    return function == MpiFunction::Probe || function == MpiFunction::Mprobe;
}

/// Whether one thread of each rank calls MPI.
bool are_alone(const std::vector<WaitAnalysis::Thread>& threads) {
    return !threads.empty() && threads.back().rank + 1 == threads.size();
}

/// Sets when each member of a collective operation is ready on the ideal network.
void set_ready(const CollectiveNeeds& needs, std::span<const IdealTimes> came,
               IdealTime IdealTimes::*which, std::vector<IdealTimes>& ready) {
    std::vector<u64> least(came.size());
    std::vector<u64> most(came.size());
    for (std::size_t seat = 0; seat < came.size(); ++seat) {
        least[seat] = (came[seat].*which).least;
        most[seat] = (came[seat].*which).most;
    }
    least = needs.certain_times(least);
    most = needs.ready_times(most);
    for (std::size_t seat = 0; seat < came.size(); ++seat) {
        ready[seat].*which = {least[seat], most[seat]};
    }
}

/// Number of buffered lock epochs that triggers their evaluation.
constexpr std::size_t kFewEpochs = 256;

}  // namespace

ThreadSums::ThreadSums(ThreadWindows windows) : windows_(std::move(windows)) {
    focus.begin = windows_.focus.begin;
    focus.end = windows_.focus.end;
    inside_ = windows_.is_begun;
    if (inside_) times.begin = times.end = last_ = windows_.part.begin();
}

bool ThreadSums::begin_call(CallFamily family, TickWindow call, bool polls) {
    if (!inside_ && !over_ && family != CallFamily::init && family != CallFamily::local) {
        inside_ = true;
        times.begin = last_ = call.begin;
    }
    if (inside_) compute_until(call.begin, polls);
    if (family == CallFamily::finalize) {
        inside_ = false;
        over_ = true;
        times.finalize = call.length();
    }
    return inside_;
}

void ThreadSums::compute_until(u64 time, bool polls) {
    const u64 first = std::min(last_, time);
    const bool has_holes = windows_.part.windows.size() > 1;
    const u64 passed = has_holes ? windows_.part.within(first, time) : time - first;
    const u64 focused = windows_.focus.within(first, time);
    ideal.run.advance(passed);
    ideal.focus.advance(focused);
    times.end = time;
    u64 overhead = 0;
    u64 of_focus = 0;
    if (!windows_.flushes.empty()) {
        overhead = windows_.flushes.within(first, time);
        if (focused != 0) {
            of_focus = windows_.flushes.within(std::max(first, windows_.focus.begin),
                                               std::min(time, windows_.focus.end));
        }
    }
    times.computation += passed - overhead;
    times.overhead += overhead;
    if (polled_ && polls) times.polling += passed - overhead;
    focus.computation += focused - of_focus;
    focus.overhead += of_focus;
}

void ThreadSums::add_call(TickWindow call) {
    times.mpi += call.length();
    times.overhead_in_mpi += windows_.flushes.within(call.begin, call.end);
    times.end = call.end;
}

void ThreadSums::end_call(CallFamily family, TickWindow call, bool in_vain) {
    if (family == CallFamily::init && !over_) {
        inside_ = true;
        times.begin = times.end = call.end;
        times.init = call.length();
    }
    pass(call.end, in_vain);
}

void ThreadSums::pass(u64 end, bool in_vain) {
    last_ = end;
    polled_ = in_vain;
}

void ThreadSums::finish() {
    const MeasuredTime& part = windows_.part;
    if (inside_ && !part.empty()) compute_until(std::max(part.end(), last_), false);
    if (part.windows.size() > 1) times.parts = part.clipped(times.begin, times.end);
    times.ideal = ideal.run;
    focus.ideal = ideal.focus;
}

WaitAnalysis::WaitAnalysis(TraceFile& file, const std::vector<Thread>& threads,
                           const std::vector<ThreadWindows>& windows)
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
        const ThreadWindows of_thread = windows.empty() ? ThreadWindows() : windows[number];
        walkers_.push_back(std::make_unique<Walker>(file, threads[number], number, clock, tree_,
                                                    threads_, of_thread));
        has_focus_ = has_focus_ || of_thread.focus.length() != 0;
    }
}

WaitAnalysis::~WaitAnalysis() = default;

/// Threads may be walked before those that start them: find the forking call paths first.
void WaitAnalysis::find_forks(TraceFile& file, const std::vector<Thread>& threads) {
    const bool alone = are_alone(threads);
    for (u32 number = 0; number < threads.size() && !alone; ++number) {
        const u32 location = threads[number].location;
        if (!starts_threads(file, location)) continue;
        PathWalk walk(file, location, number, Times::skip, tree_, threads_);
        while (walk.next()) continue;
    }
}

void WaitAnalysis::began(u32 walker, const MpiCall& mpi_call) {
    Walker& it = *walkers_[walker];
    Call& call = it.call;
    if (call.partners > 0) {
        it.open[call.index] = call;
    } else {
        forget_receivers(call);
    }
    const u32 node = it.path.next(mpi_call);
    call = {mpi_call.index};
    it.set_times(call, mpi_call.begin, mpi_call.end);
    call.node = node;
    call.polls = is_poll(mpi_call.function);
    call.in_vain = polls_in_vain(mpi_call);
    call.counts = it.sums.begin_call(mpi_call.family, {call.begin, call.end}, call.polls);
    if (mpi_call.family == CallFamily::finalize) it.finalize = call;
    call.ends_sends = may_wait_for_receiver(mpi_call);
    call.in_file = mpi_call.family == CallFamily::file;
    open(it, call);
    note_actions(walker, mpi_call);
    if (mpi_call.family == CallFamily::window) begin_epoch_call(walker, mpi_call);
    if (iteration_) iteration_->began(walker, mpi_call);
    end_sends(walker, mpi_call);
}

/// Notes the partners of a call, and the messages that it sends, receives or probes.
void WaitAnalysis::note_actions(u32 walker, const MpiCall& mpi_call) {
    Walker& it = *walkers_[walker];
    Call& call = it.call;
    bool receives = false;
    for (const Action& action : mpi_call.actions) {
        call.partners += partners_of(action, mpi_call);
        has_unknown_waits_ =
            has_unknown_waits_ || (call.counts && has_unknown_partner(action, mpi_call));
        call.takes = call.takes || (action.kind == Kind::probe && action.is_matched_here());
        receives = receives || action.kind == Kind::receive || action.kind == Kind::post_receive;
        if (action.kind != Kind::send) continue;
        ++call.sends;
        call.bytes = is_synchronous(mpi_call.function)
                         ? kSynchronous
                         : std::max(call.bytes, action.envelope.bytes);
        if (action.request == kNoRequest) continue;
        it.requests[action.request] = call.index;
        ++call.partners;
    }
    call.unmatched = call.sends;
    if (receives && it.probe != kNoCall) {
        call.probe = static_cast<u32>(call.index - it.probe);
        it.probe = kNoCall;
    }
    // The reader does not know the message of a probe without a record: the one received next.
    if (!waits_for_message(mpi_call.function) || !mpi_call.actions.empty()) return;
    if (it.probe != kNoCall) release({walker, it.probe, 0});
    it.probe = call.index;
    ++call.partners;
}

/// Connects a call with the sends that it completes.
void WaitAnalysis::end_sends(u32 walker, const MpiCall& mpi_call) {
    Walker& it = *walkers_[walker];
    for (const Action& action : mpi_call.actions) {
        if (action.kind != Kind::complete_send && action.kind != Kind::cancelled) continue;
        const std::optional<u64> index = it.requests.take(action.request);
        if (!index) continue;
        const CallPlace place{walker, *index, 0};
        Call* const post = find(place);
        if (post != nullptr && post != &it.call) {
            if (complete_send(walker, it.call, *post)) it.call.partners += post->unmatched;
            if (iteration_) iteration_->completed_send(place, {walker, it.call.index, 0});
        }
        release(place);
    }
}

/// Returns whether messages of the sends will meet their receives later. Precondition: the
/// completion is open.
bool WaitAnalysis::complete_send(u32 walker, Call& completion, Call& post) {
    completion.ends_sends = true;
    if (post.receiver != 0) meet_receiver(walker, completion, post.bytes, post.receiver);
    if (post.unmatched == 0 || post.completion != 0) return false;
    post.completion = static_cast<u32>(completion.index - post.index);
    return true;
}

/// Starts a call, on the ideal network too.
void WaitAnalysis::open(Walker& walker, Call& call) {
    call.ideal = walker.sums.ideal;
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
    Walker& it = *walkers_[walker];
    it.call.window = sync->fields[1];
    it.call.exposes = mpi_call.function == MpiFunction::Win_post;
    if (mpi_call.function == MpiFunction::Win_complete) {
        it.access.access(it.call.window, window_call(walker, kNone));
    }
}

void WaitAnalysis::ended(u32 walker, const MpiCall& mpi_call) {
    Walker& it = *walkers_[walker];
    Call& call = it.call;
    for (u32 i = 0; i < mpi_call.actions.size(); ++i) {
        if (!joins_collective(mpi_call.actions[i])) continue;
        const CallPlace place{walker, call.index, i};
        const std::optional<Ready> ready = ready_.take(place);
        if (!ready) continue;
        take(it, call, *ready);
        if (iteration_) iteration_->was_ready(place, place);
    }
    if (call.counts) close(walker, call);
    if (mpi_call.family == CallFamily::window) note_window_actions(walker, mpi_call);
    it.sums.end_call(mpi_call.family, {call.begin, call.end}, call.in_vain);
    if (iteration_) iteration_->ended(walker);
}

/// Adds the times of a completed call. Of several waits, each begins where the one before ends.
void WaitAnalysis::close(u32 walker, Call& call) {
    Walker& it = *walkers_[walker];
    it.sums.add_call({call.begin, call.end});
    const bool in_focus = it.sums.is_in_focus(call.begin);
    it.sums.ideal.run = it.ready_ideal.run;
    if (in_focus) it.sums.ideal.focus = it.ready_ideal.focus;
    if (call.in_file) {
        IdealTimes end = call.ideal;
        end.run.advance(call.end - call.begin);
        if (in_focus) end.focus.advance(call.end - call.begin);
        it.sums.ideal.wait_for(end);
    }
    call.booked = call.begin;
    for (;;) {
        std::size_t next = kWaitKinds;
        for (std::size_t kind = 0; kind < kWaitKinds; ++kind) {
            if (it.waits[kind] <= call.booked) continue;
            if (next == kWaitKinds || it.waits[kind] < it.waits[next]) next = kind;
        }
        if (next == kWaitKinds || call.booked >= call.end) break;
        const u64 ticks = book(walker, call, static_cast<WaitKind>(next), it.waits[next]);
        if (ticks == 0 || static_cast<WaitKind>(next) != WaitKind::late_sender) continue;
        if (it.late.size() == kMostLate)
            it.late.erase(it.late.begin(), it.late.begin() + kMostLate / 2);
        it.late.push_back({it.waits[next], call.node, ticks});
    }
    call.closed = true;
    if (call.largest_receiver.posted != 0) book_receivers(walker, call, false);
    if (call.in_file) it.sums.times.io += call.end - call.booked;
}

/// A receive of a message whose send the call ends was posted.
void WaitAnalysis::meet_receiver(u32 walker, Call& call, u64 bytes, u64 posted) {
    if (!call.counts || posted <= call.begin) return;
    if (posted >= call.end) {
        if (bytes != kSynchronous) buffered_ = std::max(buffered_, bytes);
        return;
    }
    Receiver& first = call.largest_receiver;
    const bool is_first = first.posted == 0 || first.bytes == bytes;
    // What adds nothing needs no other booking.
    if (first.bytes == bytes && posted <= first.posted) return;
    if (call.closed && posted <= std::max(call.booked, call.begin)) return;
    if (call.closed) book_receivers(walker, call, true);
    if (is_first) {
        first = {bytes, posted};
    } else {
        add_receiver(call, {bytes, posted});
    }
    if (call.closed) book_receivers(walker, call, false);
}

/// Another size than that of Call::largest_receiver.
void WaitAnalysis::add_receiver(Call& call, Receiver added) {
    if (call.more_receivers == 0) {
        if (free_lists_.empty()) {
            free_lists_.push_back(static_cast<u32>(receiver_lists_.size()));
            receiver_lists_.emplace_back();
        }
        call.more_receivers = free_lists_.back() + 1;
        free_lists_.pop_back();
    }
    Receivers& more = receiver_lists_[call.more_receivers - 1];
    if (added.bytes > call.largest_receiver.bytes) std::swap(added, call.largest_receiver);
    const auto same = std::ranges::find(more, added.bytes, &Receiver::bytes);
    if (same != more.end()) {
        same->posted = std::max(same->posted, added.posted);
        return;
    }
    more.push_back(added);
    std::ranges::sort(more, std::greater());
}

/// The call meets no more receivers.
void WaitAnalysis::forget_receivers(Call& call) {
    if (call.more_receivers == 0) return;
    receiver_lists_[call.more_receivers - 1].clear();
    free_lists_.push_back(call.more_receivers - 1);
    call.more_receivers = 0;
}

/// Books the waits for receivers that remain after other waits of a closed call, or takes them
/// back: those for larger messages first, since smaller ones may turn out to be buffered.
void WaitAnalysis::book_receivers(u32 walker, const Call& call, bool take_back) {
    u64 from = std::max(call.booked, call.begin);
    u64 calls = 1;
    const auto book_one = [&](const Receiver& receiver) {
        const u64 until = std::min(receiver.posted, call.end);
        if (until <= from) return;
        Wait& wait = walkers_[walker]->rendezvous[{call.node, receiver.bytes}];
        wait.count += take_back ? u64{0} - calls : calls;
        wait.ticks += take_back ? from - until : until - from;
        calls = 0;
        from = until;
    };
    book_one(call.largest_receiver);
    if (call.more_receivers == 0) return;
    std::ranges::for_each(receiver_lists_[call.more_receivers - 1], book_one);
}

void WaitAnalysis::finish() {
    locks_.settle(~u64{0});
    for (const auto& walker : walkers_) {
        Walker& it = *walker;
        it.sums.finish();
        for (const auto& [send, wait] : it.rendezvous) {
            const bool is_buffered = send.bytes <= buffered_ && send.bytes != kSynchronous;
            if (is_buffered || wait.ticks == 0) continue;
            constexpr auto kKind = static_cast<std::size_t>(WaitKind::late_receiver);
            Wait& sum = it.booked[u64{send.node} * kWaitKinds + kKind];
            sum.count += wait.count;
            sum.ticks += wait.ticks;
            it.sums.times.waits[kKind] += wait.ticks;
        }
        it.rendezvous.clear();
    }
    book_finalize();
}

/// Waits in MPI_Finalize for the last rank, unless a call ended before that one began: then none
/// waited for all.
void WaitAnalysis::book_finalize() {
    u64 last = 0;
    u64 first_end = ~u64{0};
    for (const auto& walker : walkers_) {
        const Call& finalize = walker->finalize;
        if (finalize.end == 0) continue;
        last = std::max(last, finalize.begin);
        first_end = std::min(first_end, finalize.end);
    }
    for (u32 walker = 0; walker < walkers_.size() && last <= first_end; ++walker) {
        Call& call = walkers_[walker]->finalize;
        call.counts = call.end != 0;
        book(walker, call, WaitKind::finalize, last);
    }
}

WindowCall WaitAnalysis::window_call(u32 walker, u32 target) const {
    const Call& call = walkers_[walker]->call;
    return {call.begin, call.end, call.node, walker, target, call.counts};
}

/// World rank of the accessed or locked window; kNone: all.
u32 WaitAnalysis::target_of(u32 rank, const Action& action) const {
    return world_peer(definitions_, definitions_.window_communicator(action.fields[0]), rank,
                      action.fields[1]);
}

void WaitAnalysis::note_window_actions(u32 walker, const MpiCall& mpi_call) {
    const u32 rank = walkers_[walker]->rank;
    AccessEpochs& access = walkers_[walker]->access;
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
    const u64 window = walkers_[walker]->call.window;
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
    for (const auto& walker : walkers_) {
        if (!walker->sums.is_over()) passed = std::min(passed, walker->sums.last());
    }
    locks_.settle(passed);
    settle_at_ = std::max(kFewEpochs, 2 * locks_.pending());
}

void WaitAnalysis::synchronised(CallPlace waiting, CallPlace partner) {
    Call* const from = find(partner);
    if (from != nullptr) {
        Walker& it = *walkers_[waiting.walker];
        if (from->exposes) {
            it.ready_ideal.wait_for(from->ideal);
            it.access.exposed(from->window, walkers_[partner.walker]->rank, from->begin);
        } else {
            it.ready_ideal.wait_for(from->ideal);
            wait_until(it, WaitKind::late_complete, from->begin);
        }
    }
    partner_came(partner, from);
}

WaitAnalysis::Call* WaitAnalysis::find(CallPlace place) {
    Walker& it = *walkers_[place.walker];
    return it.call.index == place.index ? &it.call : it.open.find(place.index);
}

void WaitAnalysis::partner_came(CallPlace place, Call* call) {
    if (call == nullptr || --call->partners > 0) return;
    Walker& it = *walkers_[place.walker];
    if (call == &it.call) return;
    forget_receivers(*call);
    it.open.erase(place.index);
}

void WaitAnalysis::matched(CallPlace sender, CallPlace receiver) {
    Meeting meeting{sender.walker, receiver.walker, find(sender), find(receiver)};
    CallPlace completion;
    CallPlace probe;
    if (meeting.from != nullptr) {
        completion = {sender.walker, sender.index + meeting.from->completion, 0};
        if (completion.index != sender.index) meeting.completion = find(completion);
    }
    if (meeting.to != nullptr) {
        probe = {receiver.walker, receiver.index - meeting.to->probe, 0};
        if (probe.index != receiver.index) meeting.probe = find(probe);
    }
    const bool known = meeting.from != nullptr && meeting.to != nullptr;
    if (meeting.from != nullptr) messages_[receiver] = match(meeting);
    if (iteration_) iteration_->matched(sender, receiver, known);
    // Looks the calls up again: an entry that is erased may move others.
    release(sender);
    release(receiver);
    if (meeting.completion != nullptr) release(completion);
    if (meeting.probe != nullptr) release(probe);
}

void WaitAnalysis::probed(CallPlace sender, CallPlace probe) {
    const Call* const from = find(sender);
    if (from != nullptr) {
        take(*walkers_[probe.walker], Sent{from->ideal, from->begin});
    }
    if (iteration_) iteration_->probed(sender, probe);
}

/// Matches a message with its receive. Precondition: the sender's call is known.
WaitAnalysis::Sent WaitAnalysis::match(const Meeting& meeting) {
    Call& from = *meeting.from;
    const Sent sent{from.ideal, from.begin};
    if (from.unmatched != 0) --from.unmatched;
    if (meeting.to == nullptr) return sent;
    const Call& to = *meeting.to;
    if (to.takes) take(*walkers_[meeting.receiver], sent);
    if (meeting.probe != nullptr && sent.begin <= meeting.probe->end) {
        book(meeting.receiver, *meeting.probe, WaitKind::late_sender, sent.begin);
    }
    if (from.ends_sends) {
        meet_receiver(meeting.sender, from, from.bytes, to.begin);
    } else {
        from.receiver = std::max(from.receiver, to.begin);
    }
    if (meeting.completion != nullptr) {
        meet_receiver(meeting.sender, *meeting.completion, from.bytes, to.begin);
    }
    return sent;
}

void WaitAnalysis::completed(CallPlace receiver, CallPlace completion) {
    const std::optional<Sent> sent = messages_.take(receiver);
    if (!sent) return;
    Walker& it = *walkers_[completion.walker];
    complete(it, it.call, *sent);
    if (iteration_) iteration_->completed(receiver, completion);
}

/// Records that the call has received the message.
void WaitAnalysis::complete(Walker& walker, const Call& call, const Sent& sent) {
    if (sent.begin > call.end) ++early_messages_;
    take(walker, sent);
    book_wrong_order(walker, sent.begin);
}

/// A message that was sent at this time is received: calls before that waited for messages sent
/// later could have received it first.
void WaitAnalysis::book_wrong_order(Walker& walker, u64 sent) {
    while (!walker.late.empty() && walker.late.back().sent > sent) {
        add(walker, walker.late.back().node, WaitKind::wrong_order, walker.late.back().ticks);
        walker.late.pop_back();
    }
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
                                                        std::span<const Call* const> calls) const {
    const CollectiveNeeds& needs = collective.needs;
    std::vector<IdealTimes> came(needs.size());
    std::vector<u64> real(needs.size(), 0);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::size_t seat = collective.seats[i];
        if (calls[i] == nullptr || seat == needs.size()) continue;
        came[seat] = calls[i]->ideal;
        real[seat] = calls[i]->begin;
    }
    std::array<std::shared_ptr<const Arrivals>, 3> arrivals;
    if (needs.basis() != NeedBasis::semantics && needs.need() == CollectiveNeed::everybody) {
        arrivals = arrivals_of(needs, came, real);
    }
    std::vector<IdealTimes> ideal(needs.size());
    set_ready(needs, came, &IdealTimes::run, ideal);
    if (has_focus_) set_ready(needs, came, &IdealTimes::focus, ideal);
    real = needs.ready_times(real);
    std::vector<Ready> ready(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::size_t seat = collective.seats[i];
        if (seat == needs.size()) continue;
        ready[i] = {ideal[seat], real[seat], collective.kind, needs.basis(),
                    arrivals[std::min(needs.needed_side(seat), 2U)]};
    }
    return ready;
}

/// By side; the last entry: of all members.
std::array<std::shared_ptr<const WaitAnalysis::Arrivals>, 3> WaitAnalysis::arrivals_of(
    const CollectiveNeeds& needs, std::span<const IdealTimes> ideal, std::span<const u64> real) {
    std::vector<std::size_t> order;
    for (std::size_t seat = 0; seat < needs.size(); ++seat) {
        if (needs.gives(seat)) order.push_back(seat);
    }
    std::ranges::sort(order, {}, [&](std::size_t seat) { return real[seat]; });
    std::array<std::shared_ptr<const Arrivals>, 3> all;
    for (u32 side = 0; side < all.size(); ++side) {
        const auto arrivals = std::make_shared<Arrivals>();
        IdealTimes latest;
        for (const std::size_t seat : order) {
            if (side < 2 && needs.side(seat) != side) continue;
            latest.wait_for(ideal[seat]);
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
    Walker& it = *walkers_[completion.walker];
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

void WaitAnalysis::take(Walker& walker, const Sent& sent) {
    walker.ready_ideal.wait_for(sent.ideal);
    wait_until(walker, WaitKind::late_sender, sent.begin);
}

/// `call`: the one that waited. It did not wait for members that came after its end, unless it
/// certainly needs them: then the clocks disagree.
void WaitAnalysis::take(Walker& walker, const Call& call, const Ready& ready) {
    IdealTimes ideal = ready.ideal;
    u64 real = ready.real;
    const bool is_early = real > call.end;
    if (is_early && ready.basis == NeedBasis::semantics) ++early_collectives_;
    if (is_early && ready.basis != NeedBasis::semantics) {
        IdealTimes came = call.ideal;
        real = 0;
        if (ready.arrivals) {
            const std::vector<u64>& begins = ready.arrivals->real;
            const auto count = std::ranges::upper_bound(begins, call.end) - begins.begin();
            if (count != 0) {
                came.wait_for(ready.arrivals->ideal[static_cast<std::size_t>(count) - 1]);
                real = begins[static_cast<std::size_t>(count) - 1];
            }
        }
        const bool is_custom = ready.basis == NeedBasis::custom;
        for (const auto which : {&IdealTimes::run, &IdealTimes::focus}) {
            IdealTime& time = ideal.*which;
            if (is_custom) time.least = (came.*which).least;
            time.most = std::max((came.*which).most, time.least);
        }
    }
    walker.ready_ideal.wait_for(ideal);
    wait_until(walker, ready.kind, real);
}

/// Extends the booked waits of a call; returns by how much.
u64 WaitAnalysis::wait_until(Call& call, u64 until) {
    const u64 from = std::max(call.booked, call.begin);
    if (!call.counts || until <= from) return 0;
    call.booked = std::max(from, std::min(until, call.end));
    return call.booked - from;
}

u64 WaitAnalysis::book(u32 walker, Call& call, WaitKind kind, u64 until) {
    const u64 ticks = wait_until(call, until);
    if (ticks != 0) add(*walkers_[walker], call.node, kind, ticks);
    return ticks;
}

void WaitAnalysis::add(Walker& walker, u32 node, WaitKind kind, u64 ticks) {
    Wait& wait = walker.booked[u64{node} * kWaitKinds + static_cast<std::size_t>(kind)];
    ++wait.count;
    wait.ticks += ticks;
    walker.sums.times.waits[static_cast<std::size_t>(kind)] += ticks;
}

u64 RankEfficiency::other_mpi() const {
    u64 told = io;
    for (std::size_t kind = 0; kind < kWaitKinds; ++kind) {
        if (adds_to_mpi(static_cast<WaitKind>(kind))) told += waits[kind];
    }
    return mpi - std::min(told, mpi);
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
        walkers_[walker]->booked.for_each([&](u64 key, const Wait& wait) {
            waits[{static_cast<u32>(key / kWaitKinds), walker,
                   static_cast<WaitKind>(key % kWaitKinds)}] = wait;
        });
    }
    return waits;
}

std::vector<RankEfficiency> WaitAnalysis::times() const {
    std::vector<RankEfficiency> times;
    for (const auto& walker : walkers_) times.push_back(walker->sums.times);
    return times;
}

std::vector<RankEfficiency> WaitAnalysis::times_of_focus() const {
    std::vector<RankEfficiency> times;
    for (const auto& walker : walkers_) {
        if (has_focus_) times.push_back(walker->sums.focus);
    }
    return times;
}

}  // namespace tracefold
