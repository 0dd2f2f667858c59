// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// A ticks section. The first byte says whether it is the section itself, or what stands in the only
// block's compressed frame, which would be out of reach otherwise; it also chooses the groups.
#include "format/timing_codec.hpp"
#include "fuzz/target.hpp"
#include "io/zstd_frame.hpp"

namespace {

using namespace tracefold;

constexpr u32 kTicks = 100000;

/// granularity, records, content: a block of them whose low bits are all ones.
std::string make_block(std::string_view bytes) {
    ByteWriter out;
    out.put_varint(take_byte(bytes));
    const u64 records = take_byte(bytes);
    out.put_varint(records);
    const std::string frame = zstd_compress(bytes, 1);
    out.put_varint(frame.size());
    out.put_varint(bytes.size());
    out.put_bytes(frame);
    const std::string low_bits(8 * records, '\xFF');
    out.put_varint(low_bits.size());
    out.put_bytes(low_bits);
    return out.take();
}

void decode(std::string_view bytes) {
    const std::uint8_t control = take_byte(bytes);
    const std::string block = control % 2 == 0 ? std::string(bytes) : make_block(bytes);
    TimingDecoder decoder(block, "the input");
    const u32 groups = control / 2 + 1U;
    for (u32 i = 0; i < kTicks; ++i) decoder.next(i * i % groups);
    decoder.expect_end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, decode);
}
