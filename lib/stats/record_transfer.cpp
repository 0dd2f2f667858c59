// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/record_transfer.hpp"

#include "model/event_table.hpp"

#include <array>

namespace tracefold {

namespace {

RecordTransfer read_transfer(Transfer::Kind kind, u8 type, std::span<const u64> fields) {
    const RecordInfo& info = event_info(type);
    std::array<u64, 2> sizes{};
    std::size_t found = 0;
    for (std::size_t field = 0; field < info.field_count && found < sizes.size(); ++field) {
        if (info.fields[field].kind == FieldKind::bytes) sizes[found++] = fields[field];
    }
    if (!has_sent(kind)) return {kind, 0, sizes[0]};
    return {kind, sizes[0], sizes[1]};
}

}  // namespace

std::optional<RecordTransfer> transfer_of(const CallReader& stream, std::size_t record) {
    if (stream.element_of(record).type == kCompletions) return std::nullopt;
    const RecordBatch::Head& head = stream.records()[record];
    if (const auto kind = transfer_kind(head.type)) {
        return read_transfer(*kind, head.type, stream.records().values(head));
    }
    for (const CallReader::Posted& posted : stream.posted()) {
        if (posted.record != record || !posted.completes) continue;
        if (const auto kind = transfer_kind(posted.completion)) {
            return read_transfer(*kind, posted.completion, posted.fields);
        }
    }
    return std::nullopt;
}

}  // namespace tracefold
