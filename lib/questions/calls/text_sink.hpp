// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "file/common_clock.hpp"
#include "model/definition_index.hpp"
#include "model/participant_names.hpp"
#include "questions/calls/call_lister.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Calls as lines of text: LOCATION BEGIN DURATION NAME ARGUMENT=VALUE..., see write_call_text().
/// Values with blanks are quoted. Records that are not plain are named: TYPE{ARGUMENT=VALUE...}.
class TextSink : public CallSink {
  public:
    /// Appends to `out`. Both must outlive the sink.
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
    void end_call() override { out_ += '\n'; }

  private:
    void separate();

    const DefinitionIndex& definitions_;
    std::string& out_;
    bool named_ = false;        ///< the record at hand has braces
    bool first_field_ = false;  ///< of such a record
    bool first_value_ = false;
};

/// Where the text goes, and who makes it.
struct TextTarget {
    std::function<void(std::string_view piece)> sink;  ///< called by one thread at a time
    std::string scratch = ".";                         ///< folder for temporary files
    u32 threads = 1;  ///< among which locations are shared out; 0: as many as pay
};

/// Writes the calls of a file as text, one line per call, location by location:
///
///     LOCATION BEGIN DURATION NAME ARGUMENT=VALUE...
///
/// preceded by comment lines that begin with '#'. Times are seconds since the first event on the
/// clock that all locations share, "?" in a file without times; what is no call has "-" for a
/// duration. A region that holds other calls takes two lines, "enter NAME" and "leave NAME"; a
/// record outside of any call its own. Only the locations in `selected` are written, in the order
/// of their definitions. `progress` gets records. Returns the number of lines but comments. Memory:
/// for each thread one call and one piece; see OrderedParts for what waits.
u64 write_call_text(TraceFile& file, const ParticipantNames& participants, const CommonClock& clock,
                    const std::vector<bool>& selected, const TextTarget& target,
                    const ProgressSink& progress);

}  // namespace tracefold
