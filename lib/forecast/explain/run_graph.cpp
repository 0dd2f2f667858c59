// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/run_graph.hpp"

#include "base/flat_map.hpp"
#include "base/parallel.hpp"
#include "file/common_clock.hpp"
#include "file/record_counts.hpp"
#include "forecast/prediction/rank_operations.hpp"
#include "forecast/prediction/walk_request.hpp"
#include "mpi/check.hpp"
#include "mpi/collective_instances.hpp"
#include "mpi/matching_observer.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

using ActionKind = Action::Kind;

/// Ends a simulation.
struct TooManyCalls {};

/// Collects the calls of all ranks and their dependencies from a simulation.
class GraphReader final : public MatchingObserver {
  public:
    GraphReader(TraceFile& file, const ProgramSteps* steps, u64 most, RunGraph& graph)
        : definitions_(file.definitions()),
          clock_(common_clock(file)),
          threads_(file),
          graph_(graph),
          left_(most) {
        for (u32 rank = 0; rank < graph.ranks; ++rank) {
            const u32 location = mpi_locations(file, rank).front();
            ranks_.push_back(
                std::make_unique<Rank>(file, location, rank, clock_, graph.tree, threads_, steps));
        }
    }

    void began(u32 walker, const MpiCall& call) override {
        if (left_-- == 0) throw TooManyCalls();
        Rank& rank = *ranks_[walker];
        const ComputationPaths::Call& placed = rank.paths.next(call);
        const u32 step = rank.steps.next();
        const u64 begin = rank.clock.common(call.begin);
        RunGraph::Call made;
        made.begin = std::max(begin, rank.last);
        made.end = std::max(made.begin, rank.clock.common(call.end));
        made.node = placed.node;
        made.function = call.function;
        made.family = call.family;
        made.polls = is_poll(call.function);
        made.in_vain = polls_in_vain(call);
        made.is_unknown =
            call.family == CallFamily::completion && call.actions.empty() && !made.polls;
        made.step = step != kNone ? step : rank.has_stepped ? RunGraph::kAfter : RunGraph::kBefore;
        rank.has_stepped = rank.has_stepped || step != kNone;
        if (call.family == CallFamily::init && !rank.over) {
            // What comes before does not count.
            rank.forget();
            rank.start = made.end;
            rank.paths.clear();
            rank.last = made.end;
            rank.skipped = call.index + 1;
            return;
        }
        if (rank.over) return;
        if (rank.calls.empty() && rank.start == 0) rank.start = rank.last = made.begin;
        made.first_part = static_cast<u32>(rank.parts.size());
        add_parts(rank, made.begin - rank.last);
        note_actions(walker, call, made);
        rank.last = made.end;
        rank.calls.push_back(made);
        if (call.family == CallFamily::finalize) rank.over = true;
    }

    void ended(u32 walker, const MpiCall& call) override {
        for (u32 i = 0; i < call.actions.size(); ++i) {
            if (joins_collective(call.actions[i]))
                join({walker, call.index, i}, {walker, call.index, i});
        }
    }

    void matched(CallPlace sender, CallPlace receiver) override {
        senders_[receiver] = sender;
        messages_.push_back({sender, receiver});
        RunGraph::Call* const to = find(receiver);
        if (to != nullptr && to->function == MpiFunction::Mprobe) need(receiver, sender);
    }
    void probed(CallPlace sender, CallPlace probe) override { need(probe, sender); }
    void completed(CallPlace receiver, CallPlace completion) override {
        if (const std::optional<CallPlace> sender = senders_.take(receiver)) {
            need(completion, *sender);
        }
    }
    void synchronised(CallPlace waiting, CallPlace partner) override { need(waiting, partner); }

