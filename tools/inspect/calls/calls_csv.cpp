// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/csv_table.hpp"
#include "inspect/calls/calls.hpp"
#include "listing/text_sink.hpp"

#include <algorithm>

namespace tracefold {

std::string CsvCallSink::header() {
    std::string line = "location,begin,duration,kind,call";
    for (const std::string_view name : kArguments) line.append(",").append(name);
    return line + ",other";
}

void CsvCallSink::begin_call(const CallHead& head) {
    const TickRate rate = definitions_.tick_rate();
    head_ = csv_field(head.location) + ',';
    if (head.begin) head_ += rate.seconds_text(*head.begin);
    head_ += ',';
    if (head.span) head_ += rate.seconds_text(*head.span);
    head_.append(",").append(kind_name(head.kind)).append(",").append(csv_field(head.name));
    for (std::string& argument : arguments_) argument.clear();
    others_.clear();
}

void CsvCallSink::begin_record(std::string_view type, bool plain) {
    record_ = plain ? "" : std::string(type) + ".";
}

void CsvCallSink::flag(std::string_view name) {
    begin_field(name, false);
    end_field();
}

void CsvCallSink::begin_field(std::string_view name, bool) {
    name_ = name;
    value_.clear();
}

void CsvCallSink::add(std::string_view value) {
    value_.append(value_.empty() ? "" : ";").append(value);
}

void CsvCallSink::end_field() {
    const auto column = std::find(kArguments.begin(), kArguments.end(), name_);
    if (record_.empty() && column != kArguments.end()) {
        std::string& argument = arguments_[static_cast<std::size_t>(column - kArguments.begin())];
        argument.append(argument.empty() ? "" : ";").append(value_);
        return;
    }
    others_.append(others_.empty() ? "" : " ").append(record_).append(name_);
    if (!value_.empty()) others_.append("=").append(value_);
}

void CsvCallSink::end_call() {
    out_ << head_;
    for (const std::string& argument : arguments_) out_ << ',' << csv_field(argument);
    out_ << ',' << csv_field(others_) << '\n';
}

}  // namespace tracefold
