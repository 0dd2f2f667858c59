// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/operations.hpp"

#include "base/parallel.hpp"
#include "file/call_reader.hpp"
#include "file/location_blocks.hpp"
#include "file/record_counts.hpp"
#include "model/mpi_function.hpp"
#include "model/record_kinds.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_map>

namespace tracefold {

namespace {

using Kind = Operation::Kind;

/// Numbers keys in the order of their first use.
template <class Key>
class KeyNumbers {
  public:
    u32 number(const Key& key) {
        const auto [found, fresh] = numbers_.try_emplace(key, static_cast<u32>(keys_.size()));
        if (fresh) keys_.push_back(key);
        return found->second;
    }
    [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }

  private:
    std::map<Key, u32> numbers_;
    std::vector<Key> keys_;
};

/// The numbered channels and communicators of operations.
struct OperationKeys {
    KeyNumbers<std::tuple<u32, u32, u64>> channels;  ///< sender, receiver, communicator
    KeyNumbers<u64> communicators;
};

/// The operations of one location, with local numbers.
struct LocationOperations {
    Operations::Rank rank;
    OperationKeys keys;
};

/// The limit of operations of all locations together. Threads take it in pieces, so each location
/// may take one piece more than it needs.
class OperationBudget {
  public:
    OperationBudget(u64 most, u32 locations) : most_(most + u64{locations} * kPiece) {}

    /// False if there are certainly too many; `have`: operations of a location so far.
    bool allows(std::size_t have, u64& taken) {
        while (have > taken) {
            taken += kPiece;
            if ((taken_ += kPiece) > most_) return false;
        }
        return taken_ <= most_;
    }

  private:
    static constexpr u64 kPiece = 4096;

