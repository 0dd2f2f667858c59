// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// A ticks section. The first byte says whether it is the section itself, or what stands in one
// block behind a head that fits; it also chooses the groups.
#include "file/format/timing_codec.hpp"
#include "fuzz/target.hpp"

namespace {

using namespace tracefold;

constexpr u32 kTicks = 100000;

/// granularity, records, then symbols and bits in equal shares.
std::string make_block(std::string_view bytes) {
    ByteWriter out;
    out.put_varint(take_byte(bytes) + 1U);
    out.put_varint(take_byte(bytes) * 128U + 1);
    out.put_varint(0);
    out.put_varint(0);
    for (const std::string_view part :
         {bytes.substr(0, bytes.size() / 2), bytes.substr(bytes.size() / 2)}) {
        out.put_varint(part.size());
        out.put_bytes(part);
    }
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
