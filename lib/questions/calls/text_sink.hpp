// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "file/common_clock.hpp"
#include "model/definition_index.hpp"
#include "model/participant_names.hpp"
#include "questions/calls/call_lister.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Formats calls as lines of text: LOCATION BEGIN DURATION NAME ARGUMENT=VALUE..., see
/// write_call_text(). Quotes values with blanks. Names records that are not plain:
/// TYPE{ARGUMENT=VALUE...}. The step of the call, if it is told, comes last: step=N.
class TextSink : public CallSink {
  public:
    /// Appends to `out`. The references must outlive this object.
    TextSink(const DefinitionIndex& definitions, std::string& out)
        : definitions_(definitions), out_(out) {}

    void begin_call(const CallHead& head) override;
    void begin_record(std::string_view type, bool plain) override;
    void flag(std::string_view name) override;
    void begin_field(std::string_view name, bool list) override;
    void number(u64 value) override;
    void number_text(std::string_view text) override;
    void word(const std::string& text) override;
    void end_field() override {}
    void end_record() override;
    void end_call() override {
        if (step_) out_.append(" step=").append(std::to_string(*step_));
        out_ += '\n';
    }

  private:
    void separate();

    const DefinitionIndex& definitions_;
    std::string& out_;
    std::optional<u64> step_;   ///< of the current call
    bool named_ = false;        ///< the current record has braces
    bool first_field_ = false;  ///< of a record with braces
    bool first_value_ = false;
};

/// Output and resources of write_call_text().
struct TextTarget {
    std::function<void(std::string_view piece)> sink;  ///< called by one thread at a time
    std::string scratch = ".";                         ///< folder for temporary files
    u32 threads = 1;  ///< threads that share the locations; 0: automatic
};

/// Writes the calls of a file as text, one line per call, location by location:
///
/// LOCATION BEGIN DURATION NAME ARGUMENT=VALUE...
///
/// after comment lines that begin with '#'. Times are seconds since the first event on the common
/// clock, "?" in a file without times; records outside of calls have the duration "-". A region
/// that contains other calls has two lines, "enter NAME" and "leave NAME". Writes only the
/// `selected` locations, in order of definition. `progress` counts records. Returns the number of
/// lines without comments. Memory: one call and one buffer per thread, plus the queue of
/// OrderedParts.
u64 write_call_text(TraceFile& file, const ParticipantNames& participants, const CommonClock& clock,
                    const std::vector<bool>& selected, const TextTarget& target,
                    const ProgressSink& progress);

}  // namespace tracefold
