// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/participants_codec.hpp"

namespace tracefold {

void put_participants(ByteWriter& out, const ParticipantList& list) {
    out.put_varint(list.runs().size());
    u32 last = 0;
    for (const ParticipantList::Run& run : list.runs()) {
        out.put_varint(run.start - last);
        out.put_varint(run.stride);
        out.put_varint(run.count);
        last = run.last();
    }
}

ParticipantList get_participants(ByteReader& in) {
    ParticipantList list;
    u32 last = 0;
    const u64 runs = in.get_count(3);
    for (u64 i = 0; i < runs; ++i) {
        const u64 start = u64{last} + in.get_u32();
        const u64 stride = in.get_u32();
        const u32 count = in.get_u32();
        if (count != 0 && start + stride * (count - 1) >= kNone) {
            in.fail("a participant has no number");
        }
        for (u64 member = start; member < start + stride * count; member += stride) {
            last = static_cast<u32>(member);
            list.add(last);
        }
    }
    return list;
}

}  // namespace tracefold
