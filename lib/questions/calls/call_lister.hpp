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

/// Which call is passed, and when it was.
struct CallHead {
    CallKind kind = CallKind::call;
    std::string_view location;     ///< ParticipantNames::label()
    std::string_view name;         ///< of the region or record
    std::optional<u64> begin;      ///< ticks since the first event; none in a file without times
    std::optional<TickSpan> span;  ///< how long a call took by the location's own clock
};

/// Receives calls in readable terms, piece by piece: per call its records, per record its fields,
/// per field its values. Names are valid during the call
/// only.
class CallSink {
  public:
    virtual ~CallSink() = default;

    virtual void begin_call(const CallHead& head) = 0;
    /// `plain`: a record that everybody expects in such a call.
    virtual void begin_record(std::string_view type, bool plain) = 0;
    /// A fact that has no value.
    virtual void flag(std::string_view name) = 0;
    /// `list`: there may be any number of values; otherwise there is one.
    virtual void begin_field(std::string_view name, bool list) = 0;
    virtual void number(u64 value) = 0;
    /// A number in its text form, with a sign or decimals.
    virtual void number_text(std::string_view text) = 0;
    virtual void word(const std::string& text) = 0;
    virtual void end_field() = 0;
    virtual void end_record() = 0;
    virtual void end_call() = 0;
};

/// The fields of a location's records in readable terms: ids as the names of what they stand for,
/// enumerators as OTF2's names. Everything must outlive this object.
class RecordText {
  public:
    /// From a time of the location to ticks since the start of the trace.
    using Clock = std::function<u64(u64 ticks)>;

    RecordText(const DefinitionIndex& definitions, const DefinitionNames& names,
               const MappingTables& tables, Clock clock)
        : definitions_(definitions), names_(names), tables_(tables), clock_(std::move(clock)) {}

    /// Passes the first `field_count` fields of a record of this type.
    void pass_fields(u8 type, std::span<const u64> values, u8 field_count, CallSink& sink);
    void pass_attributes(std::span<const Attribute> attributes, CallSink& sink);

    /// The name of what a location calls `raw`. Remembered, since few ids are asked for often.
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

/// Records that say all that is worth saying by their fields.
bool is_plain(u8 type);
/// Records within a call that say nothing.
bool is_silent(u8 type);

/// The calls of one location in readable terms, one after the other. Memory: one call and the names
/// that it needs. Throws Error(corrupt).
class CallLister {
  public:
    /// All must outlive this object. `times`: skipped, head() says nothing of use about them.
    CallLister(TraceFile& file, const DefinitionNames& names, const CommonClock& clock,
               std::string label, u32 location, Times times = Times::read);

    /// Reads the next call; false at the end.
    bool next();
    /// The same without finding out what head() says, for who asks for few calls only.
    bool read() { return stream_.next(); }
    /// Passes so many calls. Cost: those that do not come again. Precondition: times are skipped.
    void skip(u64 calls) { stream_.skip(calls); }
    /// Finds out what head() says for the call at hand.
    void describe();

    /// Of the call at hand. The name is that of its region or record, in full.
    [[nodiscard]] const CallHead& head() const { return head_; }
    [[nodiscard]] u64 records() const { return stream_.records().size(); }
    [[nodiscard]] u32 symbol() const { return stream_.symbol_id(); }
    /// Where the calls come from, for who reads their values; only the lister goes on in it.
    [[nodiscard]] const CallReader& stream() const { return stream_; }
    /// The names of the location's values.
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
