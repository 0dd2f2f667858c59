// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/record_batch.hpp"
#include "model/symbol.hpp"
#include "otf2/detail/error_capture.hpp"
#include "otf2/detail/raw_fields.hpp"

#include <exception>
#include <string>
#include <tuple>
#include <utility>

#include <otf2/otf2.h>

namespace tracefold::otf2 {

/// Lists the records of a file that libotf2 does not know, with advice: "4 records of type 89
/// (MpiProbe) and 2 of type 120, which libotf2 here does not know; install ...". libotf2 itself
/// reports only their number. Reads the file once; throws Error `io` if it cannot.
std::string describe_unknown_records(const std::string& path, Stream stream, u64 chunk_size,
                                     const std::string& what);

constexpr const RecordInfo& info_of(EventType type) { return event_info(type); }
constexpr const RecordInfo& info_of(DefinitionType type) { return definition_info(type); }

/// The `user data` of all reader callbacks: the batch to fill.
struct Collector {
    RecordBatch batch;
    u64 unknown = 0;             ///< records of types unknown to libotf2
    std::exception_ptr failure;  ///< thrown while filling the batch

    /// Bounds a batch of long records (4096 groups may have many members).
    static constexpr std::size_t kMaxValues = std::size_t{1} << 20;

    [[nodiscard]] bool full() const {
        const RecordBatch::Head& last = batch[batch.size() - 1];
        return std::size_t{last.first_value} + last.value_count > kMaxValues ||
               last.first_text > kMaxValues;
    }

    /// Runs `fill`; stores an exception and interrupts reading, since libotf2 cannot propagate it.
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

/// True for types with a fixed number of values.
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

/// True if libotf2 passes fields of this width as a T.
template <class T>
constexpr bool is_passed_as(Width width) {
    if constexpr (std::is_same_v<T, const char*>) {
        return width == Width::text;
    } else if constexpr (std::is_pointer_v<T>) {
        return is_passed_as<std::remove_const_t<std::remove_pointer_t<T>>>(width);
    } else if constexpr (std::is_same_v<T, OTF2_AttributeValue>) {
        return width == Width::typed;
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        return sizeof(T) == sizeof(u64) && width == Width::packed_signed64;
    } else if constexpr (sizeof(T) == sizeof(u64)) {
        return width == Width::packed64 || width == Width::plain64;
    } else {
        return width == (sizeof(T) == 1 ? Width::byte : Width::packed32);
    }
}

/// Appends a record of type `kType` whose fields are the arguments of a callback.
template <auto kType, class... Arguments>
void add_record(RecordBatch& batch, u64 time, Arguments... arguments) {
    static_assert(sizeof...(Arguments) == info_of(kType).field_count);
    static_assert([]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        return (is_passed_as<Arguments>(info_of(kType).fields[kIndex].width) && ...);
    }(std::index_sequence_for<Arguments...>{}));
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

/// Reads the records of one file through libotf2, batch by batch.
class BatchReader {
  public:
    explicit BatchReader(bool drop_unknown) : drop_unknown_(drop_unknown) {}

    struct Subject {
        std::string what;  ///< e.g. "events of location 3 in run/traces/3.evt", for errors
        std::string path;
        Stream stream = Stream::events;
        u64 chunk_size = 0;
        u64 expected = 0;  ///< number of records, for errors; 0: unknown
        u64 size = 0;      ///< in bytes; bounds the number of records
    };

    /// User data for libotf2's callbacks; its address is stable.
    [[nodiscard]] void* user_data() { return &collector_; }

    /// Calls `read(count, &got)` until the end of the file and passes the batches to the sink.
    /// Returns the number of records in the file.
    template <class Sink, class Read>
    u64 read_all(const Subject& subject, std::size_t batch_size, const Sink& sink, Read read) {
        const ErrorCapture capture;
        collector_.unknown = 0;
        u64 records = 0;
        bool more = true;
        while (more) {
            collector_.batch.clear();
            u64 got = 0;
            const OTF2_ErrorCode code = read(batch_size, &got);
            if (collector_.failure) {
                std::rethrow_exception(std::exchange(collector_.failure, nullptr));
            }
            records += got;
            if (records > subject.size) {  // libotf2 decodes some damage endlessly
                throw damaged(subject, records, "more records than bytes");
            }
            if (!can_go_on(code)) fail(subject, records, capture, code);
            // After a lost record, the rest is read only to count the lost ones.
            const bool complete = collector_.unknown == 0 || drop_unknown_;
            if (complete && !collector_.batch.empty()) sink(std::as_const(collector_.batch));
            more = code != OTF2_SUCCESS || got == batch_size;
        }
        account_for_unknown(subject);
        return records;
    }

    [[nodiscard]] bool drops_unknown() const { return drop_unknown_; }
    [[nodiscard]] u64 unknown_records() const { return unknown_records_; }

    static DamageError damaged(const Subject& subject, u64 records, const std::string& reason) {
        std::string message = "cannot read " + subject.what +
                              ": the file is truncated or damaged (" + reason + ") after " +
                              std::to_string(records);
        if (subject.expected != 0) message += " of " + std::to_string(subject.expected);
        return {message + " records" + kDamageAdvice, records};
    }

  private:
    static bool can_go_on(OTF2_ErrorCode code) {
        // libotf2 reports a duplicate mapping table only after it has delivered it.
        return code == OTF2_SUCCESS || code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK ||
               code == OTF2_ERROR_DUPLICATE_MAPPING_TABLE;
    }

    [[noreturn]] static void fail(const Subject& subject, u64 records, const ErrorCapture& capture,
                                  OTF2_ErrorCode code) {
        if (capture.kind(code) == ErrorKind::corrupt) {
            throw damaged(subject, records, capture.reason(code));
        }
        throw Error(capture.kind(code),
                    "cannot read " + subject.what + ": " + capture.reason(code));
    }

    void account_for_unknown(const Subject& subject) {
        if (collector_.unknown != 0 && !drop_unknown_) {
            throw Error(ErrorKind::unsupported,
                        "the " + subject.what + " have " +
                            describe_unknown_records(subject.path, subject.stream,
                                                     subject.chunk_size, subject.what) +
                            ", or use --drop-unknown to continue without them");
        }
        unknown_records_ += collector_.unknown;
    }

    Collector collector_;
    bool drop_unknown_;
    u64 unknown_records_ = 0;
};

// Callbacks for every record type and for unknown ones, with a Collector as user data.
EventCallbacks event_callbacks();
GlobalDefinitionCallbacks global_definition_callbacks();
LocalDefinitionCallbacks local_definition_callbacks();

}  // namespace tracefold::otf2
