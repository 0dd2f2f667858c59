// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Indexes of folders, whose checksum is made right, and conditions. The first byte says which.
#include "base/hash.hpp"
#include "collection/trace_index.hpp"
#include "collection/trace_list.hpp"
#include "fuzz/target.hpp"

#include <utility>
#include <vector>

namespace {

using namespace tracefold;

void read_index(std::string_view records) {
    ByteWriter bytes;
    bytes.put_bytes(std::string_view(encode_trace_index({})).substr(0, 8));
    bytes.put_u64le(checksum(records));
    bytes.put_bytes(records);
    const TraceIndex index = decode_trace_index(bytes.bytes(), "the input");
    const std::string coded = encode_trace_index(index);
    require(encode_trace_index(decode_trace_index(coded, "the copy")) == coded,
            "an index does not survive coding");
    std::vector<TraceRecord> traces;
    TraceQuery query;
    for (const auto& [path, record] : index) {
        traces.push_back(record);
        if (record.signature) query.like = record.signature;
    }
    query.where = TraceCondition("not (ranks>1 and distance<=0.5)");
    query.sort = TraceField::duration;
    select_traces(traces, query);
}

void decode(std::string_view bytes) {
    const bool is_condition = take_byte(bytes) % 2 != 0;
    if (!is_condition) return read_index(bytes);
    const TraceCondition condition(bytes);
    require(condition.holds({}) != TraceCondition("not (" + std::string(bytes) + ")").holds({}),
            "a condition and its negation are alike");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, decode, {ErrorKind::usage});
}