    void matched_collective(const CollectiveInstances::Context& context,
                            const CollectiveInstances::Instance& instance) override {
        const CollectiveNeeds needs(context, instance);
        add_relays(context, needs, instance);
        std::vector<std::size_t> seats;
        std::array<u32, 3> lists = {kNone, kNone, kNone};
        for (const CollectiveInstances::Arrival& arrival : instance.present) {
            seats.push_back(context.member(arrival.rank));
            if (RunGraph::Call* const call = find(arrival.place)) {
                call->bytes += arrival.sent;
                if (needs.root() < context.members.size()) {
                    call->root = context.members[needs.root()];
                }
            }
        }
        for (std::size_t i = 0; i < seats.size(); ++i) {
            const std::size_t seat = seats[i];
            if (seat >= needs.size()) continue;
            const bool is_root = seat == needs.root();
            const bool waits = needs.need() == CollectiveNeed::root      ? !is_root
                               : needs.need() == CollectiveNeed::members ? is_root
                                                                         : true;
            if (!waits || !needs.takes(seat)) continue;
            const u32 side = needs.need() == CollectiveNeed::everybody
                                 ? std::min(needs.needed_side(seat), 2U)
                                 : 2;
            if (lists[side] == kNone) lists[side] = list_of(needs, instance, seats, side);
            Member member{lists[side]};
            if (needs.need() == CollectiveNeed::lower) {
                member.lower = givers_below(needs, seats, seat);
            }
            members_[instance.present[i].place] = member;
        }
    }
    void completed_collective(CallPlace post, CallPlace completion) override {
        join(post, completion);
    }

    /// Puts the ranks together, after the simulation.
    void finish();

  private:
    struct Link {
        u32 waiting = 0;  ///< call of the rank
        CallPlace source;
        u32 list = kNone;  ///< in place of `source`
        u32 lower = kNone;
        RunDurations::Ignored kind = RunDurations::messages;
    };
    struct Rank {
        Rank(TraceFile& file, u32 location, u32 number, const CommonClock& common, CallTree& tree,
             TraceThreads& threads, const ProgramSteps* of_steps)
            : paths(file, location, number, Times::read, tree, threads),
              clock(common.map(location)),
              steps(file, location, of_steps == nullptr ? nullptr : of_steps->of(location)) {}

        void forget() {
            calls.clear();
            parts.clear();
            links.clear();
        }

        ComputationPaths paths;
        const ClockMap& clock;
        CallSteps steps;
        bool has_stepped = false;
        bool over = false;
        u64 start = 0;
        u64 last = 0;
        u64 skipped = 0;  ///< calls before the first one that counts
        std::vector<RunGraph::Call> calls;
        std::vector<RunGraph::Part> parts;
        std::vector<Link> links;
        FlatMap<u64, u64, NumberHash> requests;   ///< of sends: the call that posts them
        FlatMap<u64, u64, NumberHash> ends_send;  ///< by posting call: the one that completes it
    };
    struct Member {
        u32 list = 0;
        u32 lower = kNone;  ///< of a scan: it waits for so many calls of the list
    };
    struct Pair {
        CallPlace sender;
        CallPlace receiver;
    };

    /// Null: before MPI_Init, or after MPI_Finalize.
    RunGraph::Call* find(CallPlace place) {
        Rank& rank = *ranks_[place.walker];
        const u64 number = place.index - rank.skipped;
        return place.index < rank.skipped || number >= rank.calls.size() ? nullptr
                                                                         : &rank.calls[number];
    }

    void add_parts(Rank& rank, u64 ticks) {
        u64 left = ticks;
        // Other clocks differ in rate: the last part takes the rest.
        for (const ComputationPaths::Part& part : rank.paths.parts()) {
            const bool is_last = &part == &rank.paths.parts().back();
            const u64 share = is_last ? left : std::min(left, part.ticks);
            rank.parts.push_back({part.node, share});
            left -= share;
        }
        if (ticks != 0 && rank.paths.parts().empty()) {
            rank.parts.push_back({rank.paths.here(), ticks});
        }
        rank.paths.clear();
    }

    void note_actions(u32 walker, const MpiCall& call, RunGraph::Call& made) {
        Rank& rank = *ranks_[walker];
        for (const Action& action : call.actions) {
            if (action.kind == ActionKind::send) {
                ++made.messages;
                made.bytes += action.envelope.bytes;
                const u32 peer =
                    world_peer(definitions_, action.envelope.comm, walker, action.envelope.peer);
                made.peer = made.messages == 1 || made.peer == peer ? peer : kNone;
                if (action.request != kNoRequest) rank.requests[action.request] = call.index;
            } else if (action.kind == ActionKind::complete_send ||
                       action.kind == ActionKind::cancelled) {
                if (const auto post = rank.requests.take(action.request)) {
                    rank.ends_send[*post] = call.index;
                }
            }
        }
        if (may_wait_for_receiver(call)) rank.ends_send[call.index] = call.index;
    }

