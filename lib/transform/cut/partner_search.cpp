// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "transform/cut/partner_search.hpp"

#include "file/call_reader.hpp"
#include "file/io_files.hpp"
#include "file/record_counts.hpp"
#include "transform/cut/event_selector.hpp"
#include "transform/cut/operation_tracker.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>

namespace tracefold {

namespace {

constexpr u8 kCancelled = 3;  ///< after the values of Side

u8 code(Side side) { return static_cast<u8>(side); }
u8 code(Verdict verdict) { return static_cast<u8>(verdict); }
bool is(const StateCursor& at, Side side) { return at.state() == code(side); }

Verdict take(StateCursor& next) {
    if (next.at_end()) return Verdict::keep;
    const auto verdict = static_cast<Verdict>(next.state());
    next.skip(1);
    return verdict;
}

/// The verdict on an inside end.
Verdict towards(const StateCursor& other) {
    if (is(other, Side::outside)) return Verdict::drop;
    return is(other, Side::filtered) ? Verdict::alone : Verdict::keep;
}

/// Cancelled messages have no other end.
void pass_cancelled(StateCursor& at, StateRuns& verdicts) {
    while (!at.at_end() && at.state() == kCancelled) {
        verdicts.append(code(Verdict::keep), at.left());
        at.skip(at.left());
    }
}

bool is_selected(const std::vector<bool>& selected, u32 rank) {
    return rank < selected.size() && selected[rank];
}

}  // namespace

u32 PartnerBook::find(const Channel& channel) {
    const auto [found, fresh] = channels_.try_emplace(channel, static_cast<u32>(ends_.size()));
    if (fresh) ends_.push_back({channel, {}, {}, {}, {}});
    return found->second;
}

Verdict PartnerBook::message(u32 channel, bool sends, Side side) {
    Ends& ends = ends_[channel];
    if (settled_) return take(sends ? ends.sent_next : ends.received_next);
    (sends ? ends.sent : ends.received).append(code(side));
    return Verdict::keep;
}

void PartnerBook::cancel(u32 channel, u64 place) {
    if (!settled_) ends_[channel].sent.set(place, kCancelled);
}

Verdict PartnerBook::meet(Instances& instances, u32 rank, Side side) {
    if (!settled_) {
        instances.came[rank].append(code(side));
        return Verdict::keep;
    }
    return take(instances.next.try_emplace(rank, instances.verdicts).first->second);
}

void PartnerBook::settle(const std::vector<bool>& selected) {
    settled_ = true;
    for (Ends& ends : ends_) settle(ends, selected);
    for (auto& [context, instances] : contexts_) settle(instances, selected);
}

void PartnerBook::settle(Ends& ends, const std::vector<bool>& selected) {
    StateCursor sent(ends.sent);
    StateCursor received(ends.received);
    StateRuns of_sent;
    StateRuns of_received;
    const bool both = is_selected(selected, ends.channel.source) &&
                      is_selected(selected, ends.channel.destination);
    const auto alone = [&](StateCursor& at, StateRuns& verdicts) {
        const u64 count = at.left();
        const bool inside = is(at, Side::inside);
        // Without a partner in the whole trace, the cut did not separate it.
        verdicts.append(code(inside && !both ? Verdict::alone : Verdict::keep), count);
        if (inside && !both) counts_.lone_messages += count;
        at.skip(count);
    };
    while (true) {
        pass_cancelled(sent, of_sent);
        if (sent.at_end() && received.at_end()) break;
        if (sent.at_end()) {
            alone(received, of_received);
        } else if (received.at_end()) {
            alone(sent, of_sent);
        } else {
            const u64 count = std::min(sent.left(), received.left());
            const bool sends = is(sent, Side::inside);
            const bool receives = is(received, Side::inside);
            const Verdict sender = sends ? towards(received) : Verdict::keep;
            const Verdict receiver = receives ? towards(sent) : Verdict::keep;
            of_sent.append(code(sender), count);
            of_received.append(code(receiver), count);
            for (const Verdict verdict : {sender, receiver}) {
                if (verdict == Verdict::drop) counts_.cut_messages += count;
                if (verdict == Verdict::alone) counts_.lone_messages += count;
            }
            sent.skip(count);
            received.skip(count);
        }
    }
    ends.sent = std::move(of_sent);
    ends.received = std::move(of_received);
    ends.sent_next = StateCursor(ends.sent);
    ends.received_next = StateCursor(ends.received);
}

void PartnerBook::settle(Instances& instances, const std::vector<bool>& selected) {
    const bool partial = std::ranges::any_of(
        instances.members, [&selected](u32 rank) { return !is_selected(selected, rank); });
    std::vector<StateCursor> all;
    for (const auto& [rank, came] : instances.came) all.emplace_back(came);
    while (true) {
        std::erase_if(all, [](const StateCursor& at) { return at.at_end(); });
        if (all.empty()) break;
        const auto least = std::ranges::min_element(all, {}, &StateCursor::left);
        const u64 count = least->left();
        const auto any = [&all](Side side) {
            return std::ranges::any_of(all, [side](const StateCursor& at) { return is(at, side); });
        };
        instances.verdicts.append(code(judge(any(Side::inside), any(Side::outside),
                                             partial || any(Side::filtered), count)),
                                  count);
        for (StateCursor& at : all) at.skip(count);
    }
    instances.came.clear();
}

Verdict PartnerBook::judge(bool inside, bool outside, bool filtered, u64 count) {
    if (!inside) return Verdict::keep;
    if (outside) {
        counts_.cut_collectives += count;
        return Verdict::drop;
    }
    if (!filtered) return Verdict::keep;
    counts_.partial_collectives += count;
    return Verdict::alone;
}

namespace {

using Kind = TracedOperation::Kind;
using Role = OperationTracker::Role;

constexpr u64 kWindow = u64{1} << 63U;  ///< marks a window instead of a communicator
constexpr u8 kProbe = static_cast<u8>(EventType::MpiProbe);

/// A location during the walk.
struct Lane {
    Lane(TraceFile& file, const CutRequest& request, const Intervals& intervals, u32 of_location)
        : location(of_location),
          tables(file.mapping_tables(of_location)),
          source(file, of_location, Times(Times::read), CallReader::Leaves::recorded),
          selector(request, file.definitions(), tables, intervals, of_location,
                   file.definitions().locations()[of_location].is_stream(),
                   file.nesting().of(of_location)),
          operations(tables) {
        fetch();
    }

