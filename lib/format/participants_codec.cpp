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
        u32 member = last + static_cast<u32>(in.get_varint());
        const u32 stride = static_cast<u32>(in.get_varint());
        for (u64 left = in.get_varint(); left > 0; --left, member += stride) {
            list.add(member);
            last = member;
        }
    }
    return list;
}

}  // namespace tracefold