    void need(CallPlace waiting, CallPlace source) {
        ranks_[waiting.walker]->links.push_back({static_cast<u32>(waiting.index), source});
    }
    void join(CallPlace part, CallPlace waiting) {
        const std::optional<Member> member = members_.take(part);
        if (!member) return;
        ranks_[waiting.walker]->links.push_back(
            {static_cast<u32>(waiting.index), CallPlace(), member->list, member->lower});
    }

    /// Members of a rooted collective pass data on: one whose call ends soon after the last of the
    /// others has begun waited for it.
    void add_relays(const CollectiveInstances::Context& context, const CollectiveNeeds& needs,
                    const CollectiveInstances::Instance& instance) {
        const bool is_from_root = needs.need() == CollectiveNeed::root;
        if (!is_from_root && needs.need() != CollectiveNeed::members) return;
        std::vector<std::pair<u64, CallPlace>> arrivals;
        u64 of_root = 0;
        for (const CollectiveInstances::Arrival& arrival : instance.present) {
            const RunGraph::Call* const call = find(arrival.place);
            if (call == nullptr) continue;
            arrivals.emplace_back(call->begin, arrival.place);
            if (is_from_root && context.member(arrival.rank) == needs.root()) of_root = call->begin;
        }
        std::ranges::sort(arrivals, {}, &std::pair<u64, CallPlace>::first);
        for (const auto& [begin, place] : arrivals) {
            const u64 end = find(place)->end;
            const auto last =
                std::ranges::upper_bound(arrivals, end, {}, &std::pair<u64, CallPlace>::first) - 1;
            const u64 ready = std::max(begin, of_root);
            if (last->first <= ready || 2 * (last->first - ready) < end - ready) continue;
            ranks_[place.walker]->links.push_back(
                {static_cast<u32>(place.index), last->second, kNone, kNone, RunDurations::members});
        }
    }

    /// The calls that others wait for: of a scan in the order of members, else of their begin.
    u32 list_of(const CollectiveNeeds& needs, const CollectiveInstances::Instance& instance,
                const std::vector<std::size_t>& seats, u32 side) {
        std::vector<std::pair<u64, CallPlace>> givers;
        for (std::size_t i = 0; i < seats.size(); ++i) {
            const std::size_t seat = seats[i];
            if (seat >= needs.size() || !needs.gives(seat)) continue;
            if (needs.need() == CollectiveNeed::root && seat != needs.root()) continue;
            if (side < 2 && needs.side(seat) != side) continue;
            const CallPlace place = instance.present[i].place;
            const RunGraph::Call* const call = find(place);
            const u64 by = needs.need() == CollectiveNeed::lower ? seat
                           : call != nullptr                     ? call->begin
                                                                 : 0;
            givers.emplace_back(by, place);
        }
        std::ranges::stable_sort(givers, {}, &std::pair<u64, CallPlace>::first);
        std::vector<CallPlace>& list = lists_.emplace_back();
        for (const auto& giver : givers) list.push_back(giver.second);
        return static_cast<u32>(lists_.size() - 1);
    }
    static u32 givers_below(const CollectiveNeeds& needs, const std::vector<std::size_t>& seats,
                            std::size_t seat) {
        return static_cast<u32>(std::ranges::count_if(seats, [&](std::size_t other) {
            return other < seat && other < needs.size() && needs.gives(other);
        }));
    }

    [[nodiscard]] u32 number(CallPlace place) {
        return find(place) == nullptr
                   ? kNone
                   : graph_.first[place.walker] +
                         static_cast<u32>(place.index - ranks_[place.walker]->skipped);
    }
    void add_needs(u32 rank, std::vector<std::pair<u32, RunGraph::Need>>& needs);
    void add_probes(std::vector<std::pair<u32, RunGraph::Need>>& needs) const;
    void add_receivers(std::vector<std::pair<u32, RunGraph::Need>>& needs);

