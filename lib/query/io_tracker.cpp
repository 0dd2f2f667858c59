// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "query/io_tracker.hpp"

#include "model/event_table.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

std::string_view io_mode_name(IoMode mode) {
    constexpr std::array<std::string_view, kIoModes> kNames = {"read", "write", "flush"};
    return kNames[static_cast<std::size_t>(mode)];
}

bool is_io_operation(u8 event_type) {
    const auto type = static_cast<EventType>(event_type);
    return type == EventType::IoOperationBegin || type == EventType::IoOperationComplete ||
           type == EventType::IoOperationCancelled;
}

bool completes_io(u8 event_type) {
    return event_type == static_cast<u8>(EventType::IoOperationComplete);
}

std::optional<IoOperation> IoTracker::follow(const RecordBatch::Head& head,
                                             std::span<const u64> values,
                                             const MappingTables& tables, u32 mark) {
    const auto handle = [&] { return tables.global(FieldKind::io_handle, values[0]); };
    switch (static_cast<EventType>(head.type)) {
        case EventType::IoOperationBegin:
            if (values[1] >= kIoModes) return std::nullopt;
            return begin({handle(), values[4], static_cast<IoMode>(values[1]), values[2], values[3],
                          0, head.time, head.time, mark});
        case EventType::IoOperationCancelled:
            if (!ends_foreign() && take(handle(), values[1])) ++cancelled_;
            return std::nullopt;
        case EventType::IoOperationComplete: {
            if (ends_foreign()) return std::nullopt;
            std::optional<IoOperation> operation = take(handle(), values[2]);
            if (!operation) {
                ++unmatched_;
                return std::nullopt;
            }
            operation->bytes = values[1];
            operation->end = std::max(head.time, operation->begin);
            return operation;
        }
        default:
            return std::nullopt;
    }
}

std::optional<IoOperation> IoTracker::begin(IoOperation operation) {
    const u64 number = begun_++;
    const bool crosses = crossing_ != nullptr && next_begun_ < crossing_->begun.size() &&
                         crossing_->begun[next_begun_].begin == number;
    if (!crosses) {
        open_.push_back(operation);
        return std::nullopt;
    }
    const IoCrossings::End& end = crossing_->begun[next_begun_++];
    if (end.cancelled) {
        ++cancelled_;
        return std::nullopt;
    }
    operation.bytes = end.bytes;
    operation.end = std::max(end.time, operation.begin);
    return operation;
}

/// True if the record at hand ends an operation of another location.
bool IoTracker::ends_foreign() {
    const u64 number = ended_++;
    const bool foreign = crossing_ != nullptr && next_ended_ < crossing_->ended.size() &&
                         crossing_->ended[next_ended_] == number;
    if (foreign) ++next_ended_;
    return foreign;
}

/// Numbers are used again: the last one begun is meant.
std::optional<IoOperation> IoTracker::take(u64 handle, u64 number) {
    for (std::size_t i = open_.size(); i-- > 0;) {
        if (open_[i].handle != handle || open_[i].number != number) continue;
        const IoOperation found = open_[i];
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
        return found;
    }
    return std::nullopt;
}

}  // namespace tracefold