    [[nodiscard]] bool at_end() const { return at == batch.size(); }
    [[nodiscard]] const RecordBatch::Head& head() const { return batch[at]; }
    void skip() {
        if (++at == batch.size()) fetch();
    }
    void fetch() {
        at = 0;
        source.next(batch);
    }

    u32 location;
    MappingTables tables;
    CallReader source;
    EventSelector selector;
    OperationTracker operations;
    RecordBatch batch;
    std::size_t at = 0;
};

/// The side of an operation of two records: inside only if both are.
Side both(Side begun, Side ended) {
    if (begun == Side::outside || ended == Side::outside) return Side::outside;
    return begun == Side::inside ? ended : begun;
}

class PartnerSearch {
  public:
    PartnerSearch(TraceFile& file, const CutRequest& request,
                  const std::vector<Intervals>& intervals)
        : file_(file), definitions_(file.definitions()), request_(request), intervals_(intervals) {
        result_.left_out.resize(file.location_count());
        for (u32 location = 0; location < file.location_count(); ++location) {
            if (!is_selected(location)) continue;
            const auto rank = definitions_.world_rank(definitions_.locations()[location]);
            // Locations without a rank have no partners and need no order.
            if (rank) {
                ranks_[*rank].push_back(location);
            } else {
                alone_.push_back(location);
            }
        }
    }

    PartnerFindings run() {
        walk_all();
        std::vector<bool> selected(definitions_.world_size(), false);
        for (const auto& [rank, locations] : ranks_) selected[rank] = true;
        book_.settle(selected);
        second_ = true;
        walk_all();
        const u64 torn = result_.counts.torn;
        result_.counts = book_.counts();
        result_.counts.torn = torn;
        return std::move(result_);
    }

  private:
    [[nodiscard]] bool is_selected(u32 location) const {
        return request_.locations.empty() || request_.locations[location];
    }

    void walk_all() {
        for (const auto& [rank, locations] : ranks_) {
            rank_ = rank;
            channels_.clear();
            walk(locations);
        }
        rank_ = kNone;
        // What one begins, another one may complete.
        const IoCrossings crossings(file_);
        const auto crosses = [&](u32 at) { return crossings.of(at) != nullptr; };
        const auto first =
            std::stable_partition(alone_.begin(), alone_.end(), std::not_fn(crosses));
        walk({first, alone_.end()});
        for (auto it = alone_.begin(); it != first; ++it) walk({*it});
    }

