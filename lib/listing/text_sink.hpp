// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "listing/call_sink.hpp"
#include "model/definition_index.hpp"

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

}  // namespace tracefold