    const DefinitionIndex& definitions_;
    CommonClock clock_;
    TraceThreads threads_;
    RunGraph& graph_;
    std::vector<std::unique_ptr<Rank>> ranks_;
    ByPlace<CallPlace> senders_;
    ByPlace<Member> members_;
    std::vector<Pair> messages_;
    std::vector<std::vector<CallPlace>> lists_;
    u64 left_;  ///< calls that may be read
};

void GraphReader::finish() {
    u64 calls = 0;
    for (const auto& rank : ranks_) {
        graph_.first.push_back(static_cast<u32>(calls));
        graph_.start.push_back(rank->start);
        calls += rank->calls.size();
    }
    graph_.first.push_back(static_cast<u32>(calls));
    for (std::vector<CallPlace>& places : lists_) {
        std::vector<u32>& list = graph_.lists.emplace_back();
        for (const CallPlace place : places) {
            if (const u32 call = number(place); call != kNone) list.push_back(call);
        }
        places = {};
    }
    std::vector<std::pair<u32, RunGraph::Need>> needs;
    for (const Pair& pair : messages_) {
        const u32 sender = number(pair.sender);
        const u32 receiver = number(pair.receiver);
        if (sender == kNone || receiver == kNone) continue;
        const RunGraph::Call& sending = *find(pair.sender);
        graph_.messages.push_back(
            {sender, receiver, sending.bytes / std::max(1U, sending.messages)});
    }
    for (u32 rank = 0; rank < ranks_.size(); ++rank) add_needs(rank, needs);
    add_receivers(needs);
    for (auto& rank : ranks_) {
        const auto parts = static_cast<u32>(graph_.parts.size());
        for (RunGraph::Call& call : rank->calls) call.first_part += parts;
        graph_.parts.insert(graph_.parts.end(), rank->parts.begin(), rank->parts.end());
        graph_.rank_of.insert(graph_.rank_of.end(), rank->calls.size(),
                              static_cast<u32>(&rank - ranks_.data()));
        graph_.calls.insert(graph_.calls.end(), rank->calls.begin(), rank->calls.end());
    }
    add_probes(needs);
    std::ranges::stable_sort(needs, {}, &std::pair<u32, RunGraph::Need>::first);
    std::size_t next = 0;
    for (u32 call = 0; call < graph_.calls.size(); ++call) {
        graph_.calls[call].first_need = static_cast<u32>(graph_.needs.size());
        for (; next < needs.size() && needs[next].first == call; ++next) {
            graph_.needs.push_back(needs[next].second);
        }
    }
}

/// What the calls of a rank waited for. A source that began after the end was not waited for.
void GraphReader::add_needs(u32 rank, std::vector<std::pair<u32, RunGraph::Need>>& needs) {
    for (const Link& link : ranks_[rank]->links) {
        const CallPlace place{rank, link.waiting, 0};
        const RunGraph::Call* const waiting = find(place);
        if (waiting == nullptr) continue;
        const u32 call = number(place);
        if (link.list == kNone) {
            const RunGraph::Call* const source = find(link.source);
            if (source == nullptr) continue;
            if (source->begin > waiting->end) {
                ++graph_.early_messages;
            } else {
                needs.emplace_back(call, RunGraph::Need{number(link.source), 0, link.kind});
            }
            continue;
        }
        const std::vector<u32>& list = graph_.lists[link.list];
        auto count = static_cast<u32>(list.size());
        if (link.lower != kNone) count = std::min(count, link.lower);
        const auto begin_of = [&](u32 source) {
            const auto owner = std::ranges::upper_bound(graph_.first, source) - 1;
            return ranks_[static_cast<std::size_t>(owner - graph_.first.begin())]
                ->calls[source - *owner]
                .begin;
        };
        while (count != 0 && link.lower == kNone && begin_of(list[count - 1]) > waiting->end) {
            --count;
        }
        if (count != 0)
            needs.emplace_back(call, RunGraph::Need{link.list, count, RunDurations::members});
    }
}