    /// Walks all locations of a rank side by side, by time.
    void walk(const std::vector<u32>& locations) {
        std::deque<Lane> lanes;
        for (const u32 location : locations) {
            lanes.emplace_back(file_, request_, intervals_[location], location);
        }
        while (true) {
            Lane* first = nullptr;
            for (Lane& lane : lanes) {
                if (lane.at_end()) continue;
                if (first == nullptr || lane.head().time < first->head().time) first = &lane;
            }
            if (first == nullptr) return;
            visit(lanes, *first);
            first->skip();
        }
    }

    void visit(std::deque<Lane>& lanes, Lane& lane) {
        const RecordBatch::Head& head = lane.head();
        const Side side = lane.selector.next(lane.batch, head);
        const OperationTracker::Step step = lane.operations.next(lane.batch, head, side);
        if (step.role == Role::none || step.role == Role::goes_on) return;
        TracedOperation& operation = *step.operation;
        const std::span<const u64> v = lane.batch.values(head);
        if (step.role == Role::foreign) {
            complete_foreign(lanes, lane, step, side);
            return;
        }
        switch (operation.kind) {
            case Kind::send:
                send(lane, v, step.role, operation, side);
                break;
            case Kind::receive:
                if (step.role == Role::begins && head.type == kProbe) {
                    operation.channel = channel_of(lane, v, false);
                }
                if (step.role == Role::whole || step.role == Role::ends) {
                    const Side all = both(operation.begun, side);
                    leave_out(lane, operation, side, received(lane, head, operation, all));
                }
                break;
            case Kind::collective:
            case Kind::posted_collective:
                if (step.role == Role::whole || step.role == Role::ends) {
                    leave_out(lane, operation, side,
                              collective(lane, head, v, both(operation.begun, side)));
                }
                break;
            case Kind::io:
                if (step.role == Role::ends) leave_out(lane, operation, side, Verdict::keep);
                break;
            case Kind::one_sided:
                if (step.role == Role::ends) count_torn(operation, side);
                break;
        }
    }

    /// One thread completes another one's request, or operation on a file: keeps both records, or
    /// none.
    void complete_foreign(std::deque<Lane>& lanes, Lane& lane, const OperationTracker::Step& step,
                          Side side) {
        const TracedOperation completion = *step.operation;
        const RecordBatch::Head& head = lane.head();
        const std::span<const u64> v = lane.batch.values(head);
        std::optional<TracedOperation> begun;
        Lane* beginner = nullptr;
        for (Lane& other : lanes) {
            if (begun || &other == &lane) continue;
            begun = other.operations.take(completion.kind, step.id);
            beginner = &other;
        }
        TracedOperation operation = begun.value_or(completion);
        Verdict verdict = Verdict::keep;
        const Side all = both(operation.begun, side);
        if (operation.kind == Kind::receive) {
            verdict = received(lane, head, operation, all);
        } else if (operation.kind == Kind::posted_collective) {
            verdict = collective(lane, head, v, all);
        }
        if (begun && operation.kind != Kind::send) leave_out(*beginner, operation, side, verdict);
        const bool gone = begun && result_.left_out[beginner->location].contains(operation.number);
        const bool alone = operation.begun != Side::inside || gone || is_dropped(verdict);
        if (side == Side::inside && alone) add(lane, completion);
    }

    /// A send exists from its begin, even if it never completes.
    void send(Lane& lane, std::span<const u64> v, Role role, TracedOperation& operation,
              Side side) {
        if (role == Role::whole || role == Role::begins) {
            const Verdict verdict = message(lane, v, true, operation, side);
            if (is_dropped(verdict) && side == Side::inside) add(lane, operation);
        } else {
            if (role == Role::cancels && operation.channel != TracedOperation::kNoPlace) {
                book_.cancel(operation.channel, operation.entry);
            }
            count_torn(operation, side);
        }
    }

    /// Called at the end of a receive. Only the probe knows the source of a probed message.
    Verdict received(Lane& lane, const RecordBatch::Head& head, TracedOperation& operation,
                     Side side) {
        if (operation.channel != TracedOperation::kNoPlace) {
            return book_.message(operation.channel, false, side);
        }
        const auto type = static_cast<EventType>(head.type);
        if (type == EventType::MpiMrecv || type == EventType::MpiImrecv) return Verdict::keep;
        return message(lane, lane.batch.values(head), false, operation, side);
    }