    u64 most_;
    std::atomic<u64> taken_ = 0;
};

std::vector<u32> members_of_group(const DefinitionIndex& definitions, u64 group) {
    const GroupDefinition* found = definitions.group(group);
    std::vector<u32> ranks;
    if (found == nullptr) return ranks;
    if (is_group_of_all_ranks(found->type)) {
        ranks.resize(definitions.world_size());
        std::iota(ranks.begin(), ranks.end(), 0U);
    } else if (found->type == kGroupCommGroup) {
        for (const u64 rank : found->members) {
            if (rank < definitions.world_size()) ranks.push_back(static_cast<u32>(rank));
        }
    }
    return ranks;
}

std::vector<u32> members_of_communicator(const DefinitionIndex& definitions, u64 global) {
    const CommunicatorDefinition* comm = definitions.communicator(global);
    std::vector<u32> ranks =
        comm == nullptr ? std::vector<u32>() : members_of_group(definitions, comm->group);
    if (comm != nullptr && comm->inter) {
        const std::vector<u32> others = members_of_group(definitions, comm->remote);
        ranks.insert(ranks.end(), others.begin(), others.end());
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

class OperationReader {
  public:
    OperationReader(TraceFile& file, u32 location, u32 me, LocationOperations& out)
        : definitions_(file.definitions()),
          calls_(file, location, Times::skip),
          me_(me),
          keys_(out.keys),
          out_(out.rank) {}

    /// False if the budget is exceeded.
    bool run(OperationBudget& budget) {
        u64 taken = 0;
        for (; calls_.next(); ++number_) {
            const std::size_t before = out_.operations.size();
            const u64 outstanding = outstanding_;
            for (const RecordBatch::Head& head : calls_.records().heads()) add(head);
            add_collective_without_record();
            if (out_.operations.size() == before && outstanding_ < outstanding) {
                push(Kind::completion, 0);
            }
            if (out_.operations.size() != before) mark_rest();
            if (!budget.allows(out_.operations.size(), taken)) return false;
        }
        std::erase_if(out_.operations, [](const Operation& one) {
            return one.kind == Kind::collective && one.channel == kNone;
        });
        out_.calls = number_;
        return true;
    }

  private:
    struct OpenRest {
        std::size_t place;
        u64 outstanding;
    };

    void add(const RecordBatch::Head& head) {
        const auto v = calls_.records().values(head);
        switch (static_cast<EventType>(head.type)) {
            case EventType::MpiIsend:
                ++outstanding_;
                [[fallthrough]];
            case EventType::MpiSend:
                return add_message(Kind::send, v);
            case EventType::MpiIrecv:
                complete();
                [[fallthrough]];
            case EventType::MpiRecv:
                return add_message(Kind::receive, v);
            case EventType::NonBlockingCollectiveRequest:
                ++outstanding_;
                posted_[v[0]] = out_.operations.size();
                return push(Kind::collective, kNone);
            case EventType::MpiIrecvRequest:
            case EventType::MpiImrecvRequest:
                ++outstanding_;
                return;
            case EventType::MpiIsendComplete:
            case EventType::MpiRequestCancelled:
            case EventType::MpiImrecv:
                return complete();
            case EventType::NonBlockingCollectiveComplete:
                complete();
                if (complete_posted(calls_.tables().global(FieldKind::comm, v[1]), v[0], v[5]))
                    return;
                [[fallthrough]];
            case EventType::MpiCollectiveEnd:
                return add_collective(calls_.tables().global(FieldKind::comm, v[1]), v[0],
                                      v[3] + v[4]);
            case EventType::RmaCollectiveEnd:
                return add_collective(window_communicator(v[2]), v[0]);
            case EventType::RmaPut:
            case EventType::RmaGet:
            case EventType::RmaAtomic:
                return add_access(v[0], v[1]);
            default:
                return;
        }
    }

    void complete() { outstanding_ -= outstanding_ == 0 ? 0 : 1; }

    /// `values`: peer, communicator, tag, size.
    void add_message(Kind kind, std::span<const u64> values) {
        const u32 number = channel(kind, values[0], values[1]);
        if (number == kNone) return;
        push(kind, number);
        out_.operations.back().tag = static_cast<u32>(values[2]);
        out_.operations.back().size = static_cast<u32>(values[3]);
    }

    void add_access(u64 window, u64 remote) {
        push(Kind::access, channel(Kind::access, remote, window));
    }

    void add_collective(u64 communicator, u64 operation, u64 bytes = 0) {
        push(Kind::collective, keys_.communicators.number(communicator));
        out_.operations.back().operation = static_cast<u8>(operation);
        out_.operations.back().size = static_cast<u32>(bytes);
    }

    /// The record of a completion defines the collective, which counts where it was posted.
    bool complete_posted(u64 communicator, u64 operation, u64 request) {
        const auto posted = posted_.find(request);
        if (posted == posted_.end()) return false;
        Operation& one = out_.operations[posted->second];
        one.channel = keys_.communicators.number(communicator);
        one.operation = static_cast<u8>(operation);
        posted_.erase(posted);
        return true;
    }

    /// Recorders that know one communicator only record just the region of a collective.
    void add_collective_without_record() {
        const u32 symbol = calls_.symbol_id();
        if (symbol >= bare_.size()) bare_.resize(symbol + 1);
        if (!bare_[symbol]) bare_[symbol] = bare_collective();
        if (*bare_[symbol] != kNone) {
            add_collective(definitions_.only_communicator(), *bare_[symbol]);
        }
    }

    [[nodiscard]] u64 bare_collective() {
        const RecordSpan records = calls_.records();
        if (definitions_.only_communicator() == kNone || !is_enter(records[0].type)) return kNone;
        for (const RecordBatch::Head& head : records.heads()) {
            const auto type = static_cast<EventType>(head.type);
            if (type == EventType::MpiCollectiveEnd ||
                type == EventType::NonBlockingCollectiveRequest ||
                type == EventType::NonBlockingCollectiveComplete) {
                return kNone;
            }
        }
        const auto info = find_mpi_function(definitions_.region_name(calls_.region(0).id));
        if (!info || info->family != CallFamily::collective) return kNone;
        const auto kind = collective_kind(info->function);
        return kind ? static_cast<u64>(*kind) : u64{kNone};
    }

    /// The channel of messages to or from a peer in a communicator, or of accesses to it in a
    /// window, as recorded; kNone for messages of an unknown peer.
    u32 channel(Kind kind, u64 peer, u64 scope) {
        for (const Known& known : known_) {
            if (known.peer == peer && known.scope == scope && known.kind == kind) {
                return known.channel;
            }
        }
        if (known_.size() == kMostKnown) known_.clear();
        known_.push_back({peer, scope, find_channel(kind, peer, scope), kind});
        return known_.back().channel;
    }

    u32 find_channel(Kind kind, u64 peer, u64 scope) {
        const u64 communicator = kind == Kind::access
                                     ? window_communicator(scope)
                                     : calls_.tables().global(FieldKind::comm, scope);
        const u32 other = world_peer(definitions_, communicator, me_, peer);
        if (other == kNone && kind != Kind::access) return kNone;
        const bool receives = kind == Kind::receive;
        return keys_.channels.number(
            {receives ? other : me_, receives ? me_ : other, communicator});
    }

    [[nodiscard]] u64 window_communicator(u64 window) const {
        return definitions_.window_communicator(calls_.tables().global(FieldKind::rma_win, window));
    }

    void push(Kind kind, u32 channel) {
        out_.operations.push_back({static_cast<u32>(number_), channel, 0, 0, kind, 0, false});
    }

    /// Requests that never complete do not count: a rank is at rest where the number of outstanding
    /// requests never falls lower later.
    void mark_rest() {
        while (!open_rests_.empty() && open_rests_.back().outstanding > outstanding_) {
            out_.operations[open_rests_.back().place].at_rest = false;
            open_rests_.pop_back();
        }
        out_.operations.back().at_rest = true;
        if (outstanding_ != 0) open_rests_.push_back({out_.operations.size() - 1, outstanding_});
    }

    struct Known {
        u64 peer;
        u64 scope;
        u32 channel;
        Kind kind;
    };
    static constexpr std::size_t kMostKnown = 64;

    const DefinitionIndex& definitions_;
    CallReader calls_;
    u32 me_;
    OperationKeys& keys_;
    Operations::Rank& out_;
    u64 number_ = 0;
    u64 outstanding_ = 0;
    /// Candidates for rest, by rising number of outstanding requests; dropped if it falls below.
    std::vector<OpenRest> open_rests_;
    std::unordered_map<u64, std::size_t> posted_;  ///< collectives, by request
    std::vector<Known> known_;
    std::vector<std::optional<u64>> bare_;  ///< by symbol: the operation; kNone: none
};

/// Stops counting above any limit.
u64 events_of(TraceFile& file) {
    constexpr u64 kEnough = u64{1} << 48U;
    u64 events = 0;
    for (u32 location = 0; location < file.location_count() && events < kEnough; ++location) {
        events += std::min(file.index().events(location), kEnough);
    }
    return events;
}

/// Merges the operations of all locations and gives them common numbers: in the order of first use,
/// one location after the other.
class OperationsUnion {
  public:
    explicit OperationsUnion(const DefinitionIndex& definitions) : definitions_(definitions) {
        all_.ranks.resize(definitions.world_size());
    }

    /// False if another location of the rank communicates as well.
    bool add(u32 rank, LocationOperations& own) {
        if (own.rank.operations.empty()) return true;
        Operations::Rank& known = all_.ranks[rank];
        if (!known.operations.empty()) return false;
        NumbersOfRank& numbers = numbers_.emplace_back();
        numbers.rank = rank;
        for (const auto& key : own.keys.channels.keys())
            numbers.channels.push_back(keys_.channels.number(key));
        for (const u64 key : own.keys.communicators.keys())
            numbers.communicators.push_back(keys_.communicators.number(key));
        known = std::move(own.rank);
        return true;
    }

    Operations take(u32 threads) {
        run_each(threads, numbers_.size(), [this](std::size_t i) { renumber(numbers_[i]); });
        for (const auto& [sender, receiver, communicator] : keys_.channels.keys()) {
            all_.channels.push_back({sender, receiver, keys_.communicators.number(communicator)});
        }
        for (const u64 global : keys_.communicators.keys()) {
            all_.communicators.push_back(members_of_communicator(definitions_, global));
        }
        return std::move(all_);
    }

  private:
    /// Common numbers by local number of a rank.
    struct NumbersOfRank {
        u32 rank = 0;
        std::vector<u32> channels;
        std::vector<u32> communicators;
    };

    void renumber(const NumbersOfRank& numbers) {
        for (Operation& one : all_.ranks[numbers.rank].operations) {
            if (one.kind == Kind::collective) {
                one.channel = numbers.communicators[one.channel];
            } else if (one.kind != Kind::completion) {
                one.channel = numbers.channels[one.channel];
            }
        }
    }

    const DefinitionIndex& definitions_;
    OperationKeys keys_;
    std::vector<NumbersOfRank> numbers_;
    Operations all_;
};

std::optional<Operations> unite(const DefinitionIndex& definitions, u64 most,
                                std::vector<LocationOperations>& locations, u32 threads,
                                NoSteps& why) {
    OperationsUnion all(definitions);
    bool any = false;
    for (LocationOperations& own : locations) {
        if (own.rank.location == kNone) continue;
        const u64 count = own.rank.operations.size();
        any = any || count != 0;
        why = NoSteps::too_large;
        if (count > most) return std::nullopt;
        most -= count;
        const auto rank = definitions.world_rank(definitions.locations()[own.rank.location]);
        why = NoSteps::several_threads;
        if (!all.add(*rank, own)) return std::nullopt;
    }
    why = NoSteps::no_operations;
    return any ? std::optional(all.take(threads)) : std::nullopt;
}

}  // namespace

void Operations::overlook_requests() {
    for (Rank& rank : ranks) {
        for (std::size_t i = 0; i < rank.operations.size(); ++i) {
            const bool last = i + 1 == rank.operations.size();
            rank.operations[i].at_rest =
                last || rank.operations[i + 1].call != rank.operations[i].call;
        }
    }
}

namespace {

/// The communicators of operations, by first use.
class SuccessiveCommunicators {
  public:
    explicit SuccessiveCommunicators(const Operations& all)
        : all_(all), uses_(all.communicators.size()) {
        for (u32 rank = 0; rank < all.ranks.size(); ++rank) note_uses(rank);
    }

    /// By communicator: the one whose number it gets.
    [[nodiscard]] std::vector<u32> successors() const {
        std::vector<u32> order(uses_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::vector<u32> like = order;
        std::ranges::stable_sort(order, {}, [this](u32 one) { return uses_[one].first; });
        std::map<std::vector<u32>, std::map<u32, u32>> known;  // last uses, by members
        for (const u32 one : order) {
            if (uses_[one].first == kNone) continue;
            std::map<u32, u32>& lasts = known[all_.communicators[one]];
            const auto free = std::ranges::find_if(
                lasts, [&](const auto& it) { return it.second < uses_[one].first; });
            if (free != lasts.end()) like[one] = free->first;
            lasts[like[one]] = uses_[one].last;
        }
        return like;
    }

  private:
    struct Use {
        u32 first = kNone;
        u32 last = 0;
    };

    void note_uses(u32 rank) {
        const std::vector<Operation>& operations = all_.ranks[rank].operations;
        for (u32 place = 0; place < operations.size(); ++place) {
            const Operation& one = operations[place];
            if (one.kind == Kind::completion) continue;
            const u32 communicator = one.kind == Kind::collective
                                         ? one.channel
                                         : all_.channels[one.channel].communicator;
            const std::vector<u32>& members = all_.communicators[communicator];
            if (members.empty() || members.front() != rank) continue;
            Use& use = uses_[communicator];
            use.first = std::min(use.first, place);
            use.last = place;
        }
    }

    const Operations& all_;
    std::vector<Use> uses_;
};

}  // namespace

bool Operations::merge_successive_communicators() {
    const std::vector<u32> like = SuccessiveCommunicators(*this).successors();
    bool merges = false;
    for (u32 one = 0; one < like.size(); ++one) merges = merges || like[one] != one;
    if (!merges) return false;
    KeyNumbers<std::tuple<u32, u32, u32>> kinds;
    std::vector<u32> first;  // by kind: its channel
    std::vector<u32> channel_like;
    for (u32 i = 0; i < channels.size(); ++i) {
        const u32 kind = kinds.number(
            {channels[i].sender, channels[i].receiver, like[channels[i].communicator]});
        if (kind == first.size()) first.push_back(i);
        channel_like.push_back(first[kind]);
    }
    for (Rank& rank : ranks) {
        for (Operation& one : rank.operations) {
            if (one.kind == Kind::completion) continue;
            one.channel = (one.kind == Kind::collective ? like : channel_like)[one.channel];
        }
    }
    return true;
}

std::optional<Operations> read_operations(TraceFile& file, OperationLimits most, u32 threads,
                                          NoSteps& why) {
    const DefinitionIndex& definitions = file.definitions();
    why = definitions.world_size() < 2 ? NoSteps::one_process : NoSteps::too_large;
    if (definitions.world_size() == 0 || events_of(file) > most.events) return std::nullopt;
    const u32 locations = file.location_count();
    std::vector<LocationOperations> all(locations);
    OperationBudget budget(most.operations, locations);
    std::atomic<bool> too_many = false;
    const u32 useful = useful_threads(definitions.locations(), threads);
    run_each(useful, locations, [&](u32 location) {
        const auto rank = definitions.world_rank(definitions.locations()[location]);
        if (!rank || file.index().script(Stream::events, location) == kNone) return;
        LocationOperations& out = all[location];
        out.rank.location = location;
        if (too_many) return;
        // An operation has about three records.
        out.rank.operations.reserve(bounded_reserve(file.index().events(location) / 3));
        if (!OperationReader(file, location, *rank, out).run(budget)) too_many = true;
    });
    if (too_many) return std::nullopt;
    return unite(definitions, most.operations, all, useful, why);
}

}  // namespace tracefold
