// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/record_batch.hpp"
#include "otf2/detail/values.hpp"

#include <exception>
#include <tuple>
#include <utility>

#include <otf2/otf2.h>

namespace tracefold::otf2 {

constexpr const RecordInfo& info_of(EventType type) { return event_info(type); }
constexpr const RecordInfo& info_of(DefinitionType type) { return definition_info(type); }

/// The `user data` of all reader callbacks: the batch that they fill.
struct Collector {
    RecordBatch batch;
    u64 unknown = 0;             ///< records of types that libotf2 does not know
    std::exception_ptr failure;  ///< thrown while filling the batch

    /// Bounds a batch of long records (the members of 4096 groups may be many).
    static constexpr std::size_t kMaxValues = std::size_t{1} << 20;

    [[nodiscard]] bool full() const {
        const RecordBatch::Head& last = batch[batch.size() - 1];
        return std::size_t{last.first_value} + last.value_count > kMaxValues ||
               last.first_text > kMaxValues;
    }

    /// Runs `fill`; no exception may pass through libotf2, so it is kept and reading is
    /// interrupted.
    template <class Fill>
    OTF2_CallbackCode guarded(Fill fill) noexcept {
        try {
            fill();
            return OTF2_CALLBACK_SUCCESS;
        } catch (...) {
            failure = std::current_exception();
            return OTF2_CALLBACK_INTERRUPT;
        }
    }
};

/// Index of the nearest field of `kind` before field `index`.
constexpr std::size_t field_before(const RecordInfo& info, std::size_t index, FieldKind kind) {
    while (index > 0 && info.fields[index - 1].kind != kind) --index;
    return index - 1;
}

/// True for types whose records all have as many values as fields.
constexpr bool has_fixed_size(const RecordInfo& info) {
    for (u8 i = 0; i < info.field_count; ++i) {
        if (info.fields[i].array || info.fields[i].kind == FieldKind::text) return false;
    }
    return true;
}

/// The value of a field that is neither an array nor a text.
template <auto kType, std::size_t kIndex, class Arguments>
u64 field_value(const Arguments& arguments) {
    const auto argument = std::get<kIndex>(arguments);
    if constexpr (std::is_same_v<decltype(argument), const OTF2_AttributeValue>) {
        constexpr std::size_t type = field_before(info_of(kType), kIndex, FieldKind::type);
        return attribute_bits(std::get<type>(arguments), argument);
    } else {
        return to_u64(argument);
    }
}

template <auto kType, std::size_t kIndex, class Arguments>
void push_field(RecordBatch& batch, const Arguments& arguments) {
    constexpr const RecordInfo& info = info_of(kType);
    constexpr Field field = info.fields[kIndex];
    if constexpr (field.kind == FieldKind::text) {
        const char* const text = std::get<kIndex>(arguments);
        batch.push_text(text == nullptr ? "" : text);
    } else if constexpr (field.array) {
        const auto items = std::get<kIndex>(arguments);
        const auto count = std::get<field_before(info, kIndex, FieldKind::count)>(arguments);
        if constexpr (std::is_same_v<decltype(items), const OTF2_AttributeValue* const>) {
            const auto types = std::get<field_before(info, kIndex, FieldKind::type)>(arguments);
            for (u64 i = 0; i < count; ++i) batch.push(attribute_bits(types[i], items[i]));
        } else {
            for (u64 i = 0; i < count; ++i) batch.push(to_u64(items[i]));
        }
    } else {
        batch.push(field_value<kType, kIndex>(arguments));
    }
}

/// Appends a record of type `kType` whose fields are the arguments of a callback.
template <auto kType, class... Arguments>
void add_record(RecordBatch& batch, u64 time, Arguments... arguments) {
    static_assert(sizeof...(Arguments) == info_of(kType).field_count);
    constexpr u8 type = static_cast<u8>(kType);
    const std::tuple<Arguments...> all{arguments...};
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        if constexpr (has_fixed_size(info_of(kType))) {
            [[maybe_unused]] u64* const values = batch.add(type, time, sizeof...(Arguments));
            ((values[kIndex] = field_value<kType, kIndex>(all)), ...);
        } else {
            batch.begin(type, time);
            (push_field<kType, kIndex>(batch, all), ...);
        }
    }
    (std::index_sequence_for<Arguments...>{});
}

}  // namespace tracefold::otf2
