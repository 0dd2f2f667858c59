// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/field_walk.hpp"

#include <array>

#include <otf2/otf2.h>

namespace tracefold::otf2 {
namespace {

/// The type of a region in OTF2 1.0: what follows from role, paradigm and flags, or 0 (unknown).
u8 region_type(u64 role, u64 paradigm, u64 flags) {
    using Types = std::array<u8, 23>;
    // By role.
    constexpr Types kOpenmp{0,  0,  19, 6,  0,  5,  7,  8,  9,  10, 18, 11,
                            12, 17, 13, 14, 15, 16, 34, 35, 20, 33, 21};
    // By flags: dynamic, phase.
    constexpr std::array<u8, 4> kFunction{3, 31, 3, 31};
    constexpr std::array<u8, 4> kLoop{2, 30, 0, 32};
    constexpr std::array<u8, 4> kCode{1, 28, 27, 29};
    constexpr u8 kPlainFunction = 1;
    constexpr u8 kFile = 4;
    constexpr u8 kMpiBarrier = 22;
    const u64 kind = flags & (OTF2_REGION_FLAG_DYNAMIC | OTF2_REGION_FLAG_PHASE);
    switch (paradigm) {
        case OTF2_PARADIGM_UNKNOWN:
        case OTF2_PARADIGM_COMPILER:
            return role == OTF2_REGION_ROLE_FUNCTION ? kPlainFunction : u8{0};
        case OTF2_PARADIGM_USER:
            if (role == OTF2_REGION_ROLE_FUNCTION) return kFunction[kind];
            if (role == OTF2_REGION_ROLE_LOOP) return kLoop[kind];
            if (role == OTF2_REGION_ROLE_CODE) return kCode[kind];
            return role == OTF2_REGION_ROLE_FILE_IO ? kFile : u8{0};
        case OTF2_PARADIGM_OPENMP:
            return role < kOpenmp.size() ? kOpenmp[role] : u8{0};
        case OTF2_PARADIGM_MPI: {
            if (role == OTF2_REGION_ROLE_BARRIER) return kMpiBarrier;
            const bool collective =
                role >= OTF2_REGION_ROLE_COLL_ONE2ALL && role <= OTF2_REGION_ROLE_COLL_OTHER;
            return collective ? static_cast<u8>(role) : u8{0};  // the same numbers
        }
        default:
            return 0;
    }
}

/// The type of a group in OTF2 1.1, or 0 (unknown).
u8 group_type(u64 type, u64 paradigm, u64 flags) {
    if (flags != OTF2_GROUP_FLAG_NONE) return 0;
    // By type.
    constexpr std::array<u8, 7> kAny{0, 1, 2, 3, 0, 0, 0};
    constexpr std::array<u8, 7> kMpi{0, 0, 0, 0, 6, 4, 5};
    if (type >= kAny.size()) return 0;
    if (paradigm == OTF2_PARADIGM_UNKNOWN) return kAny[type];
    return paradigm == OTF2_PARADIGM_MPI ? kMpi[type] : u8{0};
}

}  // namespace

std::span<const u8> order_in_file(Stream stream, u8 type, std::span<const u64> values) {
    static constexpr std::array<u8, 10> kAsListed{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    static constexpr std::array<u8, 4> kAttribute{0, 1, 3, 2};
    static constexpr std::array<u8, 11> kRegion{0, 1, 3, kObsoleteField, 7, 8, 9, 2, 4, 5, 6};
    static constexpr std::array<u8, 8> kGroup{0, 1, kObsoleteField, 5, 6, 2, 3, 4};
    static constexpr std::array<u8, 5> kProperty{0, 1, kObsoleteField, 2, 3};
    static constexpr std::array<u8, 5> kSparseTable{0, 2, 1, 3, 4};
    static constexpr std::array<u8, 4> kDenseTable{0, 2, 1, 4};
    static_assert(kAsListed.size() == RecordInfo::kMaxFields);
    const auto as_listed = std::span(kAsListed).first(record_info(stream, type).field_count);
    if (stream == Stream::events) return as_listed;
    switch (static_cast<DefinitionType>(type)) {
        case DefinitionType::Attribute:
            return kAttribute;
        case DefinitionType::Region:
            return kRegion;
        case DefinitionType::Group:
            return kGroup;
        case DefinitionType::SystemTreeNodeProperty:
        case DefinitionType::LocationGroupProperty:
        case DefinitionType::LocationProperty:
            return kProperty;
        case DefinitionType::MappingTable:
            if (values[1] == OTF2_ID_MAP_DENSE) return kDenseTable;
            return kSparseTable;
        default:
            return as_listed;
    }
}

ObsoleteValue obsolete_value(u8 type, std::span<const u64> values) {
    if (type == static_cast<u8>(DefinitionType::Region)) {
        return {Width::byte, region_type(values[4], values[5], values[6])};
    }
    if (type == static_cast<u8>(DefinitionType::Group)) {
        return {Width::byte, group_type(values[2], values[3], values[4])};
    }
    // A property was a string.
    const bool string = values[2] == OTF2_TYPE_STRING;
    return {Width::packed32, string ? values[3] & kBitsOf[sizeof(u32)] : kBitsOf[sizeof(u32)]};
}

const char* problem_of_ids(bool sparse, std::span<const u64> local_ids) {
    for (std::size_t i = 0; i < local_ids.size(); ++i) {
        const bool in_order =
            sparse ? i == 0 || local_ids[i] > local_ids[i - 1] : local_ids[i] == i;
        if (!in_order) return "local ids in a wrong order";
    }
    return nullptr;
}

}  // namespace tracefold::otf2
