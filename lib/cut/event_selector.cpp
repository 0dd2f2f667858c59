// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cut/event_selector.hpp"

#include "mpi_calls/record_traits.hpp"

namespace tracefold {

const EventSelector::Region& EventSelector::region(const RecordBatch& batch,
                                                   const RecordBatch::Head& head) {
    const FieldKind kind = event_info(head.type).fields[0].kind;
    const u64 raw = batch.values(head)[0];
    auto& known = regions_[kind == FieldKind::calling_context ? 1 : 0];
    const auto [found, fresh] = known.try_emplace(raw);
    if (fresh) {
        const u64 id = definitions_.region_of(kind, tables_.global(kind, raw));
        const std::string& name = definitions_.region_name(id);
        found->second = {id, !request_.regions || request_.regions(name),
                         !request_.calls || request_.calls(name), definitions_.is_mpi_region(id),
                         is_mpi_function(definitions_, id)};
    }
    return found->second;
}

/// Finds out which region a Leave ends.
void EventSelector::pair(const RecordBatch& batch, const RecordBatch::Head& head) {
    const RecordRole role = record_traits(head.type).role;
    if (role == RecordRole::opens) {
        const Region& entered = region(batch, head);
        stacks_->enter(entered.id, entered.mpi_function, head.time);
    } else if (role == RecordRole::closes) {
        ended_ = stacks_->leave(region(batch, head).id);
    } else if (concerns_tasks(head.type)) {
        stacks_->follow(head.type, batch.values(head), tables_, head.time, &nesting_->arrivals);
    }
}

/// True if the names that are asked for let the event through.
bool EventSelector::follow_names(const RecordBatch& batch, const RecordBatch::Head& head) {
    if (!request_.has_names()) return true;
    const RecordRole role = record_traits(head.type).role;
    if (role == RecordRole::opens) {
        const Region& entered = region(batch, head);
        const bool inside = !frames_.overlaps() && !frames_.empty();
        const bool within = entered.chosen || (inside && frames_.back().within);
        frames_.enter({entered.id, within, entered.call}, entered.mpi_function);
    }
    const bool chosen = is_chosen();
    if (role != RecordRole::closes) return chosen;
    const std::span<const Frame> left = frames_.leave(ended(batch, head));
    return frames_.overlaps() && !left.empty() ? is_chosen(left.front()) : chosen;
}

/// What MPI functions record would hang in the air without their regions.
bool EventSelector::is_unwanted(const RecordBatch& batch, const RecordBatch::Head& head) {
    const RecordKind kind = record_kind(head.type);
    if (!request_.drops(kind)) return false;
    return kind != RecordKind::regions || !region(batch, head).mpi;
}

}  // namespace tracefold
