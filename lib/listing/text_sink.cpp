// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "listing/text_sink.hpp"

#include "core/utf8.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// C's escapes for the bytes of `sequence`.
void append_escapes(std::string_view sequence, std::string& out) {
    static constexpr char kHex[] = "0123456789abcdef";
    for (const char c : sequence) {
        const auto byte = static_cast<unsigned char>(c);
        out.append("\\x") += kHex[byte >> 4U];
        out += kHex[byte & 15U];
    }
}

/// A word, or what is none in quotes with C's escapes.
std::string word_of(std::string_view text) {
    std::string escaped;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t length = utf8_sequence(rest);
        const std::string_view sequence = rest.substr(0, std::max<std::size_t>(length, 1));
        rest.remove_prefix(sequence.size());
        if (length == 0 || is_unprintable(sequence)) {
            append_escapes(sequence, escaped);
        } else {
            if (sequence == "\"" || sequence == "\\") escaped += '\\';
            escaped += sequence;
        }
    }
    const bool is_word =
        !text.empty() && escaped == text && text.find_first_of(" ,") == std::string_view::npos;
    return is_word ? escaped : '"' + escaped + '"';
}

}  // namespace

void TextSink::begin_call(const CallHead& head) {
    const TickRate rate = definitions_.tick_rate();
    out_.append(word_of(head.location)).append(" ");
    out_ += head.begin ? rate.seconds_text(*head.begin) : "?";
    out_ += ' ';
    if (head.kind == CallKind::call) {
        out_ += head.span ? rate.seconds_text(*head.span) : "?";
    } else {
        out_ += '-';
    }
    out_ += ' ';
    if (head.kind == CallKind::enter || head.kind == CallKind::leave) {
        out_.append(kind_name(head.kind)).append(" ");
    }
    const bool region = head.kind != CallKind::record;
    out_ += region ? word_of(head.name) : std::string(head.name);
}

void TextSink::begin_record(std::string_view type, bool plain) {
    named_ = !plain;
    first_field_ = true;
    if (named_) out_.append(" ").append(type).append("{");
}

void TextSink::end_record() {
    if (named_) out_ += '}';
    named_ = false;
}

void TextSink::flag(std::string_view name) {
    if (!named_ || !first_field_) out_ += ' ';
    first_field_ = false;
    out_ += word_of(name);
}

void TextSink::begin_field(std::string_view name, bool) {
    flag(name);
    out_ += '=';
    first_value_ = true;
}

void TextSink::separate() {
    if (!first_value_) out_ += ',';
    first_value_ = false;
}

void TextSink::number(u64 value) {
    separate();
    out_ += std::to_string(value);
}

void TextSink::number_text(std::string_view text) {
    separate();
    out_ += text;
}

void TextSink::word(const std::string& text) {
    separate();
    out_ += word_of(text);
}

}  // namespace tracefold
