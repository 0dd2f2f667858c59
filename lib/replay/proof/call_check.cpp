// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/proof/call_check.hpp"

#include "replay/collectives/vector_collectives.hpp"
#include "replay/replay_world.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace tracefold {

namespace {

using Kind = ObservedPart::Kind;

/// World ranks of a group in its order.
std::vector<u64> world_ranks(MPI_Group group) {
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(replay_world(), &world);
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<int> translated(ranks.size());
    PMPI_Group_translate_ranks(group, size, ranks.data(), world, translated.data());
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
    return {translated.begin(), translated.end()};
}

/// Converts an action to an observed kind; false if it cannot be observed.
bool observed_as(const Action& action, CallFamily family, Kind& kind) {
    switch (action.kind) {
        case Action::Kind::send:
            kind = Kind::send;
            return true;
        case Action::Kind::receive:
            kind = Kind::receive;
            return true;
        case Action::Kind::post_receive:
            kind = Kind::post_receive;
            return true;
        case Action::Kind::collective:
        case Action::Kind::post_collective:
            // Collective creation or free of handles is no MPI collective.
            kind = Kind::collective;
            return action.known && is_communication(action.part.kind);
        case Action::Kind::complete_send:
        case Action::Kind::complete_receive:
        case Action::Kind::complete_collective:
        case Action::Kind::cancelled:
            kind = family == CallFamily::request_free ? Kind::release : Kind::completion;
            return true;
        case Action::Kind::record:
            if (action.type == EventType::IoOperationBegin) kind = Kind::transfer;
            if (action.type == EventType::RmaPut || action.type == EventType::RmaGet ||
                action.type == EventType::RmaAtomic) {
                kind = Kind::access;
            }
            return kind == Kind::transfer || kind == Kind::access;
        default:
            return false;
    }
}

/// The parts by kind, in order; completions in the order of the array, once each.
class PartsByKind {
  public:
    explicit PartsByKind(const Observation& observation) {
        for (const ObservedPart& part : observation.parts()) of(part.kind).push_back(&part);
        auto& completions = of(Kind::completion);
        const auto index = [](const ObservedPart* part) { return part->index; };
        std::ranges::stable_sort(completions, {}, index);
        const auto same = [](const ObservedPart* a, const ObservedPart* b) {
            return a->index == b->index;
        };
        completions.erase(std::unique(completions.begin(), completions.end(), same),
                          completions.end());
    }

    /// Null if there are no more.
    const ObservedPart* next(Kind kind) {
        auto& parts = of(kind);
        std::size_t& place = next_[static_cast<std::size_t>(kind)];
        return place < parts.size() ? parts[place++] : nullptr;
    }
    /// True for communication that the trace lacks.
    [[nodiscard]] bool has_more() {
        for (const Kind kind : {Kind::send, Kind::receive, Kind::post_receive, Kind::collective,
                                Kind::access, Kind::transfer}) {
            if (next_[static_cast<std::size_t>(kind)] < of(kind).size()) return true;
        }
        return false;
    }

  private:
    static constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::release) + 1;

    std::vector<const ObservedPart*>& of(Kind kind) {
        return parts_[static_cast<std::size_t>(kind)];
    }

    std::array<std::vector<const ObservedPart*>, kKinds> parts_;
    std::array<std::size_t, kKinds> next_{};
};

std::string differ(const char* what, u64 wanted, u64 found) {
    return std::string(what) + " " + std::to_string(wanted) + " in the trace, " +
           std::to_string(found) + " issued";
}

}  // namespace

void ProofResult::merge(const ProofResult& other) {
    calls += other.calls;
    parts += other.parts;
    differences += other.differences;
    fingerprint += other.fingerprint;
    for (const std::string& sentence : other.first) {
        if (first.size() < CallCheck::kFirst) first.push_back(sentence);
    }
    for (const auto& [names, count] : other.substitutes) substitutes[names] += count;
}

u64 ProofResult::substituted() const {
    u64 sum = 0;
    for (const auto& [names, count] : substitutes) sum += count;
    return sum;
}

void CallCheck::compare(const MpiCall& mpi_call, const Observation& observation) {
    ++result_.calls;
    note_substitute(mpi_call, observation);
    const std::string text = difference(mpi_call, observation);
    for (const ObservedPart& part : observation.parts()) {
        // MPI may reuse the handle for another communicator.
        if (part.kind == Kind::create_comm || part.kind == Kind::destroy_comm) {
            members_.erase(part.comm);
        }
    }
    fingerprint_.add(mpi_call);
    if (text.empty()) return;
    fingerprint_.note(result_.differences);
    ++result_.differences;
    if (result_.first.size() < kFirst) {
        result_.first.push_back(place_ + ", call " + std::to_string(mpi_call.index) + " (" +
                                std::string(name_of(mpi_call.function)) + "): " + text);
    }
}

