// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/tick_rate.hpp"
#include "query/call_names.hpp"

#include <optional>
#include <string>
#include <string_view>

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

}  // namespace tracefold
