// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/frames/detail/call_frames.hpp"

#include "base/error.hpp"
#include "file/call_names.hpp"
#include "fold/request_list.hpp"
#include "model/definition_names.hpp"
#include "model/event_table.hpp"
#include "questions/calls/text_sink.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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

/// -1: none, -2: self, -3: this group.
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
        // Lists are already in their columns.
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

namespace {

/// Columns that precede the arguments.
enum Place : u8 { kLocation, kRank, kThread, kBegin, kDuration, kStepOfCall, kKind, kCall };

std::string time_unit(bool ticks) { return ticks ? "tick" : "ns"; }

void add_place_columns(std::vector<ColumnInfo>& columns) {
    columns.push_back({"location", ValueColumn::label});
    columns.push_back({"rank", ValueColumn::integer});
    columns.push_back({"thread", ValueColumn::integer});
}

void add_arguments(std::vector<ColumnInfo>& columns) {
    for (std::size_t i = 0; i < kArguments; ++i) {
        columns.push_back(column_of(static_cast<Argument>(i)));
    }
}

constexpr std::size_t index_of(Argument argument) { return static_cast<std::size_t>(argument); }

}  // namespace

std::vector<ColumnInfo> call_columns(bool ticks) {
    std::vector<ColumnInfo> columns;
    add_place_columns(columns);
    columns.push_back({"begin", ValueColumn::integer, time_unit(ticks)});
    columns.push_back({"duration", ValueColumn::integer, time_unit(ticks)});
    columns.push_back({"step", ValueColumn::integer});
    columns.push_back({"kind", ValueColumn::label});
    columns.push_back({"call", ValueColumn::label});
    add_arguments(columns);
    return columns;
}

std::vector<ColumnInfo> event_columns(bool ticks) {
    std::vector<ColumnInfo> columns;
    add_place_columns(columns);
    columns.push_back({"time", ValueColumn::integer, time_unit(ticks)});
    columns.push_back({"event", ValueColumn::label});
    columns.push_back({"region", ValueColumn::label});
    add_arguments(columns);
    return columns;
}

ColumnChoice::ColumnChoice(const std::vector<ColumnInfo>& all,
                           const std::vector<std::string>& names)
    : places_(all.size(), kNone) {
    if (names.empty()) {
        columns_ = all;
        for (u32 i = 0; i < all.size(); ++i) places_[i] = i;
    }
    for (const std::string& name : names) {
        const auto found = std::ranges::find_if(
            all, [&](const ColumnInfo& column) { return column.name == name; });
        if (found == all.end()) {
            std::string known;
            for (const ColumnInfo& column : all) known += (known.empty() ? "" : ", ") + column.name;
            throw Error(ErrorKind::usage, "there is no column '{}'; the columns are {}", name,
                        known);
        }
        u32& place = places_[static_cast<std::size_t>(found - all.begin())];
        if (place != kNone) {
            throw Error(ErrorKind::usage, "column '{}' is requested twice", name);
        }
        place = static_cast<u32>(columns_.size());
        columns_.push_back(*found);
    }
    arguments_.fill(kNone);
    if (all.size() > kArguments) {
        std::copy(places_.end() - kArguments, places_.end(), arguments_.begin());
    }
}

void LocationColumns::begin(u32 location) {
    flush();
    location_ = location;
}

void LocationColumns::flush() {
    const u64 first = first_row_;
    first_row_ = frames_.rows();
    if (location_ == kNone || first == first_row_) return;
    const ParticipantNames::Place place = names_.place(location_);
    if (const u32 column = choice_.place(kLocation); column != kNone) {
        frames_.fill_code(column, first, frames_.code(column, names_.label(location_)));
    }
    if (const u32 column = choice_.place(kRank); column != kNone && place.rank != kNone) {
        frames_.fill(column, first, place.rank);
    }
    if (const u32 column = choice_.place(kThread); column != kNone) {
        frames_.fill(column, first, place.thread);
    }
}

i64 column_time(TickSpan time, TickRate rate, bool in_ticks) {
    const u64 distance = in_ticks ? time.ticks : rate.nearest_nanosecond(time.ticks);
    if (distance > static_cast<u64>(std::numeric_limits<i64>::max())) {
        throw Error(ErrorKind::unsupported,
                    "a time of {} s exceeds a column of whole numbers of {}",
                    rate.seconds_text(time), in_ticks ? "ticks" : "nanoseconds");
    }
    return time.backwards ? -static_cast<i64>(distance) : static_cast<i64>(distance);
}

u64 FrameRequest::capacity(TraceFile& file) const {
    u64 events = 1;
    for (u32 location = 0; location < file.location_count() && events < rows; ++location) {
        events += file.index().events(location);
    }
    return std::min(events, rows);
}

CallFrames::CallFrames(TraceFile& file, CallSelection selection, const FrameRequest& request)
    : file_(file),
      calls_(file, std::move(selection)),
      request_(request),
      choice_(call_columns(request.ticks), request.columns),
      frames_(choice_.columns(), request.capacity(file)),
      places_(choice_, calls_.names(), frames_),
      sink_(frames_, choice_.arguments()),
      rate_(file.definitions().tick_rate()),
      begin_column_(choice_.place(kBegin)),
      duration_column_(choice_.place(kDuration)),
      step_column_(choice_.place(kStepOfCall)),
      kind_column_(choice_.place(kKind)),
      name_column_(choice_.place(kCall)),
      completed_column_(choice_.arguments()[index_of(Argument::completed)]),
      times_(file.summary().timing != TimingLevel::none) {
    if (step_column_ != kNone) calls_.tell_steps();
    for (const u32 column : choice_.arguments())
        first_argument_ = std::min(first_argument_, column);
}