void CallCheck::note_substitute(const MpiCall& mpi_call, const Observation& observation) {
    std::span<const MpiFunction> calls = observation.calls();
    // Calls of MPI_Cancel have no record; they are issued where their requests complete.
    const auto cancels =
        std::ranges::count(mpi_call.actions, Action::Kind::cancelled, &Action::kind);
    const auto first = std::ranges::find_if_not(
        calls, [](MpiFunction function) { return function == MpiFunction::Cancel; });
    if (first - calls.begin() == cancels) calls = calls.subspan(static_cast<std::size_t>(cancels));
    if (calls.size() == 1 && calls.front() == mpi_call.function) return;
    std::string issued;
    for (const MpiFunction call : calls) {
        issued += (issued.empty() ? "" : " + ") + std::string(name_of(call));
    }
    if (issued.empty()) issued = "nothing";
    ++result_.substitutes[{std::string(name_of(mpi_call.function)), issued}];
}

std::string CallCheck::difference(const MpiCall& mpi_call, const Observation& observation) {
    if (asks_for_message(mpi_call.family)) {
        return probe_difference(mpi_call, observation);
    }
    PartsByKind parts(observation);
    for (const Action& action : mpi_call.actions) {
        std::string text;
        Kind kind{};
        if (action.kind == Action::Kind::create_comm) {
            text = creation_difference(action, observation);
        } else if (observed_as(action, mpi_call.family, kind)) {
            text = difference_in(action, parts.next(kind));
        } else {
            continue;
        }
        if (!text.empty()) return text;
        ++result_.parts;
    }
    return parts.has_more() ? "it communicates more than recorded" : "";
}

std::string CallCheck::difference_in(const Action& action, const ObservedPart* part) {
    if (part == nullptr) return "part of it was not issued";
    switch (action.kind) {
        case Action::Kind::post_receive:
            if (!action.known) return silent_difference(*part);
            [[fallthrough]];
        case Action::Kind::receive:
            if (is_wildcard(action.envelope)) return wildcard_difference(action, *part);
            [[fallthrough]];
        case Action::Kind::send:
            return message_difference(action.envelope, *part, true);
        case Action::Kind::complete_receive:
            if (is_wildcard(action.envelope)) return wildcard_difference(action, *part);
            return message_difference(action.envelope, *part, false);
        case Action::Kind::collective:
        case Action::Kind::post_collective:
            return collective_difference(action.part, *part);
        case Action::Kind::cancelled:
            return part->cancelled ? "" : "a request was not cancelled";
        case Action::Kind::record:
            if (part->kind == Kind::transfer)
                return size_difference("bytes", action.fields[3], part->bytes);
            if (part->kind == Kind::access && static_cast<u64>(part->peer) != action.fields[1]) {
                return differ("target", action.fields[1], static_cast<u64>(part->peer));
            }
            if (action.type != EventType::RmaAtomic && part->kind == Kind::access)
                return size_difference("bytes", action.fields[2], part->bytes);
            return "";
        default:
            return "";
    }
}

/// Checks probes and receives of probed messages. Without a record, MpiCall::inferred has the
/// message; a poll without a message must use arguments that never match.
std::string CallCheck::probe_difference(const MpiCall& mpi_call, const Observation& observation) {
    const bool polls =
        mpi_call.function == MpiFunction::Iprobe || mpi_call.function == MpiFunction::Improbe;
    const Action* action = mpi_call.actions.empty() ? nullptr : mpi_call.actions.data();
    const Envelope& about = action != nullptr ? action->envelope : mpi_call.inferred;
    const bool finds = action != nullptr || (about.comm != kNone && (mpi_call.found || !polls));
    // A posted receive is checked at its completion.
    const bool posts = action != nullptr && action->kind == Action::Kind::post_receive;
    const bool receives = mpi_call.family == CallFamily::matched_receive;
    bool compared = false;
    for (const ObservedPart& part : observation.parts()) {
        // The status of a receive has the most data; a probe has no number of bytes.
        const bool probes = part.kind == Kind::probe;
        if (!probes && !receives) return "it communicates more than recorded";
        Envelope wanted = about;
        if (probes) wanted.bytes = 0;
        if (probes && is_wildcard(wanted)) wanted.peer = static_cast<u32>(MPI_ANY_SOURCE);
        const std::string text = !finds && !receives ? silent_difference(part)
                                                     : message_difference(wanted, part, probes);
        if (!text.empty()) return text;
        compared = compared || probes != receives;
        ++result_.parts;
    }
    return compared || posts || about.comm == kNone ? "" : "part of it was not issued";
}

/// A receive or probe without a message must match none: its source is the process itself, on a
/// communicator without messages.
std::string CallCheck::silent_difference(const ObservedPart& part) {
    const u64 me = table_.world_rank();
    const Members& members = members_of(part.comm);
    const bool alone = std::ranges::equal(std::span(&me, 1), members.own) && members.remote.empty();
    return alone && part.bytes == 0 ? ""
                                    : "it may receive a message that the trace does not record";
}