/// Probes whose source is not recorded waited for the message that is received next.
void GraphReader::add_probes(std::vector<std::pair<u32, RunGraph::Need>>& needs) const {
    std::vector<bool> waits(graph_.calls.size());
    for (const auto& [call, need] : needs) waits[call] = true;
    for (std::size_t i = needs.size(); i-- > 0;) {
        const auto [call, need] = needs[i];
        if (need.kind != RunDurations::messages || call == graph_.first[graph_.rank_of[call]]) {
            continue;
        }
        const RunGraph::Call& probe = graph_.calls[call - 1];
        const bool is_probe = probe.function == MpiFunction::Probe && !waits[call - 1];
        const bool is_receive = graph_.calls[call].family == CallFamily::receive;
        if (!is_probe || !is_receive || graph_.calls[need.source].begin > probe.end) continue;
        needs.emplace_back(call - 1, need);
    }
}

/// Sends that waited for their receivers: those of messages larger than any that did not.
void GraphReader::add_receivers(std::vector<std::pair<u32, RunGraph::Need>>& needs) {
    constexpr u64 kSynchronous = ~u64{0};
    struct Wait {
        u32 call;
        u32 receiver;
        u64 bytes;
    };
    std::vector<Wait> waits;
    u64 buffered = 0;
    for (const Pair& pair : messages_) {
        const RunGraph::Call* const sender = find(pair.sender);
        const RunGraph::Call* const receiver = find(pair.receiver);
        if (sender == nullptr || receiver == nullptr) continue;
        const u64* const end = ranks_[pair.sender.walker]->ends_send.find(pair.sender.index);
        if (end == nullptr) continue;
        const CallPlace place{pair.sender.walker, *end, 0};
        const RunGraph::Call* const completion = find(place);
        if (completion == nullptr || receiver->begin <= completion->begin) continue;
        const bool waits_always = is_synchronous(sender->function);
        const u64 bytes = waits_always ? kSynchronous : sender->bytes;
        if (receiver->begin >= completion->end) {
            if (!waits_always) buffered = std::max(buffered, bytes);
        } else {
            waits.push_back({number(place), number(pair.receiver), bytes});
        }
    }
    for (const Wait& wait : waits) {
        if (wait.bytes <= buffered) continue;
        needs.emplace_back(wait.call, RunGraph::Need{wait.receiver, 0, RunDurations::receivers});
    }
}

/// Orders calls so that each comes after the predecessors of all that it depends on.
class CallOrder {
  public:
    explicit CallOrder(RunGraph& graph)
        : graph_(graph), next_(graph.first.begin(), graph.first.end() - 1), waiting_(graph.ranks) {}

    void find() {
        std::vector<u32> free(graph_.ranks);
        for (u32 rank = 0; rank < graph_.ranks; ++rank) free[rank] = rank;
        graph_.order.reserve(graph_.calls.size());
        for (;;) {
            while (!free.empty()) {
                const u32 rank = free.back();
                free.pop_back();
                advance(rank, free);
            }
            if (graph_.order.size() == graph_.calls.size()) return;
            free.push_back(break_cycle());
        }
    }

  private:
    /// The call has begun.
    [[nodiscard]] bool has_begun(u32 call) const { return next_[graph_.rank_of[call]] >= call; }

    /// A call that must begin before; kNone: none.
    [[nodiscard]] u32 missing(u32 call) const {
        for (const RunGraph::Need& need : graph_.needs_of(call)) {
            if (need.count == 0) {
                if (!has_begun(need.source)) return need.source;
                continue;
            }
            const std::vector<u32>& list = graph_.lists[need.source];
            for (u32 i = need.count; i-- > 0;) {
                if (!has_begun(list[i])) return list[i];
            }
        }
        return kNone;
    }

    void advance(u32 rank, std::vector<u32>& free) {
        for (; next_[rank] < graph_.first[rank + 1]; pass(rank, free)) {
            const u32 source = missing(next_[rank]);
            if (source == kNone) continue;
            waiting_[graph_.rank_of[source]].emplace_back(source, rank);
            return;
        }
    }

    void pass(u32 rank, std::vector<u32>& free) {
        graph_.order.push_back(next_[rank]++);
        std::erase_if(waiting_[rank], [&](const std::pair<u32, u32>& it) {
            if (it.first > next_[rank]) return false;
            free.push_back(it.second);
            return true;
        });
    }

