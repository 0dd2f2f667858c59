// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_fields.hpp"

// clang-format off
/// Every definition record of global and local definition files (all of OTF2 3.0): X(name,
/// fields...). See event_table.hpp. Clock properties, paradigms, paradigm properties and I/O
/// paradigms are global only.
#define TRACEFOLD_DEFINITIONS(X)                                                                 \
    X(ClockProperties,                                                                           \
       one("timer_resolution", K::value), one("global_offset", K::value),                        \
       one("trace_length", K::value), one("realtime_timestamp", K::value))                       \
    X(Paradigm,                                                                                  \
       one("paradigm", K::paradigm), one("name", K::string),                                     \
       one("paradigm_class", K::enumeration))                                                    \
    X(ParadigmProperty,                                                                          \
       one("paradigm", K::paradigm), one("property", K::enumeration), one("type", K::type),      \
       one("value", K::value, W::typed))                                                         \
    X(IoParadigm,                                                                                \
       one("self", K::io_paradigm), one("identification", K::string), one("name", K::string),    \
       one("io_paradigm_class", K::enumeration),                                                 \
       one("io_paradigm_flags", K::enumeration, W::packed32),                                    \
       one("number_of_properties", K::count), many("properties", K::enumeration),                \
       many("types", K::type), many("values", K::value, W::typed))                               \
    X(String, one("self", K::string), one("string", K::text))                                    \
    X(Attribute,                                                                                 \
       one("self", K::attribute), one("name", K::string), one("description", K::string),         \
       one("type", K::type))                                                                     \
    X(SystemTreeNode,                                                                            \
       one("self", K::system_tree_node), one("name", K::string), one("class_name", K::string),   \
       one("parent", K::system_tree_node))                                                       \
    X(LocationGroup,                                                                             \
       one("self", K::location_group), one("name", K::string),                                   \
       one("location_group_type", K::enumeration),                                               \
       one("system_tree_parent", K::system_tree_node),                                           \
       one("creating_location_group", K::location_group))                                        \
    X(Location,                                                                                  \
       one("self", K::location), one("name", K::string), one("location_type", K::enumeration),   \
       one("number_of_events", K::value), one("location_group", K::location_group))              \
    X(Region,                                                                                    \
       one("self", K::region), one("name", K::string), one("canonical_name", K::string),         \
       one("description", K::string), one("region_role", K::enumeration),                        \
       one("paradigm", K::paradigm), one("region_flags", K::enumeration, W::packed32),           \
       one("source_file", K::string), one("begin_line_number", K::value, W::packed32),           \
       one("end_line_number", K::value, W::packed32))                                            \
    X(Callsite,                                                                                  \
       one("self", K::callsite), one("source_file", K::string),                                  \
       one("line_number", K::value, W::packed32), one("entered_region", K::region),              \
       one("left_region", K::region))                                                            \
    X(Callpath, one("self", K::callpath), one("parent", K::callpath), one("region", K::region))  \
    X(Group,                                                                                     \
       one("self", K::group), one("name", K::string), one("group_type", K::enumeration),         \
       one("paradigm", K::paradigm), one("group_flags", K::enumeration, W::packed32),            \
       one("number_of_members", K::count, W::packed32), many("members", K::value))               \
    X(MetricMember,                                                                              \
       one("self", K::metric_member), one("name", K::string), one("description", K::string),     \
       one("metric_type", K::enumeration), one("metric_mode", K::enumeration),                   \
       one("value_type", K::type), one("base", K::enumeration),                                  \
       one("exponent", K::signed_value), one("unit", K::string))                                 \
    X(MetricClass,                                                                               \
       one("self", K::metric), one("number_of_metrics", K::count),                               \
       many("metric_members", K::metric_member), one("metric_occurrence", K::enumeration),       \
       one("recorder_kind", K::enumeration))                                                     \
    X(MetricInstance,                                                                            \
       one("self", K::metric), one("metric_class", K::metric), one("recorder", K::location),     \
       one("metric_scope", K::enumeration), one("scope", K::value))                              \
    X(Comm,                                                                                      \
       one("self", K::comm), one("name", K::string), one("group", K::group),                     \
       one("parent", K::comm), one("flags", K::enumeration, W::packed32))                        \
    X(Parameter,                                                                                 \
       one("self", K::parameter), one("name", K::string), one("parameter_type", K::enumeration)) \
    X(RmaWin,                                                                                    \
       one("self", K::rma_win), one("name", K::string), one("comm", K::comm),                    \
       one("flags", K::enumeration, W::packed32))                                                \
    X(MetricClassRecorder, one("metric", K::metric), one("recorder", K::location))               \
    X(SystemTreeNodeProperty,                                                                    \
       one("system_tree_node", K::system_tree_node), one("name", K::string),                     \
       one("type", K::type), one("value", K::value, W::typed))                                   \
    X(SystemTreeNodeDomain,                                                                      \
       one("system_tree_node", K::system_tree_node), one("system_tree_domain", K::enumeration))  \
    X(LocationGroupProperty,                                                                     \
       one("location_group", K::location_group), one("name", K::string), one("type", K::type),   \
       one("value", K::value, W::typed))                                                         \
    X(LocationProperty,                                                                          \
       one("location", K::location), one("name", K::string), one("type", K::type),               \
       one("value", K::value, W::typed))                                                         \
    X(CartDimension,                                                                             \
       one("self", K::cart_dimension), one("name", K::string),                                   \
       one("size", K::value, W::packed32), one("cart_periodicity", K::enumeration))              \
    X(CartTopology,                                                                              \
       one("self", K::cart_topology), one("name", K::string), one("communicator", K::comm),      \
       one("number_of_dimensions", K::count), many("cart_dimensions", K::cart_dimension))        \
    X(CartCoordinate,                                                                            \
       one("cart_topology", K::cart_topology), one("rank", K::value, W::packed32),               \
       one("number_of_dimensions", K::count), many("coordinates", K::value, W::packed32))        \
    X(SourceCodeLocation,                                                                        \
       one("self", K::source_code_location), one("file", K::string),                             \
       one("line_number", K::value, W::packed32))                                                \
    X(CallingContext,                                                                            \
       one("self", K::calling_context), one("region", K::region),                                \
       one("source_code_location", K::source_code_location), one("parent", K::calling_context))  \
    X(CallingContextProperty,                                                                    \
       one("calling_context", K::calling_context), one("name", K::string), one("type", K::type), \
       one("value", K::value, W::typed))                                                         \
    X(InterruptGenerator,                                                                        \
       one("self", K::interrupt_generator), one("name", K::string),                              \
       one("interrupt_generator_mode", K::enumeration), one("base", K::enumeration),             \
       one("exponent", K::signed_value), one("period", K::value))                                \
    X(IoFileProperty,                                                                            \
       one("io_file", K::io_file), one("name", K::string), one("type", K::type),                 \
       one("value", K::value, W::typed))                                                         \
    X(IoRegularFile,                                                                             \
       one("self", K::io_file), one("name", K::string), one("scope", K::system_tree_node))       \
    X(IoDirectory,                                                                               \
       one("self", K::io_file), one("name", K::string), one("scope", K::system_tree_node))       \
    X(IoHandle,                                                                                  \
       one("self", K::io_handle), one("name", K::string), one("file", K::io_file),               \
       one("io_paradigm", K::io_paradigm), one("io_handle_flags", K::enumeration, W::packed32),  \
       one("comm", K::comm), one("parent", K::io_handle))                                        \
    X(IoPreCreatedHandleState,                                                                   \
       one("io_handle", K::io_handle), one("mode", K::enumeration),                              \
       one("status_flags", K::enumeration, W::packed32))                                         \
    X(CallpathParameter,                                                                         \
       one("callpath", K::callpath), one("parameter", K::parameter), one("type", K::type),       \
       one("value", K::value, W::typed))                                                         \
    X(InterComm,                                                                                 \
       one("self", K::comm), one("name", K::string), one("group_a", K::group),                   \
       one("group_b", K::group), one("common_communicator", K::comm),                            \
       one("flags", K::enumeration, W::packed32))

