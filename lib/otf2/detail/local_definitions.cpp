// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/local_definitions.hpp"

#include "model/definition_table.hpp"
#include "otf2/detail/raw_fields.hpp"

#include <bitset>
#include <span>

#include <otf2/otf2.h>

namespace tracefold::otf2 {
namespace {

// Numbers of the two types that only files of local definitions have.
constexpr u8 kMappingTableMark = 5;
constexpr u8 kClockOffsetMark = 6;

/// Takes records one by one; each function returns where the fields end, or null.
class LocalDefinitions {
  public:
    explicit LocalDefinitions(RecordBatch& batch) : batch_(batch) {}

    const u8* take_record(u8 mark, const Body& body) {
        if (body.end == nullptr) return nullptr;
        if (mark == kMappingTableMark) return take_mapping_table(body);
        return mark == kClockOffsetMark ? take_clock_offset(body) : nullptr;
    }

  private:
    /// type size mode (global_id* | (local_id global_id)*)
    const u8* take_mapping_table(const Body& body) {
        u64 size = 0;
        const u8 type = *body.begin;
        const u8* at = take<u64>(body.begin + 1, size);
        const bool plausible = at != nullptr && size != 0 && size <= u64(body.end - body.begin);
        if (!plausible || type >= OTF2_MAPPING_MAX || tables_.test(type)) return nullptr;
        tables_.set(type);
        const u8 mode = *at++;
        if (mode != OTF2_ID_MAP_DENSE && mode != OTF2_ID_MAP_SPARSE) return nullptr;
        constexpr u64 kBeforeIds = 3;
        u64* const values = batch_.add(static_cast<u8>(DefinitionType::MappingTable), 0,
                                       static_cast<u32>(kBeforeIds + 2 * size));
        values[0] = type;
        values[1] = mode;
        values[2] = size;
        const std::span ids(values + kBeforeIds, 2 * size);
        return take_ids(mode, ids.first(size), ids.last(size), at, body.end);
    }

    /// libotf2 sorts the ids of a sparse table; here they have to be sorted.
    static const u8* take_ids(u8 mode, std::span<u64> local_ids, std::span<u64> global_ids,
                              const u8* at, const u8* end) {
        for (std::size_t i = 0; i < local_ids.size(); ++i) {
            if (at >= end) return nullptr;
            local_ids[i] = i;
            if (mode == OTF2_ID_MAP_SPARSE) at = take<u64>(at, local_ids[i]);
            if (at == nullptr || (i != 0 && local_ids[i] <= local_ids[i - 1])) return nullptr;
            at = take<u64>(at, global_ids[i]);
            if (at == nullptr) return nullptr;
        }
        return at;
    }

    const u8* take_clock_offset(const Body& body) {
        u64* const values = batch_.add(static_cast<u8>(DefinitionType::ClockOffset), 0, 3);
        const u8* const at = take_fields<WholeNumber, i64, WholeNumber>(body.begin, values);
        if (has_clock_offset_ && values[0] <= last_time_) return nullptr;  // libotf2 refuses it
        has_clock_offset_ = true;
        last_time_ = values[0];
        return at;
    }

    RecordBatch& batch_;
    std::bitset<OTF2_MAPPING_MAX> tables_;  ///< types that there were
    u64 last_time_ = 0;
    bool has_clock_offset_ = false;
};

}  // namespace

bool decode_local_definitions(const u8* bytes, std::size_t size, std::size_t most,
                              RecordBatch& batch) {
    const auto header = parse_chunk_header({bytes, size});
    if (!header || !is_native(*header)) return false;
    const u8* const end = bytes + size;
    LocalDefinitions definitions(batch);
    for (const u8* at = bytes + ChunkHeader::kSize; at < end;) {
        if (*at == kEndOfFile) return true;
        if (batch.size() == most) return false;
        const Body body = body_at(at + 1, end);
        const u8* const after = definitions.take_record(*at, body);
        if (after == nullptr || after > body.end) return false;
        at = body.end;
    }
    return false;
}

}  // namespace tracefold::otf2