    /// Calls at the same tick may depend on each other: frees the one that ended first.
    u32 break_cycle() {
        u32 first = kNone;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            if (next_[rank] == graph_.first[rank + 1]) continue;
            const bool is_first =
                first == kNone || graph_.calls[next_[rank]].end < graph_.calls[next_[first]].end;
            if (is_first) first = rank;
        }
        for (auto& it : waiting_) {
            std::erase_if(it,
                          [&](const std::pair<u32, u32>& pair) { return pair.second == first; });
        }
        const u32 call = next_[first];
        const u32 begin = graph_.calls[call].first_need;
        for (std::size_t i = 0; i < graph_.needs_of(call).size(); ++i) {
            RunGraph::Need& need = graph_.needs[begin + i];
            // The call itself has begun.
            need = {call, 0, need.kind};
        }
        return first;
    }

    RunGraph& graph_;
    std::vector<u32> next_;                                  ///< call of each rank
    std::vector<std::vector<std::pair<u32, u32>>> waiting_;  ///< by rank: call, waiting rank
};

/// Why the simulation does not tell who waited for whom; empty if it does.
std::string why_not_walked(const CheckResult& check) {
    for (const FindingKind kind :
         {FindingKind::deadlock, FindingKind::unsent_message, FindingKind::absent_member,
          FindingKind::unsupported, FindingKind::lost_collective, FindingKind::neighbour,
          FindingKind::unknown_communicator, FindingKind::unknown_request,
          FindingKind::unrecorded_message}) {
        if (check.find(kind) != nullptr) return std::string(finding_info(kind).what);
    }
    return {};
}

}  // namespace

u64 RunGraph::ready(u32 call) const {
    u64 ready = calls[call].begin;
    for (const Need& need : needs_of(call)) {
        if (need.count == 0) {
            ready = std::max(ready, calls[need.source].begin);
            continue;
        }
        for (u32 i = 0; i < need.count; ++i) {
            ready = std::max(ready, calls[lists[need.source][i]].begin);
        }
    }
    return std::min(ready, calls[call].end);
}

RunDurations RunGraph::recorded() const {
    RunDurations durations;
    durations.ignored.resize(calls.size());
    for (u32 rank = 0; rank < ranks; ++rank) {
        u64 last = start[rank];
        for (u32 call = first[rank]; call < first[rank + 1]; ++call) {
            durations.computation.push_back(calls[call].begin - last);
            const bool is_last = call + 1 == first[rank + 1];
            durations.own.push_back(is_last ? 0 : calls[call].end - ready(call));
            last = calls[call].end;
        }
    }
    return durations;
}

u64 RunGraph::runtime() const {
    u64 end = 0;
    for (u32 rank = 0; rank < ranks; ++rank) {
        if (first[rank] != first[rank + 1]) end = std::max(end, calls[first[rank + 1] - 1].begin);
    }
    const u64 begin = start.empty() ? 0 : *std::ranges::min_element(start);
    return end > begin ? end - begin : 0;
}

RunGraph read_run_graph(TraceFile& file, const ProgramSteps* steps, u32 threads, u64 most) {
    RunGraph graph;
    graph.ranks = file.definitions().world_size();
    graph.steps = steps == nullptr ? 0 : steps->count;
    for (u32 rank = 0; rank < graph.ranks && graph.why_not.empty(); ++rank) {
        const std::size_t callers = mpi_locations(file, rank).size();
        if (callers > 1) graph.why_not = "several threads of a rank call MPI";
        if (callers == 0) graph.why_not = "a rank has no MPI calls";
    }
    if (graph.ranks == 0) graph.why_not = "the program does not call MPI";
    if (!graph.why_not.empty()) return graph;
    GraphReader reader(file, steps, most, graph);
    try {
        graph.why_not = why_not_walked(check_replay(file, reader, Times::read, threads));
    } catch (const TooManyCalls&) {
        graph.why_not = "the trace has more than " + std::to_string(most) + " MPI calls";
    }
    if (!graph.why_not.empty()) return graph;
    reader.finish();
    CallOrder(graph).find();
    return graph;
}

