// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "listing/text_sink.hpp"

#include "core/utf8.hpp"

#include <algorithm>
#include <limits>

namespace tracefold {

namespace {

constexpr u64 kNanoseconds = 1'000'000'000;

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

/// A time, or a difference below 0, in whole seconds and nanoseconds.
struct SplitTime {
    SplitTime(u64 ticks, u64 ticks_per_second) : before(ticks >> 63U != 0) {
        const u64 rate = std::max<u64>(ticks_per_second, 1);
        const u64 distance = before ? 0 - ticks : ticks;
        seconds = distance / rate;
        fraction =
            static_cast<u64>(static_cast<double>(distance % rate) / static_cast<double>(rate) *
                                 static_cast<double>(kNanoseconds) +
                             0.5);
        if (fraction < kNanoseconds) return;
        ++seconds;
        fraction = 0;
    }

    bool before;
    u64 seconds = 0;
    u64 fraction = 0;
};

}  // namespace

std::string seconds_text(u64 ticks, u64 ticks_per_second) {
    const SplitTime time(ticks, ticks_per_second);
    std::string text = time.before ? "-" : "";
    text += std::to_string(time.seconds);
    const std::string digits = std::to_string(time.fraction);
    return text.append(".").append(9 - digits.size(), '0').append(digits);
}

i64 nanoseconds_of(u64 ticks, u64 ticks_per_second) {
    if (ticks_per_second == kNanoseconds) return static_cast<i64>(ticks);
    constexpr u64 kMostSeconds = std::numeric_limits<i64>::max() / kNanoseconds - 1;
    const SplitTime time(ticks, ticks_per_second);
    const auto distance =
        static_cast<i64>(std::min(time.seconds, kMostSeconds) * kNanoseconds + time.fraction);
    return time.before ? -distance : distance;
}

void TextSink::begin_call(const CallHead& head) {
    const u64 rate = definitions_.timer_resolution();
    out_.append(word_of(head.location)).append(" ");
    out_ += head.begin ? seconds_text(*head.begin, rate) : "?";
    out_ += ' ';
    if (head.kind == CallKind::call) {
        out_ += head.ticks ? seconds_text(*head.ticks, rate) : "?";
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
