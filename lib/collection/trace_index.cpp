// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "collection/trace_index.hpp"

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// The file: "TFINDEX" and the version in one byte; u64le XXH64 of the remainder; varint number of
// records. A record: text path; varints of the stamp; u8 flags (1: deep, 2: has a signature);
// per field a u8 (FieldValue's alternative) and a text, varint or u64le (double); both sets of the
// signature as a varint number and u32le, u8 each. Fields, features or meanings that change need a
// new version.
constexpr std::string_view kIndexMagic = "TFINDEX";
constexpr u8 kIndexVersion = 1;
constexpr u64 kMostIndexBytes = u64{1} << 30U;
constexpr u64 kDeepFlag = 1;
constexpr u64 kSignatureFlag = 2;
/// Of a record with an empty name and unknown values.
constexpr u64 kFewestRecordBytes = 6 + std::size(kTraceFields);

void put_value(const FieldValue& value, ByteWriter& out) {
    out.put_u8(static_cast<u8>(value.index()));
    if (const auto* const text = std::get_if<std::string>(&value)) out.put_text(*text);
    if (const auto* const whole = std::get_if<u64>(&value)) out.put_varint(*whole);
    if (const auto* const real = std::get_if<double>(&value)) {
        out.put_u64le(std::bit_cast<u64>(*real));
    }
}

/// A value of another type than the field's would be taken for damage later.
FieldValue get_value(const TraceFieldInfo& field, ByteReader& in) {
    const u8 type = in.get_u8();
    if (type == 0) return {};
    if (type != 1 + static_cast<u8>(field.type)) in.fail("a field has another type");
    switch (field.type) {
        case TableColumn::Type::text:
            return std::string(in.get_text());
        case TableColumn::Type::whole:
            return in.get_varint();
        default:
            break;
    }
    const auto real = std::bit_cast<double>(in.get_u64le());
    if (!std::isfinite(real)) in.fail("a number is not finite");
    return real;
}

using Features = std::vector<StructureSignature::Feature>;

void put_features(const Features& features, ByteWriter& out) {
    out.put_varint(features.size());
    for (const StructureSignature::Feature& feature : features) {
        out.put_u32le(feature.hash);
        out.put_u8(feature.weight);
    }
}

Features get_features(ByteReader& in) {
    constexpr u64 kFeatureBytes = 5;
    Features features(in.get_count(kFeatureBytes));
    for (StructureSignature::Feature& feature : features) {
        feature.hash = in.get_u32le();
        feature.weight = in.get_u8();
    }
    if (!std::ranges::is_sorted(features)) in.fail("the features are not sorted");
    return features;
}

TraceRecord get_record(ByteReader& in) {
    TraceRecord record;
    FileStamp& stamp = record.stamp;
    for (u64* const part : {&stamp.size, &stamp.modified, &stamp.changed, &stamp.inode}) {
        *part = in.get_varint();
    }
    const u8 flags = in.get_u8();
    record.is_deep = (flags & kDeepFlag) != 0;
    for (std::size_t i = 0; i < record.values.size(); ++i) {
        record.values[i] = get_value(kTraceFields[i], in);
    }
    if ((flags & kSignatureFlag) == 0) return record;
    record.signature.emplace();
    record.signature->communication = get_features(in);
    record.signature->loops = get_features(in);
    return record;
}

}  // namespace

std::string encode_trace_index(const TraceIndex& index) {
    std::vector<const TraceIndex::value_type*> settled;
    for (const auto& entry : index) {
        if (entry.second.is_settled) settled.push_back(&entry);
    }
    std::ranges::sort(settled, {},
                      [](const auto* entry) { return std::string_view(entry->first); });
    ByteWriter out;
    out.put_varint(settled.size());
    for (const auto* const entry : settled) {
        const TraceRecord& record = entry->second;
        out.put_text(entry->first);
        const FileStamp& stamp = record.stamp;
        for (const u64 part : {stamp.size, stamp.modified, stamp.changed, stamp.inode}) {
            out.put_varint(part);
        }
        out.put_u8(static_cast<u8>((record.is_deep ? kDeepFlag : 0) |
                                   (record.signature ? kSignatureFlag : 0)));
        for (const FieldValue& value : record.values) put_value(value, out);
        if (!record.signature) continue;
        put_features(record.signature->communication, out);
        put_features(record.signature->loops, out);
    }
    ByteWriter head;
    head.put_bytes(kIndexMagic);
    head.put_u8(kIndexVersion);
    head.put_u64le(checksum(out.bytes()));
    head.put_bytes(out.bytes());
    return head.take();
}

TraceIndex decode_trace_index(std::string_view bytes, const std::string& name) {
    ByteReader in(bytes, name);
    if (in.get_bytes(kIndexMagic.size()) != kIndexMagic) in.fail("it is no index");
    if (in.get_u8() != kIndexVersion) {
        throw Error(ErrorKind::unsupported, "{} is of another version", name);
    }
    const u64 expected = in.get_u64le();
    if (checksum(bytes.substr(in.position())) != expected) in.fail("its checksum is wrong");
    TraceIndex index;
    const u64 count = in.get_count(kFewestRecordBytes);
    index.reserve(count);
    for (u64 left = count; left > 0; --left) {
        std::string path(in.get_text());
        index.insert_or_assign(std::move(path), get_record(in));
    }
    in.expect_end();
    return index;
}

TraceIndex load_trace_index(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / kTraceIndexName;
    try {
        const std::string bytes = read_small_file(path, kMostIndexBytes);
        return decode_trace_index(bytes, path.string());
    } catch (const Error&) {
        return {};
    }
}

std::string store_trace_index(const std::filesystem::path& folder, TraceIndex& index) {
    for (auto& [path, record] : load_trace_index(folder)) {
        const auto own = index.find(path);
        const bool knows_more = own != index.end() && record.is_deep && !own->second.is_deep &&
                                record.stamp == own->second.stamp;
        if (knows_more) own->second = std::move(record);
    }
    try {
        AtomicFile file(folder / kTraceIndexName, true);
        file.write(encode_trace_index(index));
        file.commit();
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace tracefold
