// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/definition_names.hpp"

#include "model/definition_table.hpp"
#include "model/dictionary.hpp"
#include "model/mpi_function.hpp"
#include "model/numbered_name.hpp"
#include "model/record_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <span>
#include <string>

namespace tracefold {

namespace {

/// Chains are short: metric, members, strings. A longer one is circular.
constexpr int kMaxDepth = 4;

/// The fields that name a definition without a string of its own.
constexpr bool names_by_reference(DefinitionType type, FieldKind kind) {
    switch (type) {
        case DefinitionType::CallingContext:
            return kind == FieldKind::region;
        case DefinitionType::IoHandle:
            return kind == FieldKind::io_file;
        case DefinitionType::MetricClass:
            return kind == FieldKind::metric_member;
        case DefinitionType::MetricInstance:
            return kind == FieldKind::metric;
        case DefinitionType::SourceCodeLocation:
            return kind == FieldKind::string;
        default:
            return false;
    }
}

}  // namespace

void DefinitionNames::add(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) add_record(batch, head);
}

void DefinitionNames::add_record(const RecordBatch& batch, const RecordBatch::Head& head) {
    const auto type = static_cast<DefinitionType>(head.type);
    const RecordInfo& info = definition_info(type);
    if (type == DefinitionType::String || info.field_count < 2) return;
    if (info.fields[0].name != "self" && type != DefinitionType::Paradigm) return;
    const auto values = batch.values(head);
    std::vector<Reference> names;
    u64 repeat = 0;
    std::size_t position = 1;
    for (u8 i = 1; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        const bool named = field.name == "name" && field.kind == FieldKind::string;
        for (u64 k = field.array ? repeat : 1; k > 0; --k) {
            const u64 value = values[position++];
            if (field.kind == FieldKind::count) repeat = value;
            if (named || names_by_reference(type, field.kind)) names.push_back({field.kind, value});
        }
    }
    if (!names.empty()) {
        definitions_[static_cast<u8>(info.fields[0].kind)][values[0]] = std::move(names);
    }
}

std::string DefinitionNames::name(FieldKind kind, u64 id) const { return name_at(kind, id, 0); }

std::string DefinitionNames::name_at(FieldKind kind, u64 id, int depth) const {
    if (kind == FieldKind::string) return strings_.string(id);
    const auto definitions = definitions_.find(static_cast<u8>(kind));
    if (depth == kMaxDepth || definitions == definitions_.end()) return {};
    const auto found = definitions->second.find(id);
    if (found == definitions->second.end()) return {};
    std::string text;
    for (const Reference& reference : found->second) {
        // A handle has a name or a file; a metric lists all its members.
        if (!text.empty() && kind != FieldKind::metric) break;
        const std::string part = name_at(reference.kind, reference.id, depth + 1);
        if (!text.empty() && !part.empty()) text += ",";
        text += part;
    }
    return text;
}

std::string DefinitionNames::label(FieldKind kind, u64 id) const {
    std::string text = name(kind, id);
    return text.empty() ? std::string("#").append(std::to_string(id)) : text;
}

namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kLockTypes[] = {"exclusive", "shared"};
constexpr std::string_view kSyncTypes[] = {"memory", "notify_in", "notify_out"};
constexpr std::string_view kSyncLevels[] = {"process", "memory"};
constexpr std::string_view kAtomicTypes[] = {
    "accumulate", "increment",     "test_and_set",        "compare_and_swap",
    "swap",       "fetch_and_add", "fetch_and_increment", "fetch_and_accumulate"};
constexpr std::string_view kMeasurementModes[] = {"", "on", "off"};
constexpr std::string_view kAccessModes[] = {"read_only", "write_only", "read_write",
                                             "execute_only", "search_only"};
constexpr std::string_view kOperationModes[] = {"read", "write", "flush"};
constexpr std::string_view kOperationFlags[] = {"non_blocking", "collective"};
constexpr std::string_view kCreationFlags[] = {
    "create",    "truncate", "directory",      "exclusive", "no_controlling_terminal",
    "no_follow", "path",     "temporary_file", "largefile", "no_seek",
    "unique"};
constexpr std::string_view kStatusFlags[] = {"close_on_exec", "append",         "non_blocking",
                                             "async",         "sync",           "data_sync",
                                             "avoid_caching", "no_access_time", "delete_on_close"};
constexpr std::string_view kWhence[] = {"from_start", "from_current", "from_end", "data", "hole"};
constexpr std::string_view kLocationTypes[] = {"unknown", "cpu_thread", "accelerator_stream",
                                               "metric"};
