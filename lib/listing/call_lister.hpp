// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "listing/call_sink.hpp"
#include "listing/record_text.hpp"
#include "trace/call_skipper.hpp"
#include "trace/common_clock.hpp"

namespace tracefold {

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
