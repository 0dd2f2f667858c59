// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "frames/argument_columns.hpp"

#include "model/event_table.hpp"
#include "names/enumerator_names.hpp"
#include "query/call_names.hpp"

#include <algorithm>
#include <limits>

namespace tracefold {

namespace {

struct ArgumentInfo {
    std::string_view name;
    ValueColumn type;
    std::string_view unit;
    bool adds_up = false;
};

constexpr std::array<ArgumentInfo, kArguments> kInfos = {{
    {"to", ValueColumn::integer, "rank"},
    {"from", ValueColumn::integer, "rank"},
    {"target", ValueColumn::integer, "rank"},
    {"comm", ValueColumn::label, ""},
    {"tag", ValueColumn::integer, ""},
    {"bytes", ValueColumn::integer, "byte", true},
    {"op", ValueColumn::label, ""},
    {"root", ValueColumn::integer, "rank"},
    {"sent", ValueColumn::integer, "byte", true},
    {"received", ValueColumn::integer, "byte", true},
    {"request", ValueColumn::integer, ""},
    {"completed", ValueColumn::integers, ""},
    {"other", ValueColumn::text, ""},
}};

constexpr const ArgumentInfo& info_of(Argument argument) {
    return kInfos[static_cast<std::size_t>(argument)];
}
constexpr u32 bit_of(Argument argument) { return 1U << static_cast<u32>(argument); }

constexpr u64 kFirstSpecialRank = 0xFFFFFFFDU;

/// -1 for none, -2 for self, -3 for this group.
constexpr i64 special_rank(u64 rank) { return static_cast<i64>(rank) - 0x100000000; }

std::optional<i64> special_number(std::string_view word) {
    for (u64 rank = kFirstSpecialRank; rank <= 0xFFFFFFFFU; ++rank) {
        if (special_rank_name(rank) == word) return special_rank(rank);
    }
    return std::nullopt;
}

bool fits(u64 value) { return value <= static_cast<u64>(std::numeric_limits<i64>::max()); }

}  // namespace

std::optional<Argument> find_argument(std::string_view short_name) {
    for (std::size_t i = 0; i < kArguments; ++i) {
        const auto argument = static_cast<Argument>(i);
        if (argument != Argument::other && kInfos[i].name == short_name) return argument;
    }
    return std::nullopt;
}

ColumnInfo column_of(Argument argument) {
    const ArgumentInfo& info = info_of(argument);
    return {std::string(info.name), info.type, std::string(info.unit)};
}

void ArgumentSink::begin_call(const CallHead&) {
    for (Said& said : said_) {
        said.values = 0;
        said.fits = said.same = true;
        said.sum = 0;
        said.text.clear();
    }
    others_.clear();
}

void ArgumentSink::begin_record(std::string_view type, bool plain) {
    record_ = plain ? "" : std::string(type) + ".";
}

void ArgumentSink::begin_field(std::string_view name, bool) {
    name_ = name;
    value_.clear();
    argument_ = record_.empty() ? find_argument(name) : std::nullopt;
}

void ArgumentSink::flag(std::string_view name) {
    begin_field(name, false);
    argument_.reset();
    end_field();
}

void ArgumentSink::number(u64 value) {
    add(std::to_string(value), fits(value) ? std::optional(static_cast<i64>(value)) : std::nullopt);
    if (argument_ == Argument::completed && fits(value)) {
        const u32 column = places_[static_cast<std::size_t>(Argument::completed)];
        if (column != kNone) frames_.add(column, static_cast<i64>(value));
    }
}

void ArgumentSink::number_text(std::string_view text) { add(text, std::nullopt); }

void ArgumentSink::word(const std::string& text) {
    if (argument_ && info_of(*argument_).type == ValueColumn::label) {
        add(text, 0);
    } else {
        add(text, special_number(text));
    }
}

void ArgumentSink::add(std::string_view text, std::optional<i64> number) {
    value_.append(value_.empty() ? "" : ";").append(text);
    if (!argument_) return;
    Said& said = said_[static_cast<std::size_t>(*argument_)];
    if (said.values == 0) {
        said.first = text;
        said.number = number.value_or(0);
    }
    ++said.values;
    said.same = said.same && said.first == text;
    said.fits =
        said.fits && number.has_value() && !__builtin_add_overflow(said.sum, *number, &said.sum);
}

void ArgumentSink::end_field() {
    if (argument_) {
        std::string& text = said_[static_cast<std::size_t>(*argument_)].text;
        text.append(text.empty() ? "" : ";").append(value_);
        return;
    }
    others_.append(others_.empty() ? "" : " ").append(record_).append(name_);
    if (!value_.empty()) others_.append("=").append(value_);
}

void ArgumentSink::put(Argument argument, Said& said) {
    const ArgumentInfo& info = info_of(argument);
    const u32 column = places_[static_cast<std::size_t>(argument)];
    if (said.fits && (said.same || info.adds_up) && column != kNone) {
        if (info.type == ValueColumn::label) {
            frames_.set_label(column, said.first);
        } else {
            frames_.set(column, info.adds_up ? said.sum : said.number);
        }
    }
    if (said.fits && (said.values == 1 || (said.same && !info.adds_up))) return;
    others_.append(others_.empty() ? "" : " ").append(info.name).append("=").append(said.text);
}

void ArgumentSink::end_call() {
    for (std::size_t i = 0; i < kArguments; ++i) {
        const auto argument = static_cast<Argument>(i);
        Said& said = said_[i];
        // Lists were put where they came by.
        const bool is_list = argument == Argument::completed;
        if (said.values != 0 && !(is_list && said.fits)) put(argument, said);
    }
    const u32 other = places_[static_cast<std::size_t>(Argument::other)];
    if (other != kNone && !others_.empty()) frames_.set_text(other, others_);
}

FieldPlan::FieldPlan(u8 type, u8 field_count, const ArgumentPlaces& places) : type_(type) {
    const RecordInfo& info = event_info(type);
    complete_ = !info.has_arrays();
    for (u32 i = 0; complete_ && i < field_count; ++i) {
        const std::optional<Argument> argument =
            find_argument(short_field_name(info.fields[i].name));
        const FieldKind kind = info.fields[i].kind;
        const bool is_label = kind == FieldKind::comm || kind == FieldKind::op;
        const bool holds_label = argument && info_of(*argument).type == ValueColumn::label;
        if (!argument || is_label != holds_label || *argument == Argument::completed ||
            (arguments_ & bit_of(*argument)) != 0) {
            complete_ = false;
            return;
        }
        arguments_ |= bit_of(*argument);
        const u32 column = places[static_cast<std::size_t>(*argument)];
        if (column != kNone) steps_.push_back({i, column, kind});
    }
}

bool FieldPlan::put(std::span<const u64> values, RecordText& text, FrameWriter& frames) {
    for (Step& step : steps_) {
        if (!put(step, values[step.value], text, frames)) return false;
    }
    return true;
}

bool FieldPlan::put(Step& step, u64 value, RecordText& text, FrameWriter& frames) const {
    switch (step.kind) {
        case FieldKind::comm:
        case FieldKind::op:
            if (value != step.last) {
                const RecordInfo& info = event_info(type_);
                const std::string name =
                    step.kind == FieldKind::comm
                        ? text.label(FieldKind::comm, value)
                        : enumerator_name(enumeration_of(info.name, info.fields[step.value].name),
                                          value);
                step.code = frames.code(step.column, name);
                step.last = value;
            }
            frames.set_code(step.column, step.code);
            return true;
        case FieldKind::peer:
        case FieldKind::root:
            if (value >= kFirstSpecialRank && value <= 0xFFFFFFFFU) {
                frames.set(step.column, special_rank(value));
                return true;
            }
            break;
        default:
            break;
    }
    if (!fits(value)) return false;
    frames.set(step.column, static_cast<i64>(value));
    return true;
}

}  // namespace tracefold
