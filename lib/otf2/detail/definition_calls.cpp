// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/definition_table.hpp"
#include "otf2/detail/arguments.hpp"
#include "otf2/detail/calls.hpp"
#include "otf2/detail/handles.hpp"

#include <cstddef>
#include <new>

// Call sites are deprecated, but archives hold them.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tracefold::otf2 {
namespace {

template <class Writer>
using DefinitionCall = OTF2_ErrorCode (*)(Writer*, const RecordBatch&, const RecordBatch::Head&);

/// Deduces the arguments of a record from libotf2's function that writes it.
template <class Function>
struct DefinitionFunction;

template <class Writer, class... Arguments>
struct DefinitionFunction<OTF2_ErrorCode (*)(Writer*, Arguments...)> {
    template <auto kWrite, DefinitionType kType>
    static OTF2_ErrorCode call(Writer* writer, const RecordBatch& batch,
                               const RecordBatch::Head& head) {
        static_assert(sizeof...(Arguments) == definition_info(kType).field_count);
        return call_with_fields<Arguments...>(
            definition_info(kType), batch, head,
            [&](Arguments... arguments) { return kWrite(writer, arguments...); });
    }
};

/// For records that a kind of definition file cannot hold.
template <>
struct DefinitionFunction<const std::nullptr_t*> {
    template <std::nullptr_t, DefinitionType>
    static OTF2_ErrorCode call(OTF2_DefWriter*, const RecordBatch&, const RecordBatch::Head&) {
        return OTF2_ERROR_INVALID_RECORD;
    }
};

constexpr std::nullptr_t OTF2_DefWriter_WriteClockProperties = nullptr;
constexpr std::nullptr_t OTF2_DefWriter_WriteParadigm = nullptr;
constexpr std::nullptr_t OTF2_DefWriter_WriteParadigmProperty = nullptr;
constexpr std::nullptr_t OTF2_DefWriter_WriteIoParadigm = nullptr;

OTF2_ErrorCode write_mapping_table(OTF2_DefWriter* writer, const RecordBatch& batch,
                                   const RecordBatch::Head& head) {
    const RecordInfo& info = definition_info(DefinitionType::MappingTable);
    ValueCursor cursor(info, batch, head);
    const auto mapping_type =
        cursor.convert<OTF2_MappingType>(cursor.next(info.fields[0]), info.fields[0]);
    const auto mode = cursor.convert<OTF2_IdMapMode>(cursor.next(info.fields[1]), info.fields[1]);
    const u64 size = cursor.next(info.fields[2]);
    const std::span<const u64> local_ids = cursor.next_array(info.fields[3]);
    const std::span<const u64> global_ids = cursor.next_array(info.fields[4]);
    cursor.expect_end();

    // A sparse table grows by pairs: with an odd capacity libotf2 would write past its end.
    const IdMapHandle id_map(OTF2_IdMap_Create(mode, 2 * (size + 1)));
    if (!id_map) throw std::bad_alloc();
    for (u64 i = 0; i < size; ++i) {
        const OTF2_ErrorCode code = OTF2_IdMap_AddIdPair(id_map.get(), local_ids[i], global_ids[i]);
        if (code != OTF2_SUCCESS) return code;
    }
    return OTF2_DefWriter_WriteMappingTable(writer, mapping_type, id_map.get());
}

constexpr DefinitionCall<OTF2_GlobalDefWriter> kGlobalCalls[] = {
#define TRACEFOLD_CALL(name, ...)                                          \
    DefinitionFunction<decltype(&OTF2_GlobalDefWriter_Write##name)>::call< \
        OTF2_GlobalDefWriter_Write##name, DefinitionType::name>,
    TRACEFOLD_DEFINITIONS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
};

constexpr DefinitionCall<OTF2_DefWriter> kLocalCalls[] = {
#define TRACEFOLD_CALL(name, ...)                                                               \
    DefinitionFunction<decltype(&OTF2_DefWriter_Write##name)>::call<OTF2_DefWriter_Write##name, \
                                                                    DefinitionType::name>,
    TRACEFOLD_DEFINITIONS(TRACEFOLD_CALL)
#undef TRACEFOLD_CALL
        write_mapping_table,
    DefinitionFunction<decltype(&OTF2_DefWriter_WriteClockOffset)>::call<
        OTF2_DefWriter_WriteClockOffset, DefinitionType::ClockOffset>,
};
static_assert(std::size(kLocalCalls) == kDefinitionTypes);
static_assert(static_cast<u8>(DefinitionType::ClockOffset) == kDefinitionTypes - 1);

}  // namespace

OTF2_ErrorCode write_definition(OTF2_GlobalDefWriter* writer, const RecordBatch& batch,
                                const RecordBatch::Head& head) {
    if (head.type >= std::size(kGlobalCalls)) return OTF2_ERROR_UNKNOWN_TYPE;
    return kGlobalCalls[head.type](writer, batch, head);
}

OTF2_ErrorCode write_definition(OTF2_DefWriter* writer, const RecordBatch& batch,
                                const RecordBatch::Head& head) {
    if (head.type >= std::size(kLocalCalls)) return OTF2_ERROR_UNKNOWN_TYPE;
    return kLocalCalls[head.type](writer, batch, head);
}

}  // namespace tracefold::otf2
