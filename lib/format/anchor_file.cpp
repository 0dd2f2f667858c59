// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/anchor_file.hpp"

#include "io/bytes.hpp"

namespace tracefold {

namespace {

// A buffer of anchor kind, little endian, the format's name, and what comes before the version.
constexpr std::string_view kStart(
    "\x03"
    "BOTF2\0\x03\x02",
    9);
// The record of the snapshots has no more fields, and the buffer ends.
constexpr std::string_view kEnd("\x02\x01\0", 3);

void put_text(ByteWriter& out, std::string_view text) {
    out.put_bytes(text);
    out.put_u8(0);
}

}  // namespace

std::string expected_anchor(const ArchiveInfo& info) {
    ByteWriter out;
    out.put_bytes(kStart);
    for (const u8 part : info.version) out.put_u8(part);
    out.put_u64le(info.event_chunk_size);
    out.put_u64le(info.definition_chunk_size);
    out.put_u8(info.substrate);
    out.put_u8(info.compression);
    out.put_u64le(info.location_count);
    out.put_u64le(info.global_definition_count);
    put_text(out, info.machine_name);
    put_text(out, info.creator);
    put_text(out, info.description);
    out.put_u32le(static_cast<u32>(info.properties.size()));
    for (const auto& [key, value] : info.properties) {
        put_text(out, key);
        put_text(out, value);
    }
    out.put_u64le(info.trace_id);
    out.put_u32le(info.snapshot_count);
    out.put_u32le(info.thumbnail_count);
    out.put_bytes(kEnd);
    return out.take();
}

}  // namespace tracefold
