// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/communicators/communicators.hpp"

#include "base/error.hpp"
#include "base/mpi.hpp"
#include "replay/communicators/communicator_maker.hpp"
#include "replay/communicators/groups.hpp"
#include "replay/proof/watched.hpp"
#include "replay/replay_world.hpp"

#include <algorithm>
#include <string>

namespace tracefold {

namespace {

/// Smaller ids need no hashing.
constexpr u64 kNearIds = 65536;

std::string name(u64 comm) { return "communicator " + std::to_string(comm); }

void check_members(const CommunicatorView& view, MPI_Comm handle) {
    const bool equal = Group::of_communicator(handle).is_world_ranks(view.members) &&
                       (!view.inter || Group::of_remote_side(handle).is_world_ranks(view.remote));
    if (equal) return;
    throw Error(
        ErrorKind::corrupt,
        name(view.id) + " was created with other members, or in another order, than recorded");
}

}  // namespace

Communicators::Communicators(const CommunicatorTable& table, Inferences& inferences)
    : table_(table), inferences_(inferences), maker_(*this, inferences) {
    for (const u64 comm : table_.own()) {
        Slot& slot = slots_[comm];
        slot.view = table_.find(comm);
        if (comm >= kNearIds) continue;
        if (comm >= near_.size()) near_.resize(comm + 1, nullptr);
        near_[comm] = &slot;
    }
    for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF, replay_world()}) {
        check_mpi(PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    }
    if (table_.world() != kNone) adopt(table_.world(), replay_world());
    if (table_.self() != kNone) adopt(table_.self(), MPI_COMM_SELF);
}

void Communicators::fail_without(u64 comm) {
    throw Error(ErrorKind::corrupt, name(comm) + " is used while it does not exist");
}

const CommunicatorView& Communicators::view(u64 comm) const {
    const CommunicatorView* view = table_.find(comm);
    if (view == nullptr) {
        throw Error(ErrorKind::corrupt, name(comm) + " is used by a process that is not a member");
    }
    return *view;
}

void Communicators::make_early(std::span<const u64> comms) {
    for (const u64 comm : comms) {
        inferences_.count(Inference::made_early);
        const CommunicatorView& it = view(comm);
        adopt(comm,
              it.inter ? connect_sides(&it, *this, inferences_) : make_of_group(MPI_COMM_NULL, it));
    }
}

void Communicators::create(const MpiCall& call, Requests& requests) {
    if (call.actions.empty()) {
        inferences_.count(Inference::creation_left_out);
        return;
    }
    if (call.patch_effect == MpiCall::PatchEffect::inferred) {
        inferences_.count(Inference::creation_inferred);
    }
    if (call.actions.front().kind == Action::Kind::post_collective) {
        duplicate_later(call, requests);
    } else {
        const Creation creation = read(call);
        const MPI_Comm made = maker_.make(creation);
        if ((made == MPI_COMM_NULL) != (creation.view == nullptr)) {
            throw Error(ErrorKind::corrupt,
                        std::string(name_of(call.function)) +
                            " created a communicator on other processes than recorded");
        }
        if (made != MPI_COMM_NULL) adopt(creation.view->id, made);
    }
}

/// MPI_Comm_create_group and MPI_Intercomm_create record the new communicator only.
Creation Communicators::read(const MpiCall& call) const {
    Creation creation{call.function, kNone, nullptr};
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::create_comm) creation.view = &view(action.part.comm);
        if (action.kind == Action::Kind::collective) creation.parent = action.part.comm;
    }
    const bool is_new = is_of_members_only(call.function) ||
                        (creation.view != nullptr && creation.view->id == creation.parent);
    if (is_new) {
        creation.parent = creation.view == nullptr ? kNone : creation.view->parent;
    }
    return creation;
}

void Communicators::duplicate_later(const MpiCall& call, Requests& requests) {
    const Action& action = call.actions.front();
    if (!action.known) {
        inferences_.count(Inference::creation_left_out);
        return;
    }
    const MPI_Comm parent = handle(action.part.comm);
    const std::lock_guard guard(mutex_);
    if (free_places_.empty()) free_places_.push_back(&places_.emplace_back(MPI_COMM_NULL));
    MPI_Comm* place = free_places_.back();
    free_places_.pop_back();
    duplicates_.push_back({action.request, place});
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(watched::Comm_idup(parent, place, &request), "MPI_Comm_idup");
    requests.put(action.request, request);
}

MPI_Comm Communicators::take_duplicate(u64 request) {
    const std::lock_guard guard(mutex_);
    const auto found =
        std::find_if(duplicates_.begin(), duplicates_.end(),
                     [request](const Duplicate& entry) { return entry.request == request; });
    if (found == duplicates_.end()) return MPI_COMM_NULL;
    const MPI_Comm comm = *found->place;
    free_places_.push_back(found->place);
    duplicates_.erase(found);
    return comm;
}

/// The record of the new communicator directly precedes that of the completion.
void Communicators::complete(const MpiCall& call) {
    u64 made = kNone;
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::create_comm) {
            made = action.part.comm;
        } else if (action.kind == Action::Kind::complete_collective &&
                   action.part.kind == CollectiveKind::create_handle && made != kNone) {
            const MPI_Comm comm = take_duplicate(action.request);
            if (comm != MPI_COMM_NULL) adopt(made, comm);
            made = kNone;
        }
    }
}

void Communicators::adopt(u64 comm, MPI_Comm handle) {
    Slot* const slot = find_slot(comm);
    if (slot == nullptr || slot->handle != MPI_COMM_NULL) {
        throw Error(ErrorKind::corrupt, name(comm) + " is created while it exists");
    }
    check_mpi(PMPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    if (!slot->checked) check_members(*slot->view, handle);
    slot->checked = true;
    slot->handle.store(handle, std::memory_order_release);
}

void Communicators::destroy(const MpiCall& call) {
    bool any = false;
    for (const Action& action : call.actions) {
        if (action.kind != Action::Kind::destroy_comm) continue;
        any = true;
        if (table_.is_predefined(action.part.comm)) continue;
        MPI_Comm old = handle(action.part.comm);
        find_slot(action.part.comm)->handle = MPI_COMM_NULL;
        if (call.function == MpiFunction::Comm_disconnect) {
            check_mpi(watched::Comm_disconnect(&old), "MPI_Comm_disconnect");
        } else {
            check_mpi(watched::Comm_free(&old), "MPI_Comm_free");
        }
    }
    if (!any) inferences_.count(Inference::free_left_out);
    if (any && call.patch_effect == MpiCall::PatchEffect::inferred) {
        inferences_.count(Inference::free_inferred);
    }
}

void Communicators::reset() {
    for (const u64 comm : table_.own()) {
        MPI_Comm handle = find(comm);
        if (handle == MPI_COMM_NULL || table_.is_predefined(comm)) continue;
        find_slot(comm)->handle = MPI_COMM_NULL;
        check_mpi(watched::Comm_free(&handle), "MPI_Comm_free");
    }
    maker_.reset();
}

}  // namespace tracefold
