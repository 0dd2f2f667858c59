// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/calls/calls.hpp"

#include <charconv>

namespace tracefold {

void JsonCallSink::begin_call(const CallHead& head) {
    const TickRate rate = definitions_.tick_rate();
    json_.begin_object().member("location", head.location);
    if (head.begin) json_.member("begin", rate.seconds(*head.begin));
    if (head.span) json_.member("duration", rate.seconds(*head.span));
    json_.member("kind", kind_name(head.kind)).member("name", head.name);
    json_.key("records").begin_array();
}

void JsonCallSink::begin_record(std::string_view type, bool) {
    json_.begin_object().member("type", type).key("fields").begin_object();
}

void JsonCallSink::begin_field(std::string_view name, bool list) {
    json_.key(name);
    list_ = list;
    if (list_) json_.begin_array();
}

void JsonCallSink::end_field() {
    if (list_) json_.end_array();
}

void JsonCallSink::number_text(std::string_view text) {
    i64 integer = 0;
    const char* end = text.data() + text.size();
    if (const auto [rest, error] = std::from_chars(text.data(), end, integer);
        error == std::errc() && rest == end) {
        json_.value(integer);
        return;
    }
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    error == std::errc() && rest == end ? json_.value(number) : json_.value(text);
}

void JsonCallSink::end_record() { json_.end_object().end_object(); }

}  // namespace tracefold
