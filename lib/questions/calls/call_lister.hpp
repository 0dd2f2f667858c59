// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "file/call_reader.hpp"
#include "file/common_clock.hpp"
#include "fold/mapping_tables.hpp"
#include "model/definition_names.hpp"
#include "model/record_batch.hpp"
#include "model/tick_rate.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tracefold {

/// Name and time of a call.
struct CallHead {
    CallKind kind = CallKind::call;
    std::string_view location;     ///< ParticipantNames::label()
    std::string_view name;         ///< of the region or record
    std::optional<u64> begin;      ///< ticks since the first event; none in a file without times
    std::optional<TickSpan> span;  ///< duration by the location's own clock
    std::optional<u64> step;       ///< of the program, if the caller tells it
};

/// Receives calls in readable form, piece by piece: the records of a call, the fields of a record,
/// the values of a field. Names are valid only during the call.
class CallSink {
  public:
    virtual ~CallSink() = default;

    virtual void begin_call(const CallHead& head) = 0;
    /// `plain`: the usual record of such a call, which needs no name.
    virtual void begin_record(std::string_view type, bool plain) = 0;
    /// A property without a value.
    virtual void flag(std::string_view name) = 0;
    /// `list`: any number of values; else exactly one.
    virtual void begin_field(std::string_view name, bool list) = 0;
    virtual void number(u64 value) = 0;
    /// A number as text, with a sign or decimals.
    virtual void number_text(std::string_view text) = 0;
    virtual void word(const std::string& text) = 0;
    virtual void end_field() = 0;
    virtual void end_record() = 0;
    virtual void end_call() = 0;
};

/// Converts the fields of a location's records to readable form: ids to names, enumerators to
/// OTF2's names. The arguments must outlive this object.
class RecordText {
  public:
    /// Converts a location's time to ticks since the start of the trace.
    using Clock = std::function<u64(u64 ticks)>;

    RecordText(const DefinitionIndex& definitions, const DefinitionNames& names,
               const MappingTables& tables, Clock clock)
        : definitions_(definitions), names_(names), tables_(tables), clock_(std::move(clock)) {}

    /// Passes the first `field_count` fields of a record of this type.
    void pass_fields(u8 type, std::span<const u64> values, u8 field_count, CallSink& sink);
    void pass_attributes(std::span<const Attribute> attributes, CallSink& sink);

    /// The name of a location's id `raw`. Cached: few ids occur often.
    const std::string& label(FieldKind kind, u64 raw);

  private:
    void pass_value(const RecordInfo& info, const Field& field, u64 value, CallSink& sink);
    void pass_typed(u8 type, u64 value, CallSink& sink);

    const DefinitionIndex& definitions_;
    const DefinitionNames& names_;
    const MappingTables& tables_;
    Clock clock_;
    std::unordered_map<u64, std::string> labels_[kMappingKinds];
};

/// Whether the fields of the record suffice without its name.
bool is_plain(u8 type);
/// Whether the record is omitted within a call.
bool is_silent(u8 type);

/// Iterates over the calls of one location in readable form. Memory: one call and the names used so
/// far. Throws Error(corrupt).
class CallLister {
  public:
    /// All arguments must outlive this object. `times`: if skipped, head() has no times.
    CallLister(TraceFile& file, const DefinitionNames& names, const CommonClock& clock,
               std::string label, u32 location, Times times = Times::read);

    /// Reads the next call; false at the end.
    bool next();
    /// Reads the next call without describing it, for filters that select few calls.
    bool read() { return stream_.next(); }
    /// Skips `calls` calls. Cost: linear in the distinct calls. Precondition: times are skipped.
    void skip(u64 calls) { stream_.skip(calls); }
    /// Fills head() for the current call, which belongs to this step.
    void describe(std::optional<u64> step = {});

    /// Head of the current call, with the full name of its region or record.
    [[nodiscard]] const CallHead& head() const { return head_; }
    [[nodiscard]] u64 records() const { return stream_.records().size(); }
    [[nodiscard]] u32 symbol() const { return stream_.symbol_id(); }
    /// The underlying reader, for access to values; only the lister advances it.
    [[nodiscard]] const CallReader& stream() const { return stream_; }
    /// Texts of the location's values.
    RecordText& text() { return text_; }
    void pass(CallSink& sink);

  private:
    using Head = RecordBatch::Head;

    [[nodiscard]] std::span<const u64> values(const Head& head) const {
        return stream_.records().values(head);
    }
    void pass_attributes_of(const Head& head, CallSink& sink);
    void pass_call(CallSink& sink);
    void pass_alone(CallSink& sink);
    void pass_between(std::size_t begin, std::size_t end, CallSink& sink);
    void pass_record(std::size_t record, bool plain, CallSink& sink);
    void pass_posted(const CallReader::Posted& posted, CallSink& sink);

    TraceFile& file_;
    const CommonClock& clock_;
    u32 location_;
    CallReader stream_;
    RecordText text_;
    std::string label_;
    CallHead head_;
};

}  // namespace tracefold
