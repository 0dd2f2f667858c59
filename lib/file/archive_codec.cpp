// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/archive_codec.hpp"

#include "base/bytes.hpp"
#include "file/clock_granularity.hpp"

namespace tracefold {

namespace {

constexpr u8 kExpectedAnchor = 0;
constexpr u8 kOtherAnchor = 1;
constexpr u8 kLongerAnchor = 2;  ///< the expected anchor, followed by more bytes
/// Flag besides an exact timing level: the bytes of files may differ from the archive's.
constexpr u8 kOtherBytes = 4;

/// term := 2 * length bytes | 2 * entry + 1
void put_term(ByteWriter& out, std::string_view text, const Dictionary& dictionary) {
    const u32 entry = dictionary.find(text);
    if (entry != kNone) {
        out.put_varint(2 * u64{entry} + 1);
        return;
    }
    out.put_varint(2 * u64{text.size()});
    out.put_bytes(text);
}

std::string get_term(ByteReader& in, const Dictionary& dictionary) {
    const u64 code = in.get_varint();
    if (code % 2 == 0) return std::string(in.get_bytes(code / 2));
    const auto entries = dictionary.entries();
    if (code / 2 >= entries.size()) in.fail("a text is none of the dictionary's");
    return std::string(entries[code / 2].text);
}

void put_anchor(ByteWriter& out, const ArchiveInfo& info) {
    const std::string expected = expected_anchor(info);
    if (info.anchor_bytes == expected) {
        out.put_u8(kExpectedAnchor);
    } else if (info.anchor_bytes.starts_with(expected)) {
        out.put_u8(kLongerAnchor);
        out.put_text(std::string_view(info.anchor_bytes).substr(expected.size()));
    } else {
        out.put_u8(kOtherAnchor);
        out.put_text(info.anchor_bytes);
    }
}

void get_anchor(ByteReader& in, ArchiveInfo& info) {
    const u8 form = in.get_u8();
    if (form > kLongerAnchor) in.fail("the anchor has an unknown form");
    if (form != kOtherAnchor) info.anchor_bytes = expected_anchor(info);
    if (form != kExpectedAnchor) info.anchor_bytes += in.get_text();
}

/// loss := file damage location records expected bytes
void put_losses(ByteWriter& out, const std::vector<FileLoss>& losses) {
    out.put_varint(losses.size());
    for (const FileLoss& loss : losses) {
        out.put_u8(static_cast<u8>(loss.file));
        out.put_u8(static_cast<u8>(loss.damage));
        out.put_varint(loss.location);
        out.put_varint(loss.records);
        out.put_varint(loss.expected);
        out.put_varint(loss.bytes);
    }
}

std::vector<FileLoss> get_losses(ByteReader& in) {
    constexpr u64 kSmallest = 6;
    std::vector<FileLoss> losses(in.get_count(kSmallest));
    for (FileLoss& loss : losses) {
        const u8 file = in.get_u8();
        const u8 damage = in.get_u8();
        if (file > static_cast<u8>(ArchiveFileKind::events) ||
            damage > static_cast<u8>(FileDamage::undefined)) {
            in.fail("a damaged file is of an unknown kind");
        }
        loss.file = static_cast<ArchiveFileKind>(file);
        loss.damage = static_cast<FileDamage>(damage);
        loss.location = in.get_varint();
        loss.records = in.get_varint();
        loss.expected = in.get_varint();
        loss.bytes = in.get_varint();
    }
    return losses;
}

void put_summary(ByteWriter& out, const TraceSummary& summary, const Dictionary& dictionary) {
    put_term(out, summary.producer, dictionary);
    const bool other_bytes = summary.timing == TimingLevel::exact && !summary.exact_bytes;
    out.put_u8(static_cast<u8>(static_cast<u8>(summary.timing) | (other_bytes ? kOtherBytes : 0)));
    out.put_varint(summary.dropped_unknown_records);
    out.put_varint(summary.dropped_clock_offsets);
    out.put_varint(summary.archive_bytes);
    if (summary.timing == TimingLevel::quantized) out.put_varint(summary.time_error_ppm);
    if (!summary.losses.empty()) put_losses(out, summary.losses);  // must be last
}

TraceSummary get_summary(ByteReader& in, const Dictionary& dictionary) {
    TraceSummary summary;
    summary.producer = get_term(in, dictionary);
    const u8 flags = in.get_u8();
    constexpr u8 kExact = static_cast<u8>(TimingLevel::exact);
    const u8 timing = flags == (kExact | kOtherBytes) ? kExact : flags;
    if (timing > static_cast<u8>(TimingLevel::quantized)) in.fail("the timing level is unknown");
    summary.timing = static_cast<TimingLevel>(timing);
    summary.exact_bytes = summary.timing == TimingLevel::exact && flags == timing;
    summary.dropped_unknown_records = in.get_varint();
    summary.dropped_clock_offsets = in.get_varint();
    summary.archive_bytes = in.get_varint();
    if (summary.timing == TimingLevel::quantized) {
        const u64 error = in.get_varint();
        if (error < DeltaPrecision::kMinError || error > DeltaPrecision::kMaxError) {
            in.fail("the error of the times is out of bounds");
        }
        summary.time_error_ppm = static_cast<u32>(error);
    }
    if (in.remaining() != 0) summary.losses = get_losses(in);
    return summary;
}

}  // namespace

std::string encode_archive(const ArchiveHead& head, const Dictionary& dictionary) {
    const ArchiveInfo& info = head.archive;
    ByteWriter out;
    put_term(out, info.name, dictionary);
    for (const u8 part : info.version) out.put_u8(part);
    out.put_u8(info.substrate);
    out.put_u8(info.compression);
    out.put_varint(info.event_chunk_size);
    out.put_varint(info.definition_chunk_size);
    put_term(out, info.machine_name, dictionary);
    put_term(out, info.creator, dictionary);
    put_term(out, info.description, dictionary);
    out.put_varint(info.properties.size());
    for (const auto& [key, value] : info.properties) {
        put_term(out, key, dictionary);
        put_term(out, value, dictionary);
    }
    out.put_u64le(info.trace_id);
    out.put_varint(info.global_definition_count);
    out.put_varint(info.location_count);
    out.put_varint(info.snapshot_count);
    out.put_varint(info.thumbnail_count);
    put_anchor(out, info);
    put_summary(out, head.summary, dictionary);
    return out.take();
}

ArchiveHead decode_archive(std::string_view bytes, const std::string& name,
                           const Dictionary& dictionary) {
    ByteReader in(bytes, name);
    ArchiveInfo info;
    info.name = get_term(in, dictionary);
    if (!is_safe_path(info.name) || info.name.find('/') != std::string::npos) {
        in.fail("the archive's name is not a file name");
    }
    for (u8& part : info.version) part = in.get_u8();
    info.substrate = in.get_u8();
    info.compression = in.get_u8();
    info.event_chunk_size = in.get_varint();
    info.definition_chunk_size = in.get_varint();
    info.machine_name = get_term(in, dictionary);
    info.creator = get_term(in, dictionary);
    info.description = get_term(in, dictionary);
    const u64 properties = in.get_count(2);
    for (u64 i = 0; i < properties; ++i) {
        std::string key = get_term(in, dictionary);
        info.properties.emplace_back(std::move(key), get_term(in, dictionary));
    }
    info.trace_id = in.get_u64le();
    info.global_definition_count = in.get_varint();
    info.location_count = in.get_varint();
    info.snapshot_count = in.get_u32();
    info.thumbnail_count = in.get_u32();
    get_anchor(in, info);
    // Later minor versions may append fields to the summary.
    return {std::move(info), get_summary(in, dictionary)};
}

std::string encode_file(const CarriedFile& file) {
    ByteWriter out;
    out.put_text(file.path);
    out.put_bytes(file.content);
    return out.take();
}

CarriedFile decode_file(std::string_view bytes, const std::string& name) {
    ByteReader in(bytes, name);
    CarriedFile file;
    file.path = in.get_text();
    if (!is_safe_path(file.path)) in.fail("a carried file would lie outside its folder");
    file.content = std::string(in.get_bytes(in.remaining()));
    return file;
}

bool is_safe_path(std::string_view path) {
    if (path.empty() || path.front() == '/' || path.find('\0') != std::string_view::npos) {
        return false;
    }
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        if (part.empty() || part == "." || part == "..") return false;
        path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
    }
    return true;
}

}  // namespace tracefold