std::string CallCheck::message_difference(const Envelope& envelope, const ObservedPart& part,
                                          bool with_comm) {
    if (with_comm && !is_communicator(envelope.comm, part.comm)) {
        return "the communicator has other members";
    }
    if (static_cast<int>(envelope.peer) != part.peer) {
        return differ("peer", envelope.peer, static_cast<u64>(part.peer));
    }
    if (static_cast<int>(envelope.tag) != part.tag) {
        return differ("tag", envelope.tag, static_cast<u64>(part.tag));
    }
    return size_difference("bytes", envelope.bytes, part.bytes);
}

/// Fractions of bytes are dropped for each partner.
std::string CallCheck::size_difference(const char* what, u64 wanted, u64 found,
                                       u64 partners) const {
    const u64 scaled = amounts_.scaled(wanted);
    const bool fits =
        found == scaled || (scaled != wanted && found < scaled && scaled - found < partners);
    return fits ? "" : differ(what, scaled, found);
}

/// Timing decides which message a receive of any source gets; only their sum is checked.
std::string CallCheck::wildcard_difference(const Action& action, const ObservedPart& part) {
    Envelope wanted = action.envelope;
    if (action.kind == Action::Kind::post_receive) {
        wanted.peer = static_cast<u32>(MPI_ANY_SOURCE);
        wanted.bytes = wildcards_->bytes(wanted.comm, wanted.tag);
        return message_difference(wanted, part, true);
    }
    const auto number = [&wanted](u64 peer, u64 bytes) {
        return mix(mix(mix(mix(wanted.comm) + wanted.tag) + peer) + bytes);
    };
    wildcard_balance_ += number(wanted.peer, amounts_.scaled(wanted.bytes));
    wildcard_balance_ -= number(static_cast<u64>(part.peer), part.bytes);
    if (wanted.tag != static_cast<u32>(part.tag))
        return differ("tag", wanted.tag, static_cast<u64>(part.tag));
    const bool receives = action.kind == Action::Kind::receive;
    return receives && !is_communicator(wanted.comm, part.comm)
               ? "the communicator has other members"
               : "";
}

ProofResult CallCheck::wildcard_result() const {
    ProofResult result;
    if (wildcard_balance_ == 0) return result;
    result.differences = 1;
    result.first.push_back(place_ +
                           ": receives of any source did not get the messages of the trace");
    return result;
}

std::string CallCheck::collective_difference(const CollectivePart& wanted,
                                             const ObservedPart& part) {
    constexpr u32 kUnrooted = ~u32{0};
    if (!is_communicator(wanted.comm, part.comm)) return "the communicator has other members";
    if (wanted.root != kUnrooted && mpi_root(wanted.root) != part.peer) {
        return differ("root", wanted.root, static_cast<u64>(part.peer));
    }
    const Members& members = members_of(part.comm);
    const u64 partners = members.own.size() + members.remote.size() + 1;
    const std::string text = size_difference("bytes sent", wanted.sent, part.bytes, partners);
    return text.empty()
               ? size_difference("bytes received", wanted.received, part.received, partners)
               : text;
}

std::string CallCheck::creation_difference(const Action& action, const Observation& observation) {
    const std::span<const ObservedPart> parts = observation.parts();
    // MPI_Comm_idup: the completion makes the communicator, which is checked when used.
    bool creates = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].kind != Kind::create_comm) continue;
        creates = true;
        // Temporary communicators are freed again, so their handles are invalid.
        const bool is_freed = std::ranges::any_of(parts.subspan(i), [&](const ObservedPart& part) {
            return part.kind == Kind::destroy_comm && part.comm == parts[i].comm;
        });
        if (!is_freed && is_communicator(action.part.comm, parts[i].comm)) return "";
    }
    return creates ? "the new communicator has other members" : "";
}

bool CallCheck::is_communicator(u64 comm, MPI_Comm handle) {
    const CommunicatorView* view = table_.find(comm);
    if (view == nullptr) return false;
    const Members& members = members_of(handle);
    return std::ranges::equal(view->members, members.own) &&
           std::ranges::equal(view->remote, members.remote);
}

const CallCheck::Members& CallCheck::members_of(MPI_Comm handle) {
    const auto [place, is_new] = members_.try_emplace(handle);
    if (is_new) {
        MPI_Group group = MPI_GROUP_NULL;
        PMPI_Comm_group(handle, &group);
        place->second.own = world_ranks(group);
        int inter = 0;
        PMPI_Comm_test_inter(handle, &inter);
        if (inter != 0) {
            PMPI_Comm_remote_group(handle, &group);
            place->second.remote = world_ranks(group);
        }
    }
    return place->second;
}

}  // namespace tracefold
