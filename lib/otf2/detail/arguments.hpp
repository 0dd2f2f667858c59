// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/error.hpp"
#include "model/record_batch.hpp"
#include "model/record_fields.hpp"
#include "otf2/detail/values.hpp"

#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold::otf2 {

/// Walks over the values of one record and turns them into arguments of libotf2's functions.
/// Throws Error `corrupt` if they do not have the shape of `info`.
class ValueCursor {
  public:
    ValueCursor(const RecordInfo& info, const RecordBatch& batch, const RecordBatch::Head& head)
        : info_(info), batch_(batch), head_(head), values_(batch.values(head)) {}

    u64 next(const Field& field) {
        const std::span<const u64> value = take(1);
        if (field.kind == FieldKind::count) count_ = value.front();
        if (field.kind == FieldKind::type) types_ = value;
        return value.front();
    }
    std::span<const u64> next_array(const Field& field) {
        const std::span<const u64> values = take(count_);
        if (field.kind == FieldKind::type) types_ = values;
        return values;
    }
    std::string next_text() {
        std::string text(batch_.text(head_, take(1).front()));
        if (text.find('\0') != std::string::npos) fail("a text with a zero byte");
        return text;
    }

    /// `index`: of the value in its array.
    template <class T>
    T convert(u64 value, const Field& field, std::size_t index = 0) const {
        if constexpr (std::is_same_v<T, OTF2_AttributeValue>) {
            if (index >= types_.size()) fail("a value without a type");
            return attribute_value(static_cast<OTF2_Type>(types_[index]), value);
        }
        if (!fits<T>(value)) {
            fail("the value " + std::to_string(value) + ", too large for its field " +
                 std::string(field.name));
        }
        return from_u64<T>(value);
    }

    void expect_end() const {
        if (!values_.empty()) fail("too many values");
    }

  private:
    std::span<const u64> take(u64 count) {
        if (count > values_.size()) fail("too few values");
        const std::span<const u64> taken = values_.first(count);
        values_ = values_.subspan(count);
        return taken;
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorKind::corrupt,
                    "cannot write a record of type " + std::string(info_.name) + " with " + what);
    }

    const RecordInfo& info_;
    const RecordBatch& batch_;
    const RecordBatch::Head& head_;
    std::span<const u64> values_;
    std::span<const u64> types_;  ///< of the values that come next
    u64 count_ = 0;
};

// What keeps an argument alive during the call: itself, an array, a text.
template <class T>
struct Argument {
    T value;
    Argument(ValueCursor& cursor, const Field& field)
        : value(cursor.convert<T>(cursor.next(field), field)) {}
    T get() const { return value; }
};

template <class T>
struct Argument<const T*> {
    std::vector<T> items;
    Argument(ValueCursor& cursor, const Field& field) {
        const std::span<const u64> values = cursor.next_array(field);
        items.reserve(values.size() + 1);  // libotf2 wants a pointer even to nothing
        for (std::size_t i = 0; i < values.size(); ++i) {
            items.push_back(cursor.convert<T>(values[i], field, i));
        }
    }
    const T* get() const { return items.data(); }
};

template <>
struct Argument<const char*> {
    std::string text;
    Argument(ValueCursor& cursor, const Field&) : text(cursor.next_text()) {}
    const char* get() const { return text.c_str(); }
};

/// Calls `write(arguments...)` with the values of the record as `Arguments`.
template <class... Arguments, class Write>
OTF2_ErrorCode call_with_fields(const RecordInfo& info, const RecordBatch& batch,
                                const RecordBatch::Head& head, Write write) {
    ValueCursor cursor(info, batch, head);
    return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        // Braces evaluate their list from left to right.
        const std::tuple<Argument<Arguments>...> held{
            Argument<Arguments>(cursor, info.fields[kIndex])...};
        cursor.expect_end();
        return write(std::get<kIndex>(held).get()...);
    }
    (std::index_sequence_for<Arguments...>{});
}

}  // namespace tracefold::otf2