    Verdict message(Lane& lane, std::span<const u64> v, bool sends, TracedOperation& operation,
                    Side side) {
        const u32 channel = channel_of(lane, v, sends);
        if (channel == TracedOperation::kNoPlace) return Verdict::keep;
        const Verdict verdict = book_.message(channel, sends, side);
        if (sends && !second_) {
            operation.channel = channel;
            operation.entry = book_.last_sent(channel);
        }
        return verdict;
    }

    /// `v`: fields of a record that begins with peer, communicator and tag.
    u32 channel_of(const Lane& lane, std::span<const u64> v, bool sends) {
        if (rank_ == kNone) return TracedOperation::kNoPlace;
        const u64 comm = lane.tables.global(FieldKind::comm, v[1]);
        const u64 peer = v[0];
        const u32 tag = static_cast<u32>(v[2]);
        const auto [known, fresh] = channels_.try_emplace({comm, peer, tag, sends ? 1U : 0U});
        if (!fresh) return known->second;
        const u32 other = world_peer(definitions_, comm, rank_, peer);
        known->second = TracedOperation::kNoPlace;
        if (other != kNone) {
            known->second = book_.find({comm, sends ? rank_ : other, sends ? other : rank_, tag});
        }
        return known->second;
    }

    Verdict collective(Lane& lane, const RecordBatch::Head& head, std::span<const u64> v,
                       Side side) {
        if (rank_ == kNone) return Verdict::keep;
        const auto type = static_cast<EventType>(head.type);
        const bool of_window = type == EventType::RmaCollectiveEnd;
        const bool posted = type == EventType::NonBlockingCollectiveComplete;
        const u64 place = of_window ? lane.tables.global(FieldKind::rma_win, v[2])
                                    : lane.tables.global(FieldKind::comm, v[1]);
        const u64 comm = of_window ? definitions_.window_communicator(place) : place;
        return book_.collective({of_window ? kWindow | place : place, v[0], posted ? 1U : 0U},
                                rank_, side, [this, comm] { return members_of(comm); });
    }

    /// World ranks; none for a self communicator.
    [[nodiscard]] std::vector<u32> members_of(u64 comm) const {
        std::vector<u32> members;
        const CommunicatorDefinition* const found = definitions_.communicator(comm);
        if (found == nullptr) return members;
        std::vector<u64> groups = {found->group};
        if (found->inter) groups.push_back(found->remote);
        for (const u64 id : groups) {
            const GroupDefinition* const group = definitions_.group(id);
            if (group == nullptr || group->type == kGroupCommSelf) continue;
            for (std::size_t i = 0; i < group->members.size(); ++i) {
                const bool all = is_group_of_all_ranks(group->type);
                members.push_back(static_cast<u32>(all ? i : group->members[i]));
            }
        }
        return members;
    }

    [[nodiscard]] bool is_dropped(Verdict verdict) const {
        return verdict == Verdict::drop || (verdict == Verdict::alone && request_.closed);
    }

    /// Called at the end of an operation: keeps both of two records, or none.
    void leave_out(Lane& lane, const TracedOperation& operation, Side ended, Verdict verdict) {
        count_torn(operation, ended);
        if (operation.begun != Side::inside) return;
        const bool torn = ended == Side::outside || (ended == Side::filtered && request_.closed);
        if (torn || (ended == Side::inside && is_dropped(verdict))) add(lane, operation);
    }

    void count_torn(const TracedOperation& operation, Side ended) {
        if (!second_ || operation.begun == ended) return;
        const bool within = operation.begun == Side::inside || ended == Side::inside;
        const bool without = operation.begun == Side::outside || ended == Side::outside;
        if (within && without) ++result_.counts.torn;
    }

    void add(Lane& lane, const TracedOperation& operation) {
        if (second_) result_.left_out[lane.location].add(operation.number);
    }

    TraceFile& file_;
    const DefinitionIndex& definitions_;
    const CutRequest& request_;
    const std::vector<Intervals>& intervals_;
    std::map<u32, std::vector<u32>> ranks_;
    std::vector<u32> alone_;
    bool second_ = false;
    u32 rank_ = kNone;
    /// The rank's channels: by communicator, peer, tag, and direction.
    std::map<std::array<u64, 4>, u32> channels_;
    PartnerBook book_;
    PartnerFindings result_;
};

}  // namespace

PartnerFindings find_partners(TraceFile& file, const CutRequest& request,
                              const std::vector<Intervals>& intervals) {
    return PartnerSearch(file, request, intervals).run();
}

}  // namespace tracefold