namespace {

u32 source_of(const RunDurations& durations, u32 call, const RunGraph::Need& need) {
    const bool is_other = need.kind == RunDurations::messages && !durations.senders.empty() &&
                          durations.senders[call] != kNone;
    return is_other ? durations.senders[call] : need.source;
}

}  // namespace

RunWalk walk(const RunGraph& graph, const RunDurations& durations) {
    cancel_point();
    RunWalk walked;
    walked.begins.resize(graph.calls.size());
    walked.ends.resize(graph.calls.size());
    walked.readies.resize(graph.calls.size());
    // The latest begin among the first calls of a list, as far as it was needed.
    std::vector<std::vector<u64>> latest(graph.lists.size());
    const auto leaves = [&](u32 call) {
        const u64 earlier = durations.earlier.empty() ? 0 : durations.earlier[call];
        return walked.begins[call] - std::min(earlier, walked.begins[call]);
    };
    for (u32 rank = 0; rank < graph.ranks; ++rank) {
        if (graph.first[rank] == graph.first[rank + 1]) continue;
        const u32 call = graph.first[rank];
        walked.begins[call] = graph.start[rank] + durations.computation[call];
    }
    for (const u32 call : graph.order) {
        u64 ready = walked.begins[call];
        for (const RunGraph::Need& need : graph.needs_of(call)) {
            if ((durations.ignored[call] & need.kind) != 0) continue;
            if (need.count == 0) {
                ready = std::max(ready, leaves(source_of(durations, call, need)));
                continue;
            }
            std::vector<u64>& of_list = latest[need.source];
            while (of_list.size() < need.count) {
                const u64 begin = leaves(graph.lists[need.source][of_list.size()]);
                of_list.push_back(of_list.empty() ? begin : std::max(of_list.back(), begin));
            }
            ready = std::max(ready, of_list[need.count - 1]);
        }
        walked.readies[call] = ready;
        walked.ends[call] = ready + durations.own[call];
        const u32 rank = graph.rank_of[call];
        if (call + 1 < graph.first[rank + 1]) {
            walked.begins[call + 1] = walked.ends[call] + durations.computation[call + 1];
        }
    }
    u64 end = 0;
    for (u32 rank = 0; rank < graph.ranks; ++rank) {
        if (graph.first[rank] == graph.first[rank + 1]) continue;
        const u64 own = walked.begins[graph.first[rank + 1] - 1];
        if (own > end) walked.last = rank;
        end = std::max(end, own);
    }
    const u64 begin = graph.start.empty() ? 0 : *std::ranges::min_element(graph.start);
    walked.runtime = end > begin ? end - begin : 0;
    return walked;
}

u32 waited_for(const RunGraph& graph, const RunDurations& durations, const RunWalk& walked,
               u32 call) {
    if (walked.readies[call] <= walked.begins[call]) return kNone;
    for (const RunGraph::Need& need : graph.needs_of(call)) {
        if ((durations.ignored[call] & need.kind) != 0) continue;
        const u32 count = std::max(1U, need.count);
        for (u32 i = 0; i < count; ++i) {
            const u32 other = need.count == 0 ? need.source : graph.lists[need.source][i];
            if (walked.begins[other] == walked.readies[call]) return other;
        }
    }
    return kNone;
}

std::vector<PathPart> critical_path(const RunGraph& graph, const RunDurations& durations,
                                    const RunWalk& walked) {
    std::vector<PathPart> path;
    if (graph.calls.empty()) return path;
    u32 call = graph.first[walked.last + 1] - 1;
    bool is_last = true;
    for (;;) {
        PathPart& part = path.emplace_back();
        part.call = call;
        part.own = is_last ? 0 : durations.own[call];
        const u32 source = is_last ? kNone : waited_for(graph, durations, walked, call);
        if (source != kNone && source != call) {
            // The message left at the begin of the other call: its computation comes next.
            path.push_back({source, durations.computation[source], 0});
            call = source;
        } else {
            part.computation = durations.computation[call];
        }
        is_last = false;
        if (call == graph.first[graph.rank_of[call]]) return path;
        --call;
    }
}

}  // namespace tracefold