constexpr std::string_view kLocationGroupTypes[] = {"unknown", "process", "accelerator"};

/// Value names, or bit names where `flags`, and the event field that uses them.
struct Entry {
    std::string_view field;
    Names names;
    bool flags = false;
};

constexpr Entry kEnumerations[] = {
    {"collective_op", kCollectiveNames},
    {"lock_type", kLockTypes},
    {"sync_type", kSyncTypes},
    {"sync_level", kSyncLevels, true},
    {"type", kAtomicTypes},
    {"measurement_mode", kMeasurementModes},
    {"mode", kAccessModes},
    {"mode", kOperationModes},
    {"operation_flags", kOperationFlags, true},
    {"creation_flags", kCreationFlags, true},
    {"status_flags", kStatusFlags, true},
    {"whence", kWhence},
    {"", kLocationTypes},
    {"", kLocationGroupTypes},
    {"", {}},
};
static_assert(std::size(kEnumerations) == static_cast<std::size_t>(Enumeration::unknown) + 1);

std::string flag_names(Names names, u64 value) {
    if (value == 0) return "none";
    std::string text;
    for (std::size_t bit = 0; bit < names.size(); ++bit) {
        if ((value >> bit & 1U) == 0) continue;
        value &= ~(u64{1} << bit);
        text.append(text.empty() ? "" : "+").append(names[bit]);
    }
    if (value != 0) text.append(text.empty() ? "" : "+").append(std::to_string(value));
    return text;
}

std::string real_text(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

}  // namespace

Enumeration enumeration_of(std::string_view record, std::string_view field) {
    if (field == "mode" && record != "IoCreateHandle") return Enumeration::operation_mode;
    const auto* const found = std::ranges::find(kEnumerations, field, &Entry::field);
    if (found == std::end(kEnumerations)) return Enumeration::unknown;
    return static_cast<Enumeration>(found - kEnumerations);
}

std::string enumerator_name(Enumeration enumeration, u64 value) {
    const Entry& entry = kEnumerations[static_cast<std::size_t>(enumeration)];
    if (entry.flags) return flag_names(entry.names, value);
    const bool named = value < entry.names.size() && !entry.names[value].empty();
    return named ? std::string(entry.names[value]) : std::to_string(value);
}

std::string_view special_rank_name(u64 rank) {
    switch (rank) {
        case 0xFFFFFFFFU:
            return "none";
        case 0xFFFFFFFEU:
            return "self";
        case 0xFFFFFFFDU:
            return "this_group";
        default:
            return {};
    }
}

std::string typed_value_text(u8 type, u64 bits) {
    const auto value_type = static_cast<ValueType>(type);
    switch (value_type) {
        case ValueType::unsigned8:
            return std::to_string(static_cast<u8>(bits));
        case ValueType::unsigned16:
            return std::to_string(static_cast<u16>(bits));
        case ValueType::unsigned32:
            return std::to_string(static_cast<u32>(bits));
        case ValueType::signed8:
            return std::to_string(static_cast<std::int8_t>(bits));
        case ValueType::signed16:
            return std::to_string(static_cast<std::int16_t>(bits));
        case ValueType::signed32:
            return std::to_string(static_cast<std::int32_t>(bits));
        case ValueType::signed64:
            return std::to_string(static_cast<i64>(bits));
        case ValueType::real32:
        case ValueType::real64:
            return real_text(real_value(value_type, bits));
        default:
            return std::to_string(bits);
    }
}

namespace {

std::set<std::string> numbered_shapes() {
    std::set<std::string> shapes;
    for (const Dictionary::Entry& entry : Dictionary::built_in().entries()) {
        if (entry.numbered) shapes.insert(split_name(entry.text).shape);
    }
    return shapes;
}

bool is_known(std::string_view name) {
    return name.empty() || Dictionary::built_in().find(name) != kNone;
}

bool is_counter(std::string_view name) {
    constexpr std::string_view kPrefix = "PAPI_";
    return name.starts_with(kPrefix) && std::ranges::all_of(name, [](char c) {
               return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
           });
}

}  // namespace

bool is_vocabulary(std::string_view name) {
    static const std::set<std::string> shapes = numbered_shapes();
    if (is_known(name) || is_counter(name)) return true;
    // Accepts bare names only: a source location reveals more than the function.
    const std::string mpi = bare_mpi_function_name(name);
    if (!mpi.empty() && is_known(mpi)) return true;
    const NumberedName parts = split_name(name);
    return !parts.numbers.empty() && shapes.contains(parts.shape);
}

}  // namespace tracefold
