// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/unknown_records.hpp"

#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/detail/record_scanner.hpp"
#include "otf2/library.hpp"

#include <map>

#include <fmt/core.h>

namespace tracefold::otf2 {
namespace {

/// In OTF2's files, records of the two local types and the four global ones have the numbers from 5
/// on, those of both kinds of files the numbers from 10 on.
constexpr u8 kFirstOwn = 5;
constexpr u8 kFirstCommon = 10;
constexpr u8 kGlobalOnly = static_cast<u8>(DefinitionType::String);
constexpr u8 kLocalOnly = 2;
constexpr u8 kCommon = static_cast<u8>(DefinitionType::MappingTable) - kGlobalOnly;

bool is_known(Stream stream, u8 number) {
    const auto among = [number](u8 first, u8 count) {
        return number >= first && number < first + count;
    };
    if (stream == Stream::events) return among(kFirstEventNumber, known_event_types());
    const u8 own = stream == Stream::global_definitions ? kGlobalOnly : kLocalOnly;
    return among(kFirstOwn, own) || among(kFirstCommon, kCommon);
}

/// " (MpiProbe)", or nothing for records that nobody here knows.
std::string name_of(Stream stream, u8 number) {
    const bool listed = stream == Stream::events && number >= kFirstEventNumber &&
                        number < kFirstEventNumber + kEventTypes;
    if (!listed) return "";
    return " (" + std::string(event_info(static_cast<u8>(number - kFirstEventNumber)).name) + ")";
}

std::map<u8, u64> count_unknown(const std::string& path, Stream stream, u64 chunk_size,
                                const std::string& what) {
    const RawFileKind kind =
        stream == Stream::events ? RawFileKind::events : RawFileKind::definitions;
    RecordScanner scanner(path, kind, chunk_size, what);
    std::map<u8, u64> counts;
    for (RawElement element; scanner.next(element);) {
        if (element.kind == ElementKind::record && !is_known(stream, element.type)) {
            ++counts[element.type];
        }
    }
    return counts;
}

}  // namespace

std::string describe_unknown_records(const std::string& path, Stream stream, u64 chunk_size,
                                     const std::string& what) {
    std::string text;
    bool all_listed = true;
    for (const auto& [number, count] : count_unknown(path, stream, chunk_size, what)) {
        const std::string name = name_of(stream, number);
        all_listed = all_listed && !name.empty();
        text += fmt::format("{}{}{}{}{}", text.empty() ? "" : ", ", count,
                            count == 1 ? " record of type " : " records of type ", number, name);
    }
    const std::string remedy =
        all_listed ? "install libotf2 3.2 or later" : "install a newer libotf2 and tracefold";
    return text + ", which libotf2 here does not know; " + remedy;
}

}  // namespace tracefold::otf2
