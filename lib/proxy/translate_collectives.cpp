// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/call_translator.hpp"

#include <algorithm>

namespace tracefold {

namespace {

const Action* find_part(const MpiCall& call) {
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::collective) return &action;
        if (action.kind == Action::Kind::post_collective && action.known) return &action;
    }
    return nullptr;
}

}  // namespace

void CallTranslator::collective(const MpiCall& call) {
    const Action* const action = find_part(call);
    if (action == nullptr || !is_supported(*action)) return leave_out(call);
    if (is_vector_collective(action->part.kind)) {
        vector_collective(call.function, action->part);
    } else {
        uniform_collective(call.function, action->part);
    }
    if (action->kind == Action::Kind::post_collective) outstanding_.push_back(action->request);
}

void CallTranslator::uniform_collective(MpiFunction function, const CollectivePart& part) {
    const auto size = static_cast<u32>(communicators_.view(part.comm).members.size());
    const CollectiveScope scope{communicators_.rank_in(part.comm), size, size, false};
    const UniformArguments arguments = uniform_arguments(part, scope);
    const ProxyFunction known = proxy_function(function);
    for (const char letter : proxy_function_info(known).arguments) {
        if (letter == 'b') numbers_.push_back(arguments.receive);
        if (letter == 'r') numbers_.push_back(part.root);
        if (letter == 'i') numbers_.push_back(arguments.in_place ? 1 : 0);
    }
    numbers_.push_back(*communicators_.find(part.comm));
    emit(known);
}

void CallTranslator::vector_collective(MpiFunction function, const CollectivePart& part) {
    const CommunicatorView& view = communicators_.view(part.comm);
    const auto size = static_cast<u32>(view.members.size());
    const CollectiveScope scope{communicators_.rank_in(part.comm), size, size, false};
    const auto kind = part.kind;
    const bool rooted = kind == CollectiveKind::gatherv || kind == CollectiveKind::scatterv;
    std::span<const Contribution> group;
    if (rooted && part.root != scope.rank) {
        sizes_.skip(part.comm);
    } else {
        group = sizes_.next(part.comm, view.members);
    }
    vector_arguments(part, scope, group, group, vector_arguments_);
    if (rooted) {
        numbers_.push_back(vector_arguments_.own);
        add_list(kind == CollectiveKind::gatherv ? vector_arguments_.receive
                                                 : vector_arguments_.send);
        numbers_.push_back(part.root);
    } else if (kind == CollectiveKind::alltoallv || kind == CollectiveKind::alltoallw) {
        add_list(vector_arguments_.send);
        add_list(vector_arguments_.receive);
    } else {
        add_list(vector_arguments_.receive);
        numbers_.push_back(vector_arguments_.in_place ? 1 : 0);
    }
    numbers_.push_back(*communicators_.find(part.comm));
    emit(function);
}

void CallTranslator::add_members(const CommunicatorView* view) {
    if (view == nullptr) return add_list({});
    add_list({view->members.begin(), view->members.end()});
}

void CallTranslator::create(const MpiCall& call) {
    const auto creation = communicators_.read(call);
    if (!creation) return leave_out(call);
    const u32 parent = *communicators_.find(creation->parent);
    const CommunicatorView* const made = creation->made;
    switch (call.function) {
        case MpiFunction::Comm_dup:
        case MpiFunction::Comm_dup_with_info:
            if (made == nullptr) return leave_out(call);
            numbers_ = {parent, communicators_.add(made->id)};
            return emit(call.function);
        case MpiFunction::Comm_create:
            numbers_ = {parent, made == nullptr ? ~u64{0} : communicators_.add(made->id)};
            add_members(made);
            return emit(call.function);
        case MpiFunction::Comm_create_group:
        case MpiFunction::Comm_create_from_group:
            numbers_ = {parent, communicators_.add(made->id), communicators_.colour_of(*made)};
            add_members(made);
            return emit(ProxyFunction::Comm_create_group);
        case MpiFunction::Cart_create:
            if (creation->shape != nullptr) return create_cart(*creation, parent);
            return split(ProxyFunction::Cart_as_split, *creation, parent);
        default:
            return split(proxy_function(call.function), *creation, parent);
    }
}

void CallTranslator::create_cart(const ProxyCreation& creation, u32 parent) {
    const CartShape& shape = *creation.shape->cart;
    const CommunicatorView* const made = creation.made;
    numbers_ = {parent, made == nullptr ? ~u64{0} : communicators_.add(made->id)};
    add_list({shape.sizes.begin(), shape.sizes.end()});
    add_list({shape.periodic.begin(), shape.periodic.end()});
    emit(ProxyFunction::Cart_create);
}

/// Processes that are not in any new communicator have no colour.
void CallTranslator::split(ProxyFunction function, const ProxyCreation& creation, u32 parent) {
    const CommunicatorView* const made = creation.made;
    if (made == nullptr) {
        numbers_ = {parent, ~u64{0}, ~u64{0}, 0};
    } else {
        numbers_ = {parent, communicators_.add(made->id), communicators_.colour_of(*made)};
        numbers_.push_back(communicators_.rank_in(made->id));
    }
    emit(function);
}

void CallTranslator::destroy(const MpiCall& call) {
    bool any = false;
    for (const Action& action : call.actions) {
        if (action.kind != Action::Kind::destroy_comm) continue;
        const auto number = communicators_.find(action.part.comm);
        if (!number || *number <= 1) continue;
        any = true;
        communicators_.remove(action.part.comm);
        numbers_ = {*number};
        emit(call.function);
    }
    if (!any) leave_out(call);
}

}  // namespace tracefold
