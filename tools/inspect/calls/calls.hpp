// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "common/console.hpp"
#include "common/part_options.hpp"
#include "model/definition_index.hpp"
#include "questions/calls/call_lister.hpp"
#include "questions/calls/selected_calls.hpp"

#include <array>
#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// The options of a command about a part of the calls, or of the messages, of a trace.
struct PartArguments {
    RankList ranks;
    RankList iterations;
    TimeWindow window;
    NameFilter names;

    /// "Only WHAT WHEN, in seconds ...". `this` must outlive APP.
    void add_options(CLI::App& app, const std::string& what, const std::string& when);
    /// `this` must outlive the result. Throws Error: usage, corrupt.
    CallSelection selection(TraceFile& file);
    /// Warns why nothing is selected; `steps`: of the program.
    void explain_nothing(const std::string& what, TraceFile& file, u64 steps, Console& console);
};

/// Calls as CSV with a column for each common argument; the last column holds the others as
/// NAME=VALUE. Several values are separated by ';'.
class CsvCallSink : public CallSink {
  public:
    CsvCallSink(const DefinitionIndex& definitions, std::ostream& out)
        : definitions_(definitions), out_(out) {}

    static std::string header();

    void begin_call(const CallHead& head) override;
    void begin_record(std::string_view type, bool plain) override;
    void flag(std::string_view name) override;
    void begin_field(std::string_view name, bool list) override;
    void number(u64 value) override { add(std::to_string(value)); }
    void number_text(std::string_view text) override { add(text); }
    void word(const std::string& text) override { add(text); }
    void end_field() override;
    void end_record() override {}
    void end_call() override;

    static constexpr std::array<std::string_view, 10> kArguments = {
        "to", "from", "target", "comm", "tag", "bytes", "op", "root", "sent", "received"};

  private:
    void add(std::string_view value);

    const DefinitionIndex& definitions_;
    std::ostream& out_;
    std::string head_;
    std::array<std::string, kArguments.size()> arguments_;
    std::string others_;
    std::string record_;
    std::string name_;
    std::string value_;
};

/// Calls as objects of a JSON array.
class JsonCallSink : public CallSink {
  public:
    JsonCallSink(const DefinitionIndex& definitions, JsonWriter& json)
        : definitions_(definitions), json_(json) {}

    void begin_call(const CallHead& head) override;
    void begin_record(std::string_view type, bool plain) override;
    void flag(std::string_view name) override { json_.member(name, true); }
    void begin_field(std::string_view name, bool list) override;
    void number(u64 value) override { json_.value(value); }
    void number_text(std::string_view text) override;
    void word(const std::string& text) override { json_.value(text); }
    void end_field() override;
    void end_record() override;
    void end_call() override { json_.end_array().end_object(); }

  private:
    const DefinitionIndex& definitions_;
    JsonWriter& json_;
    bool list_ = false;  ///< the current field
};

}  // namespace tracefold