/// Records of local definition files only.
#define TRACEFOLD_LOCAL_DEFINITIONS(X)                                                           \
    X(MappingTable,                                                                              \
       one("mapping_type", K::enumeration), one("mode", K::enumeration),                         \
       one("size", K::count, W::packed64), many("local_ids", K::value),                          \
       many("global_ids", K::value))                                                             \
    X(ClockOffset,                                                                               \
       one("time", K::ticks), one("offset", K::signed_value),                                    \
       one("standard_deviation", K::real))
// clang-format on

namespace tracefold {

enum class DefinitionType : u8 {
#define TRACEFOLD_ENUMERATOR(name, ...) name,
    TRACEFOLD_DEFINITIONS(TRACEFOLD_ENUMERATOR) TRACEFOLD_LOCAL_DEFINITIONS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

namespace detail {
using fields::many;
using fields::one;
using K = FieldKind;
using W = Width;
inline constexpr RecordInfo kDefinitions[] = {
#define TRACEFOLD_INFO(name, ...) RecordInfo(#name __VA_OPT__(, ) __VA_ARGS__),
    TRACEFOLD_DEFINITIONS(TRACEFOLD_INFO) TRACEFOLD_LOCAL_DEFINITIONS(TRACEFOLD_INFO)
#undef TRACEFOLD_INFO
};
}  // namespace detail

inline constexpr u8 kDefinitionTypes =
    sizeof(detail::kDefinitions) / sizeof(detail::kDefinitions[0]);

/// Name and fields of a definition type. Precondition: type < kDefinitionTypes.
constexpr const RecordInfo& definition_info(u8 type) { return detail::kDefinitions[type]; }
constexpr const RecordInfo& definition_info(DefinitionType type) {
    return definition_info(static_cast<u8>(type));
}

}  // namespace tracefold
