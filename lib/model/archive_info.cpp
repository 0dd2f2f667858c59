// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/archive_info.hpp"

#include "base/bytes.hpp"

#include <array>
#include <string_view>

#include <fmt/core.h>

namespace tracefold {

namespace {

std::string records_text(const FileLoss& loss) {
    std::string text = std::to_string(loss.records);
    if (loss.expected > loss.records) text += " of " + std::to_string(loss.expected);
    text += loss.records == 1 && loss.expected <= 1 ? " record kept" : " records kept";
    if (loss.bytes != 0) text += fmt::format(", {} unusable bytes left out", loss.bytes);
    return text;
}

std::string missing_text(const FileLoss& loss) {
    switch (loss.file) {
        case ArchiveFileKind::anchor:
            return "missing; inferred from the other files";
        case ArchiveFileKind::local_definitions:
            return "missing; ids in its events are taken as global ones";
        default:
            if (loss.expected == 0) return "missing";
            return fmt::format("missing, with {} records", loss.expected);
    }
}

}  // namespace

bool is_of_location(const FileLoss& loss) {
    return loss.file == ArchiveFileKind::local_definitions || loss.file == ArchiveFileKind::events;
}

std::string_view file_kind_name(ArchiveFileKind kind) {
    constexpr std::array<std::string_view, 4> kNames = {"anchor", "global definitions",
                                                        "local definitions", "events"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view damage_name(FileDamage damage) {
    constexpr std::array<std::string_view, 3> kNames = {"cut", "missing", "undefined"};
    return kNames[static_cast<std::size_t>(damage)];
}

std::string lost_file_name(const FileLoss& loss) {
    const std::string name(file_kind_name(loss.file));
    return is_of_location(loss) ? fmt::format("{} of location {}", name, loss.location) : name;
}

std::string loss_text(const FileLoss& loss) {
    switch (loss.damage) {
        case FileDamage::missing:
            return missing_text(loss);
        case FileDamage::undefined:
            return "the definition of the location is lost; inferred without name and group";
        case FileDamage::cut:
            break;
    }
    if (loss.file == ArchiveFileKind::anchor) return "damaged; missing properties are inferred";
    return records_text(loss);
}

namespace {

// An anchor buffer, little endian, with the name of the format, up to the version.
constexpr std::string_view kStart(
    "\x03"
    "BOTF2\0\x03\x02",
    9);
// The record of snapshots has no more fields; end of the buffer.
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
