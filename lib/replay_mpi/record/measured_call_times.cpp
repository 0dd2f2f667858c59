// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/record/measured_call_times.hpp"

namespace tracefold {

std::string MeasuredCallTimes::encoded() const {
    ByteWriter out;
    out.put_varint(end_);
    out.put_varint(calls_.size());
    u64 last = 0;
    for (const Call& call : calls_) {
        out.put_varint(call.begin - last);
        out.put_varint(call.end - call.begin);
        last = call.end;
    }
    return out.take();
}

MeasuredCallTimes MeasuredCallTimes::decoded(std::string_view bytes) {
    ByteReader in(bytes, "the times of another process");
    MeasuredCallTimes times;
    times.end_ = in.get_varint();
    u64 last = 0;
    for (u64 left = in.get_count(2); left > 0; --left) {
        const u64 begin = last + in.get_varint();
        last = begin + in.get_varint();
        times.add(begin, last);
    }
    return times;
}

}  // namespace tracefold
