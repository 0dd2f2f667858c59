// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/balance.hpp"

#include "base/hash.hpp"
#include "mpi/collective_instances.hpp"
#include "mpi/matching/inferred_collectives.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <initializer_list>

namespace tracefold {

namespace {

u64 number_of(std::initializer_list<u64> values) {
    u64 number = 0;
    for (const u64 value : values) number = mix(number + kGolden + value);
    return number;
}

}  // namespace

void Balance::add(const MpiCall& call) {
    if (call.family == CallFamily::comm_create && call.actions.empty()) spoil();
    for (const Action& action : call.actions) add(call, action);
}

void Balance::add(const MpiCall& call, const Action& action) {
    const u64 before = sum_;
    switch (action.kind) {
        case Action::Kind::send:
            message(action.envelope, true);
            if (action.request != kNoRequest) {
                requests_[action.request] = {action.kind, sum_ - before};
            }
            break;
        case Action::Kind::receive:
            message(action.envelope, false);
            break;
        case Action::Kind::post_receive:
            if (action.known) message(action.envelope, false);
            requests_[action.request] = {action.kind, 0};
            break;
        case Action::Kind::collective:
            if (action.unrecorded) {
                unrecorded(call, action);
            } else {
                collective(action.part.comm, action.part);
            }
            break;
        case Action::Kind::post_collective:
            // Its completion is inferred.
            if (action.unrecorded) return spoil();
            if (action.known) collective(action.part.comm, action.part);
            requests_[action.request] = {action.kind, 0};
            break;
        case Action::Kind::complete_receive:
        case Action::Kind::complete_send:
        case Action::Kind::complete_collective:
            complete(action);
            break;
        case Action::Kind::cancelled: {
            const auto found = requests_.find(action.request);
            if (found == requests_.end()) break;
            sum_ -= found->second.number;
            requests_.erase(found);
            break;
        }
        case Action::Kind::record: {
            if (action.type == EventType::RmaWinCreate &&
                find(table_.communicator_of_window(action.fields[0])) == nullptr) {
                spoil();
            }
            if (action.type != EventType::RmaCollectiveEnd) break;
            CollectivePart part;
            part.kind = collective_kind(action.fields[0]);
            part.comm = table_.communicator_of_window(action.fields[2]);
            part.root = static_cast<u32>(action.fields[3]);
            collective(kWindowContext | action.fields[2], part);
            break;
        }
        case Action::Kind::create_comm:
            made_.insert(action.part.comm);
            break;
        case Action::Kind::destroy_comm:
            made_.erase(action.part.comm);
            break;
        default:
            break;
    }
}

void Balance::complete(const Action& action) {
    const auto found = requests_.find(action.request);
    if (found == requests_.end()) {
        if (action.kind == Action::Kind::complete_receive) spoil();
        return;
    }
    if (!action.completes(found->second.kind)) spoil();
    requests_.erase(found);
}

/// Null if the communicator does not exist at this point.
const CommunicatorView* Balance::find(u64 comm) {
    const bool exists = comm == table_.world() || comm == table_.self() || made_.contains(comm);
    return exists ? table_.find(comm) : nullptr;
}

void Balance::message(const Envelope& envelope, bool sends) {
    const CommunicatorView* view = find(envelope.comm);
    if (view == nullptr) return spoil();
    const std::span<const u64> peers = view->peers();
    if (envelope.peer >= peers.size()) return spoil();
    const u64 me = table_.world_rank();
    const u64 peer = peers[envelope.peer];
    const u64 number = number_of(
        {envelope.comm, sends ? me : peer, sends ? peer : me, envelope.tag, envelope.bytes});
    sum_ += sends ? number : ~number + 1;
}

/// If each member knows the whole collective, agreement of the members is enough.
void Balance::unrecorded(const MpiCall& call, const Action& action) {
    if (needs_other_members(call.function)) return spoil();
    const bool equal = has_equal_metrics(call.function);
    collective(action.part.comm, action.part, equal ? action.fields[0] : 0);
}

/// The first member subtracts the sum of the others.
void Balance::collective(u64 key, const CollectivePart& part, u64 metric) {
    // Windows outlive their communicator, and a free record names the freed object.
    const bool outlives = (key & kWindowContext) != 0 || !is_communication(part.kind);
    const CommunicatorView* view = outlives ? table_.find(part.comm) : find(part.comm);
    if (view == nullptr) return spoil();
    const u64 members = view->member_count();
    if (members < 2) return;
    const u64 number =
        number_of({key, instances_[key]++, static_cast<u64>(part.kind), part.root, metric});
    sum_ += table_.world_rank() == view->first_member() ? ~(number * (members - 1)) + 1 : number;
}

u64 balance_of_rank(TraceFile& file, u32 rank) {
    const CommunicatorTable table(file, rank);
    Balance balance(table);
    for (const u32 location : mpi_locations(file, rank)) {
        MpiCallReader program(file, location, Times::skip);
        for (MpiCall call; program.next(call);) balance.add(call);
    }
    return balance.sum();
}

}  // namespace tracefold
