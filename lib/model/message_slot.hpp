// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"
#include "model/structure.hpp"
#include "model/symbol.hpp"

namespace tracefold {

/// Which side of a message a slot tells about.
enum class MessageSide : u8 { none, send, receive };

/// The side of the message whose peer, communicator, tag and size the element's slots tell; the
/// slot is one of them, or one of other fields. Raw elements tell of none.
constexpr MessageSide message_side(const Element& element, const Slot& slot) {
    if (element.raw || slot.field == Slot::kAttributeField) return MessageSide::none;
    switch (static_cast<EventType>(element.type)) {
        case EventType::MpiSend:
        case EventType::MpiIsend:
            return MessageSide::send;
        case EventType::MpiRecv:
            return MessageSide::receive;
        case EventType::MpiIrecvRequest:
            return slot.late ? MessageSide::receive : MessageSide::none;
        default:
            return MessageSide::none;
    }
}

/// Whether receives that are matched so have this field from the send.
constexpr bool is_matched(Matching matching, FieldKind kind) {
    return matching != Matching::none &&
           (kind == FieldKind::bytes || (kind == FieldKind::tag && matching == Matching::in_order));
}

}  // namespace tracefold