std::shared_ptr<const Frame> CallFrames::next() {
    while (!frames_.is_full()) {
        CallLister* const call = calls_.next();
        if (call == nullptr) break;
        if (calls_.location() != location_) begin_location(calls_.location());
        put_call(*call);
    }
    places_.complete();
    return frames_.take();
}

void CallFrames::begin_location(u32 location) {
    places_.begin(location);
    location_ = location;
    layouts_.clear();
    layouts_.resize(file_.structure().symbols.size());
}

CallFrames::Layout& CallFrames::layout(CallLister& call) {
    Layout& layout = layouts_[call.symbol()];
    if (!layout.known) work_out(call, layout);
    return layout;
}

void CallFrames::work_out(CallLister& call, Layout& layout) {
    call.describe();
    layout.known = true;
    layout.lasts = call.head().kind == CallKind::call;
    if (kind_column_ != kNone) {
        layout.kind = frames_.code(kind_column_, kind_name(call.head().kind));
    }
    if (name_column_ != kNone) layout.name = frames_.code(name_column_, call.head().name);
    plan(call, layout);
}

/// Decides whether every field of the call can go directly to its column.
void CallFrames::plan(CallLister& call, Layout& layout) {
    const std::vector<Element>& elements = call.stream().symbol().elements;
    const bool frame = call.head().kind != CallKind::record;
    u32 set = 0;
    const auto add = [&](u8 type, u8 fields, std::unique_ptr<FieldPlan>& to) {
        auto plan = std::make_unique<FieldPlan>(type, fields, choice_.arguments());
        const bool direct = plan->is_complete() && (plan->arguments() & set) == 0;
        set |= plan->arguments();
        to = std::move(plan);
        return direct;
    };
    layout.plans.resize(elements.size());
    if (!frame && elements.size() != 1) return;
    for (std::size_t e = 0; e < elements.size(); ++e) {
        const Element& element = elements[e];
        if (!element.attributes.empty() || element.raw) return;
        const bool is_frame = frame && (e == 0 || e + 1 == elements.size());
        if (is_frame || element.type == kCompletions || is_silent(element.type)) continue;
        if (frame && !is_plain(element.type)) return;
        if (!add(element.type, event_info(element.type).field_count, layout.plans[e])) return;
        const PostingKind* const posts = posting_kind(element.type);
        if (posts == nullptr || posts->late_values == 0) continue;
        if (layout.posted) return;
        const auto type = static_cast<u8>(posts->completion);
        const auto fields = static_cast<u8>(event_info(type).field_count - 1);
        if (!add(type, fields, layout.posted)) return;
    }
    layout.is_direct = true;
}

void CallFrames::put_call(CallLister& call) {
    Layout& layout = this->layout(call);
    const RecordSpan records = call.stream().records();
    const u64 first = records[0].time;
    const auto time = [this](TickSpan span) { return column_time(span, rate_, request_.ticks); };
    if (times_ && begin_column_ != kNone) {
        frames_.set(begin_column_, time({calls_.clock().since_start(location_, first)}));
    }
    if (times_ && duration_column_ != kNone && layout.lasts) {
        frames_.set(duration_column_,
                    time(TickSpan::between(first, records[records.size() - 1].time)));
    }
    if (step_column_ != kNone && calls_.step()) {
        frames_.set(step_column_, static_cast<i64>(*calls_.step()));
    }
    if (kind_column_ != kNone) frames_.set_code(kind_column_, layout.kind);
    if (name_column_ != kNone) frames_.set_code(name_column_, layout.name);
    if (first_argument_ != kNone && !(layout.is_direct && put_arguments(call, layout))) {
        for (const u32 column : choice_.arguments()) {
            if (column != kNone) frames_.take_back(column);
        }
        call.describe();
        call.pass(sink_);
    }
    frames_.end_row();
}

/// False if a value does not fit its column.
bool CallFrames::put_arguments(CallLister& call, Layout& layout) {
    const CallReader& stream = call.stream();
    const RecordSpan records = stream.records();
    for (std::size_t i = 0; i < records.size(); ++i) {
        const u32 element = stream.element_number(i);
        if (FieldPlan* const plan = layout.plans[element].get()) {
            if (!plan->put(records.values(records[i]), call.text(), frames_)) return false;
        } else if (completed_column_ != kNone && completes_request(records[i].type) &&
                   stream.symbol().elements[element].type == kCompletions) {
            const u64 request = records.values(records[i]).back();
            if (static_cast<i64>(request) < 0) return false;
            frames_.add(completed_column_, static_cast<i64>(request));
        }
    }
    return stream.posted().empty() || put_posted(call, layout);
}

bool CallFrames::put_posted(CallLister& call, Layout& layout) {
    for (const CallReader::Posted& posted : call.stream().posted()) {
        if (!posted.completes || !layout.posted) return false;
        if (!layout.posted->put(posted.fields, call.text(), frames_)) return false;
    }
    return true;
}

}  // namespace tracefold
