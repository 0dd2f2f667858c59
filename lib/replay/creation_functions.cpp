// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/creation_functions.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// The same processes in the same order.
bool is_copy(const CommunicatorView& made, const CommunicatorView* parent) {
    if (parent == nullptr) return made.self_like;
    return made.inter == parent->inter && std::ranges::equal(made.members, parent->members) &&
           std::ranges::equal(made.remote, parent->remote);
}

bool is_whole_cart(const CommunicatorView& made) {
    return made.cart != nullptr && !made.cart->is_part;
}

bool is_part_of_cart(const CommunicatorView& made) {
    return made.cart != nullptr && made.cart->is_part;
}

}  // namespace

bool can_make(MpiFunction function, const CommunicatorView& made, const CommunicatorView* parent) {
    switch (function) {
        case MpiFunction::Comm_dup:
        case MpiFunction::Comm_dup_with_info:
        case MpiFunction::Comm_idup:
            return is_copy(made, parent);
        case MpiFunction::Cart_create:
            return !made.inter && !is_part_of_cart(made);
        case MpiFunction::Cart_sub:
            return !made.inter && !is_whole_cart(made);
        case MpiFunction::Intercomm_create:
            return made.inter;
        case MpiFunction::Intercomm_merge:
            return !made.inter && made.cart == nullptr && (parent == nullptr || parent->inter);
        default:
            return !made.inter && made.cart == nullptr;
    }
}

}  // namespace tracefold
