// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/transfer_recipe.hpp"

#include "model/event_table.hpp"
#include "mpi_calls/completion_kinds.hpp"

#include <optional>

namespace tracefold {

namespace {

using Kind = Transfer::Kind;

bool matters(FieldKind kind) {
    switch (kind) {
        case FieldKind::peer:
        case FieldKind::comm:
        case FieldKind::rma_win:
        case FieldKind::bytes:
        case FieldKind::op:
        case FieldKind::root:
            return true;
        default:
            return false;
    }
}

/// The fields of one element, immediate or late. Nothing if it is no transfer.
std::optional<TransferRecipe> recipe_of(const Element& element, bool late) {
    TransferRecipe recipe;
    recipe.type = element.type;
    recipe.raw = element.raw;
    recipe.late = late;
    if (late) recipe.type = static_cast<u8>(posting_kind(element.type)->completion);
    // Completions of known requests stand in no element of their own; the others are raw.
    if (recipe.type == kCompletions) return std::nullopt;
    const std::optional<Kind> kind = transfer_kind(recipe.type);
    if (!kind) return std::nullopt;
    recipe.kind = *kind;
    recipe.slots.fill(kNone);
    return recipe;
}

}  // namespace

std::optional<Kind> transfer_kind(u8 type) {
    switch (static_cast<EventType>(type)) {
        case EventType::MpiSend:
        case EventType::MpiIsend:
            return Kind::send;
        case EventType::MpiRecv:
        case EventType::MpiIrecv:
        case EventType::MpiMrecv:
        case EventType::MpiImrecv:
            return Kind::receive;
        case EventType::MpiCollectiveEnd:
        case EventType::NonBlockingCollectiveComplete:
            return Kind::collective;
        case EventType::RmaPut:
            return Kind::put;
        case EventType::RmaGet:
            return Kind::get;
        case EventType::RmaAtomic:
            return Kind::atomic;
        default:
            return std::nullopt;
    }
}

std::vector<TransferRecipe> transfer_recipes(const Structure& structure, u32 symbol,
                                             const std::vector<Slot>& slots) {
    const std::vector<Element>& elements = structure.symbols[symbol].elements;
    std::vector<TransferRecipe> recipes;
    std::optional<TransferRecipe> open;
    const auto close = [&] {
        if (open) recipes.push_back(*open);
        open.reset();
    };
    for (u32 number = 0; number < slots.size(); ++number) {
        const Slot& slot = slots[number];
        if (slot.field == Slot::kAttributeField) continue;
        if (!open || open->element != slot.element || open->late != slot.late) {
            close();
            open = recipe_of(elements[slot.element], slot.late);
            if (!open) continue;
            open->element = slot.element;
        }
        if (matters(slot.kind)) open->slots[open->field_count] = number;
        if (slot.kind == FieldKind::peer) open->peers = structure.slots[symbol][number].peers;
        ++open->field_count;
    }
    close();
    return recipes;
}

}  // namespace tracefold
