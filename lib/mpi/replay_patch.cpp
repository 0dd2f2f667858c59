// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/replay_patch.hpp"

#include "base/bytes.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// OTF2_COLLECTIVE_OP_CREATE_HANDLE has OTF2_UNDEFINED_UINT32 as its root.
constexpr u32 kUnrooted = ~u32{0};

bool names_request(const Action& action) {
    return action.kind == Action::Kind::complete_send ||
           action.kind == Action::Kind::complete_receive;
}

/// True for collective actions of a communicator or window.
bool is_of_members(const Action& action) {
    return action.kind == Action::Kind::collective ||
           action.kind == Action::Kind::post_collective || action.kind == Action::Kind::record;
}

/// True for calls that make objects for a part from call `from`, or free objects it does not need.
bool prepares(const MpiCall& call, u64 from) {
    const bool frees = call.family == CallFamily::comm_free ||
                       call.function == MpiFunction::Win_free ||
                       call.function == MpiFunction::File_close;
    if (frees) return call.index < from;
    return call.family == CallFamily::comm_create || call.family == CallFamily::window ||
           call.function == MpiFunction::File_open;
}

/// True for the end of a file transfer with a request.
bool completes_transfer(const MpiCall& call, const Action& action) {
    return call.family == CallFamily::completion && action.type == EventType::IoOperationComplete;
}

/// True if the next entry of a rising list is this call; then advances.
bool is_next(const std::vector<u64>& list, std::size_t& next, u64 index) {
    if (next == list.size() || list[next] != index) return false;
    ++next;
    return true;
}

}  // namespace

const ReplayPatch* find_patch(const std::vector<ReplayPatch>& patches, u32 location) {
    const auto found = std::ranges::find(patches, location, &ReplayPatch::location);
    return found == patches.end() ? nullptr : &*found;
}

std::string pack_patches(const std::vector<ReplayPatch>& patches) { return to_bytes(patches); }

std::vector<ReplayPatch> unpack_patches(std::string_view bytes) {
    return from_bytes<std::vector<ReplayPatch>>(bytes, "the inferences of a trace");
}

void PatchCursor::apply(MpiCall& call, std::vector<Action>& actions) {
    const ReplayPatch& all = *patch_;
    const u64 index = call.index;
    collectives_.apply(actions);
    if (creation_ < all.creations.size() && all.creations[creation_].index == index) {
        create(call, actions);
    }
    if (free_ < all.frees.size() && all.frees[free_].index == index) free(call, actions);
    while (rename_ < all.renames.size() && all.renames[rename_].index == index) rename(actions);
    while (receive_ < all.receives.size() && all.receives[receive_].index == index) {
        receive(call, actions);
    }
    while (unposted_ < all.unposted.size() && all.unposted[unposted_].index == index) {
        const std::size_t action = all.unposted[unposted_++].action;
        if (action < actions.size()) actions[action].kind = Action::Kind::receive;
    }
    resize(index, actions);
    leave_out(call, actions);
    call.unreceived = is_next(all.unreceived, unreceived_, index);
    if (all.has_window()) cut(call, actions);
}

bool PatchCursor::has_more() const {
    const ReplayPatch& all = *patch_;
    return creation_ < all.creations.size() || free_ < all.frees.size() ||
           rename_ < all.renames.size() || receive_ < all.receives.size() ||
           size_ < all.sizes.size() || unposted_ < all.unposted.size() ||
           left_out_ < all.left_out.size() || unreceived_ < all.unreceived.size() ||
           !all.collectives.empty() || all.has_window();
}

/// Adds the actions of a record of the call.
void PatchCursor::create(MpiCall& call, std::vector<Action>& actions) {
    const ReplayPatch::Creation& entry = patch_->creations[creation_++];
    call.patch_effect = MpiCall::PatchEffect::inferred;
    actions.clear();
    if (entry.made != kNone) {
        Action& made = actions.emplace_back();
        made.kind = Action::Kind::create_comm;
        made.type = EventType::CommCreate;
        made.part.comm = entry.made;
    }
    Action& meeting = actions.emplace_back();
    meeting.kind = Action::Kind::collective;
    meeting.type = EventType::MpiCollectiveEnd;
    meeting.part = {entry.parent, CollectiveKind::create_handle, kUnrooted, 0, 0};
}

/// Members do not synchronise: the freed communicator is less certain than a created one.
void PatchCursor::free(MpiCall& call, std::vector<Action>& actions) {
    call.patch_effect = MpiCall::PatchEffect::inferred;
    actions.clear();
    Action& action = actions.emplace_back();
    action.kind = Action::Kind::destroy_comm;
    action.type = EventType::CommDestroy;
    action.part.comm = patch_->frees[free_++].comm;
}

void PatchCursor::resize(u64 index, std::vector<Action>& actions) {
    const std::vector<ReplayPatch::Size>& list = patch_->sizes;
    for (; size_ < list.size() && list[size_].index == index; ++size_) {
        const ReplayPatch::Size& entry = list[size_];
        if (entry.action < actions.size()) actions[entry.action].envelope.bytes = entry.bytes;
    }
}

