// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <array>
#include <bit>
#include <string_view>

namespace tracefold {

/// The meaning of a record field. It decides how a value is mapped between local and global ids,
/// encoded before folding, and printed.
enum class FieldKind : u8 {
    value,         ///< an unsigned number
    signed_value,  ///< a 64-bit two's complement number
    real,          ///< the bits of a double
    enumeration,   ///< an enumerator or a set of flags
    ticks,         ///< a clock value
    type,          ///< an OTF2_Type
    tag,
    bytes,
    count,         ///< length of the array fields that follow
    text,          ///< characters in RecordBatch::text; the value is their number
    peer,          ///< a rank in the record's communicator or window
    root,          ///< a rank in the record's communicator, or one of OTF2's root constants
    op,            ///< a collective operation
    request_new,   ///< a request id that begins its lifetime
    request_done,  ///< a request id that ends its lifetime
    request_used,  ///< a request id within its lifetime
    matching_id,   ///< matches the begin and the end of an RMA or I/O operation
    // References. The first ones have mapping tables, in the order of OTF2_MappingType.
    string,
    attribute,
    location,
    region,
    group,
    metric,
    comm,
    parameter,
    rma_win,
    source_code_location,
    calling_context,
    interrupt_generator,
    io_file,
    io_handle,
    location_group,
    // References used only in definitions.
    system_tree_node,
    metric_member,
    callpath,
    callsite,
    cart_dimension,
    cart_topology,
    io_paradigm,
    paradigm,
    // Ids of messages that MPI_Mprobe or MPI_Improbe matched.
    message_new,  ///< a message id that begins its lifetime; UNDEFINED for MPI_Probe and MPI_Iprobe
    message_used,  ///< the message id that a matched receive consumes
};

inline constexpr int kMappingKinds = 15;

/// True for the kinds that a location's mapping tables translate.
constexpr bool is_mapped(FieldKind kind) {
    return kind >= FieldKind::string && kind <= FieldKind::location_group;
}

/// Returns the OTF2_MappingType of a mapped kind. Precondition: is_mapped(kind).
constexpr int mapping_type(FieldKind kind) {
    return static_cast<int>(kind) - static_cast<int>(FieldKind::string);
}

/// The form of a field in OTF2's files. Packed numbers have a size and that many low bytes.
enum class Width : u8 {
    byte,
    packed32,         ///< all bits set: a size of 0xFF alone
    packed64,         ///< all bits set: a size of 0xFF alone
    packed_signed64,  ///< two's complement, without that short form
    plain64,          ///< eight bytes
    typed,            ///< as the nearest preceding `type` field says
    text,             ///< characters and a zero
};

/// The width of most fields of a kind.
constexpr Width usual_width(FieldKind kind) {
    switch (kind) {
        case FieldKind::value:
        case FieldKind::bytes:
        case FieldKind::location:
        case FieldKind::request_new:
        case FieldKind::request_done:
        case FieldKind::request_used:
        case FieldKind::matching_id:
        case FieldKind::message_new:
        case FieldKind::message_used:
            return Width::packed64;
        case FieldKind::enumeration:
        case FieldKind::type:
        case FieldKind::count:
        case FieldKind::op:
        case FieldKind::paradigm:
        case FieldKind::io_paradigm:
            return Width::byte;
        case FieldKind::ticks:
        case FieldKind::real:
            return Width::plain64;
        case FieldKind::signed_value:
            return Width::packed_signed64;
        case FieldKind::text:
            return Width::text;
        default:
            return Width::packed32;
    }
}

struct Field {
    std::string_view name;
    FieldKind kind = FieldKind::value;
    Width width = Width::packed64;
    bool array = false;  ///< its length is in the nearest preceding `count` field
};

/// A record type of OTF2: its name and its fields in the order of libotf2's parameters.
struct RecordInfo {
    static constexpr std::size_t kMaxFields = 10;

    std::string_view name;  ///< as in OTF2_EvtWriter_<name> or OTF2_GlobalDefWriter_Write<name>
    u8 field_count = 0;
    std::array<Field, kMaxFields> fields{};

    template <class... Fields>
    constexpr explicit RecordInfo(std::string_view record, Fields... list)
        : name(record), field_count(sizeof...(Fields)), fields{list...} {}

    [[nodiscard]] constexpr bool has_arrays() const {
        for (u8 i = 0; i < field_count; ++i) {
            if (fields[i].array) return true;
        }
        return false;
    }
};

namespace fields {

constexpr Field one(std::string_view name, FieldKind kind, Width width) {
    return {name, kind, width, false};
}
constexpr Field one(std::string_view name, FieldKind kind) {
    return one(name, kind, usual_width(kind));
}
constexpr Field many(std::string_view name, FieldKind kind, Width width) {
    return {name, kind, width, true};
}
constexpr Field many(std::string_view name, FieldKind kind) {
    return many(name, kind, usual_width(kind));
}

}  // namespace fields

/// OTF2_Type of attribute and metric values. Narrow values are in the low bits of 64.
enum class ValueType : u8 {
    unsigned8 = 1,
    unsigned16,
    unsigned32,
    unsigned64,
    signed8,
    signed16,
    signed32,
    signed64,
    real32,
    real64,
};

constexpr bool is_signed(ValueType type) {
    return type >= ValueType::signed8 && type <= ValueType::signed64;
}
constexpr bool is_real(ValueType type) {
    return type == ValueType::real32 || type == ValueType::real64;
}

/// Precondition: is_real().
inline double real_value(ValueType type, u64 bits) {
    if (type == ValueType::real64) return std::bit_cast<double>(bits);
    return static_cast<double>(std::bit_cast<float>(static_cast<u32>(bits)));
}

}  // namespace tracefold