/// Messages without a partner can be left out of a call one by one; a collective is the whole call.
void PatchCursor::leave_out(MpiCall& call, std::vector<Action>& actions) {
    const std::vector<ReplayPatch::Part>& list = patch_->left_out;
    const std::size_t first = left_out_;
    while (left_out_ < list.size() && list[left_out_].index == call.index) ++left_out_;
    bool whole = false;
    for (std::size_t i = left_out_; i > first; --i) {
        const std::size_t action = list[i - 1].action;
        if (action >= actions.size()) continue;
        whole = whole || is_of_members(actions[action]);
        actions.erase(actions.begin() + static_cast<std::ptrdiff_t>(action));
    }
    if (first == left_out_) return;
    call.dropped = true;
    call.inferred = {};
    if (whole || actions.empty()) call.patch_effect = MpiCall::PatchEffect::left_out;
}

/// Sets the call's side of the window, and removes completions of requests that were not posted.
void PatchCursor::cut(MpiCall& call, std::vector<Action>& actions) {
    const ReplayPatch& all = *patch_;
    if (call.patch_effect == MpiCall::PatchEffect::left_out) {
        if (!all.window.has(call.index)) call.patch_effect = MpiCall::PatchEffect::outside;
        return;
    }
    if (call.index < all.prepared && prepares(call, all.window.from)) {
        call.patch_effect = MpiCall::PatchEffect::prepared;
        for (const Action& action : actions) {
            if (action.kind == Action::Kind::post_collective) posted_.insert(action.request);
        }
    } else if (all.window.has(call.index)) {
        keep_posted(call, actions);
    } else {
        call.patch_effect = MpiCall::PatchEffect::outside;
        keep_early(call, actions);
    }
}

/// Keeps receives that complete in or after the window, and communicators complete by then.
void PatchCursor::keep_early(MpiCall& call, std::vector<Action>& actions) {
    const std::vector<ReplayPatch::Part>& list = patch_->early;
    std::vector<Action> kept;
    for (; early_ < list.size() && list[early_].index == call.index; ++early_) {
        if (list[early_].action >= actions.size()) continue;
        kept.push_back(actions[list[early_].action]);
        posted_.insert(kept.back().request);
    }
    const bool completes = call.family == CallFamily::completion && !posted_.empty();
    for (std::size_t i = 0; completes && i < actions.size(); ++i) {
        if (actions[i].kind != Action::Kind::complete_collective) continue;
        if (posted_.erase(actions[i].request) == 0) continue;
        if (i > 0 && actions[i - 1].kind == Action::Kind::create_comm) {
            kept.push_back(actions[i - 1]);
        }
        kept.push_back(actions[i]);
    }
    if (kept.empty()) return;
    call.patch_effect = MpiCall::PatchEffect::prepared;
    actions = std::move(kept);
}

void PatchCursor::keep_posted(MpiCall& call, std::vector<Action>& actions) {
    const std::size_t before = actions.size();
    std::erase_if(actions, [this, &call](const Action& action) {
        switch (action.kind) {
            case Action::Kind::complete_send:
            case Action::Kind::complete_receive:
            case Action::Kind::complete_collective:
            case Action::Kind::cancelled:
                return posted_.erase(action.request) == 0;
            case Action::Kind::probe:
                if (action.message != kNoMessage) taken_.insert(action.message);
                return false;
            case Action::Kind::receive:
            case Action::Kind::post_receive:
                return action.message != kNoMessage && taken_.erase(action.message) == 0;
            case Action::Kind::record:
                return completes_transfer(call, action) && posted_.erase(action.fields[2]) == 0;
            default:
                return false;
        }
    });
    for (const Action& action : actions) {
        if (action.type == EventType::IoOperationBegin) posted_.insert(action.fields[4]);
        if (action.type == EventType::IoOperationComplete) posted_.erase(action.fields[2]);
        if (action.posts_request() && action.request != kNoRequest) posted_.insert(action.request);
    }
    if (before != 0 && actions.empty()) call.patch_effect = MpiCall::PatchEffect::left_out;
}

/// Renames are in the order of the actions: the first match applies.
void PatchCursor::rename(std::vector<Action>& actions) {
    const ReplayPatch::Rename& entry = patch_->renames[rename_++];
    const auto found = std::find_if(actions.begin(), actions.end(), [&entry](const Action& action) {
        return names_request(action) && action.request == entry.from;
    });
    if (found != actions.end()) found->request = entry.to;
}

void PatchCursor::receive(MpiCall& call, std::vector<Action>& actions) {
    const ReplayPatch::Receive& entry = patch_->receives[receive_++];
    const bool known = entry.envelope.comm != kNone;
    call.patch_effect = known ? MpiCall::PatchEffect::inferred : MpiCall::PatchEffect::left_out;
    call.inferred = entry.envelope;
    for (Action& action : actions) {
        if (action.kind != Action::Kind::post_receive || action.known) continue;
        if (entry.request != kNoRequest && entry.request != action.request) continue;
        action.known = known;
        action.envelope = entry.envelope;
        return;
    }
}

}  // namespace tracefold
