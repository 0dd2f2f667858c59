// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/static_timeline.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/parallel.hpp"
#include "base/text_stream.hpp"
#include "common/output_format.hpp"
#include "common/text.hpp"
#include "file/record_counts.hpp"
#include "inspect/page/page_answers.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kLeastColumns = 64;
constexpr std::size_t kFewestColumns = 16;
constexpr std::size_t kMostKeptColumns = 2048;
/// Per column: a byte for each of about four uses, in base64.
constexpr std::size_t kBytesOfColumn = 6;
constexpr std::size_t kMostBytesOfColumn = 12;
/// Per region, in base64, approximately.
constexpr std::size_t kBytesOfBox = 14;
constexpr std::size_t kMostKeptCalls = 1'000'000;  ///< per row: limit for browsers
constexpr std::size_t kMostKeptMessages = 50'000;
constexpr u64 kMostKeptMessageCalls = 4'000'000;
constexpr u64 kLeastPartCalls = 24;

/// Packs messages for a static page; docs/internals/page.md describes the format.
class MessagePacker {
  public:
    MessagePacker(TraceView& view, u64 begin) : view_(view), begin_(begin) {}

    void add(const ViewMessage& message) {
        put(message.sent, begin_);
        put(message.received, message.sent.row == kNone ? begin_ : message.sent.ticks);
        const auto [known, added] = kinds_.emplace(
            std::tuple{message.bytes, message.tag, message.communicator}, kinds_.size());
        if (added) order_.push_back(known->first);
        out_.put_varint(known->second);
    }
    [[nodiscard]] std::string text(TickWindow window) const {
        TextStream out;
        JsonWriter json(out);
        json.begin_object().member("from", window.begin).member("to", window.end);
        json.key("kinds").begin_array();
        for (const auto& [bytes, tag, communicator] : order_) {
            json.begin_array().value(bytes).value(tag);
            json.value(view_.definitions().communicator_name(communicator)).end_array();
        }
        json.end_array().member("messages", base64(out_.bytes())).end_object();
        return std::move(out).str();
    }

  private:
    void put(const ViewMessage::End& end, u64 from) {
        if (end.row == kNone) return out_.put_varint(0);
        out_.put_varint(u64{end.row} + 1);
        out_.put_varint(end.call);
        out_.put_signed(static_cast<i64>(end.ticks - from));
    }

    TraceView& view_;
    u64 begin_;
    ByteWriter out_;
    std::map<std::tuple<u64, u64, u64>, std::size_t> kinds_;
    std::vector<std::tuple<u64, u64, u64>> order_;
};

/// Room of a row for each of the windows; that in the middle needs more than others.
std::size_t share_of(std::size_t room, const std::vector<TickWindow>& windows) {
    return room * 2 / (windows.size() + 1);
}

std::string rows_are(u32 count) {
    return format_counted(count, "row") + (count == 1 ? " is" : " are");
}

void append(std::string& list, const std::string& item) {
    if (!list.empty()) list += ',';
    list += item;
}

}  // namespace

StaticTimeline::StaticTimeline(Communicator& comm, TraceView& view, std::size_t room, u32 threads)
    : comm_(comm),
      view_(view),
      room_(room),
      threads_(threads),
      names_(view),
      facts_(room / 4),
      rows_(view, names_, facts_) {}

/// As declared: lanes are not available yet.
u64 StaticTimeline::calls_of_rows() const {
    u64 events = 0;
    for (const ViewRow& row : view_.rows().rows) {
        events += view_.definitions().locations()[row.location].event_count;
    }
    return events / 2;
}

void StaticTimeline::plan() {
    const auto rows = static_cast<u32>(view_.rows().rows.size());
    whole_ = {0, std::max<u64>(view_.end_so_far(), 1) + 1};
    parts_.push_back({whole_, {}, {}});
    if (rows == 0 || calls_of_rows() * kBytesOfBox < room_) return;
    columns_ = std::clamp(room_ * 2 / 5 / rows / kBytesOfColumn, kLeastColumns, kMostKeptColumns);
    columns_room_ = std::min(room_ / 2, columns_ * kMostBytesOfColumn * rows);
    room_ -= columns_room_;
    // Half of the space is reserved for arguments and messages.
    place_parts(room_ / 2 / rows / 3 / kBytesOfBox);
}

/// Keeps calls at the begin, at the end and, most of all, in the middle of the program.
void StaticTimeline::place_parts(std::size_t boxes_of_row) {
    const std::shared_ptr<const Lane> lane = view_.lane(0);
    if (boxes_of_row < kLeastPartCalls || lane->calls() < 4 * boxes_of_row) return;
    const TickWindow home = view_.run_window({0});
    // The last call may begin before the end of the program.
    const auto call_at = [&lane](u64 tick) {
        return std::min(calls_before(*lane, tick), lane->calls() - 1);
    };
    const u64 begin = call_at(home.begin);
    const u64 end = call_at(home.end);
    const u64 middle = begin + (end - begin) / 2;
    const std::size_t at_ends = boxes_of_row / 2;
    const std::size_t of_steps = boxes_of_row * 2;
    add_part(*lane, begin, begin + at_ends);
    u64 from = middle;
    u64 to = middle + of_steps;
    const LocationSteps* steps = view_.steps(lane->location());
    if (steps != nullptr && steps->step_from(middle) < steps->count()) {
        // Whole steps, as many as fit; a part of one that is too long.
        u64 step = steps->step_from(middle);
        from = steps->calls(step).first;
        to = steps->calls(step).end;
        while (step + 1 < steps->count() && steps->calls(step + 1).end - from <= of_steps) {
            to = steps->calls(++step).end;
        }
        to = std::min(to, from + 2 * of_steps);
    }
    add_part(*lane, from, std::min(to, lane->calls()));
    add_part(*lane, end - std::min(end, u64{at_ends}), end);
}

void StaticTimeline::add_part(const Lane& lane, u64 first, u64 last) {
    const u64 begin = lane.item(first).begin;
    const u64 end = lane.item(std::min(last, lane.calls() - 1)).end() + 1;
    if (parts_.size() > 1 && parts_.back().window.end > begin) return;
    parts_.push_back({{begin, end}, {}, {}});
}

std::string StaticTimeline::text() {
    on_first(comm_, [&] { put_rows(); });
    const std::vector<ViewMessages> messages = messages_of_parts();
    std::string text;
    on_first(comm_, [&] {
        take_messages(messages);
        text = put_all();
    });
    return text;
}

std::string StaticTimeline::put_all() {
    std::string text = fmt::format("\"window\":[{},{}],\"rows\":[", whole_.begin, whole_.end);
    text += coarse_rows_;
    text += "],";
    put_parts(text);
    text += ",\"facts\":";
    text += facts_.text();
    text += ",\"messages\":[";
    text += messages_;
    text += "]";
    put_steps(text);
    TextStream out;
    JsonWriter json(out);
    json.begin_object();
    names_.put(json);
    json.end_object();
    const std::string names = out.str();
    text += ',';
    text += names.substr(1, names.rfind('}') - 1);
    return text;
}

void StaticTimeline::put_rows() {
    plan();
    messages_room_ = room_ / 10;
    const std::size_t rest = room_ - messages_room_;
    room_ -= messages_room_ + std::min<std::size_t>(rest, room_ / 4);  // a quarter for arguments
    std::vector<RowAhead> ahead(view_.rows().rows.size());
    run_each_in_order(
        threads_, ahead.size(),
        [&](std::size_t row) { ahead[row] = read_row(static_cast<u32>(row)); },
        [&](std::size_t row) {
            put_row(static_cast<u32>(row), std::exchange(ahead[row], {}));
            view_.release(static_cast<u32>(row));
        });
}

/// An upper bound until earlier rows are written: excludes space that later rows need.
std::size_t StaticTimeline::room_of(u32 row) const {
    const std::size_t room = room_;
    const std::size_t share = room / (view_.rows().rows.size() - row);
    return std::min(parts_.size() == 1 ? std::max(share, room / 2) : share * 2, room);
}

bool StaticTimeline::may_be_whole(const Lane& lane, std::size_t room) const {
    return lane.calls() * kBytesOfBox / 2 < room && lane.calls() < kMostKeptCalls;
}

std::vector<TickWindow> StaticTimeline::part_windows() const {
    std::vector<TickWindow> windows;
    for (std::size_t i = 1; i < parts_.size(); ++i) windows.push_back(parts_[i].window);
    return windows;
}

StaticTimeline::RowAhead StaticTimeline::read_row(u32 row) {
    RowAhead ahead;
    ahead.lane = view_.lane(row);
    const Lane& lane = *ahead.lane;
    const std::size_t room = room_of(row);
    if (may_be_whole(lane, room)) {
        ahead.whole = rows_.read(row, lane, {{0, lane.end() + 1}}, room);
        return ahead;
    }
    ahead.columns = packed_columns(lane_columns(lane, whole_, columns_));
    const std::vector<TickWindow> windows = part_windows();
    if (windows.empty() || lane.calls() == 0) return ahead;
    ahead.parts = rows_.read(row, lane, windows, share_of(room, windows));
    return ahead;
}

/// Writes all calls if they fit, else parts, plus columns.
void StaticTimeline::put_row(u32 row, RowAhead ahead) {
    const std::size_t room = room_of(row);
    if (ahead.whole && put_whole(row, ahead, room)) return;
    put_columns(row, ahead);
    put_part_calls(row, ahead, room);
}

bool StaticTimeline::put_whole(u32 row, const RowAhead& ahead, std::size_t room) {
    if (!may_be_whole(*ahead.lane, room)) return false;
    const auto kept = rows_.write(row, *ahead.lane, *ahead.whole, room);
    if (!kept.front()) return false;
    append(parts_.front().rows, kept.front()->json);
    parts_.front().kept.push_back(row);
    room_ -= std::min<std::size_t>(room_, kept.front()->json.size());
    ++exact_;
    return true;
}

void StaticTimeline::put_part_calls(u32 row, RowAhead& ahead, std::size_t room) {
    const std::vector<TickWindow> windows = part_windows();
    if (windows.empty() || ahead.lane->calls() == 0) return;
    const std::size_t share = share_of(room, windows);
    if (!ahead.parts) ahead.parts = rows_.read(row, *ahead.lane, windows, share);
    const auto kept = rows_.write(row, *ahead.lane, *ahead.parts, share);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (!kept[i]) continue;
        append(parts_[i + 1].rows, kept[i]->json);
        parts_[i + 1].kept.push_back(row);
        room_ -= std::min<std::size_t>(room_, kept[i]->json.size());
    }
}

/// Rows with large columns get fewer of them.
void StaticTimeline::put_columns(u32 row, const RowAhead& ahead) {
    const auto rows = static_cast<u32>(view_.rows().rows.size());
    const std::size_t room = columns_room_ == 0 ? room_.load() : columns_room_;
    const std::size_t share = room / (rows - row);
    std::size_t columns = columns_;
    const auto pack = [&] { return packed_columns(lane_columns(*ahead.lane, whole_, columns)); };
    PackedColumns packed = ahead.columns ? *ahead.columns : pack();
    while (packed.shares.size() > share && columns > kFewestColumns) {
        columns /= 2;
        packed = pack();
    }
    if (packed.shares.size() > room) {
        ++missing_;
        return;
    }
    ++coarse_;
    fewest_columns_ = std::min(fewest_columns_, columns);
    if (columns_room_ == 0) {
        room_ -= packed.shares.size();
    } else {
        columns_room_ -= packed.shares.size();
    }
    TextStream out;
    JsonWriter json(out);
    json.begin_object().member("row", row);
    json.member("base", static_cast<int>(base_use(view_.rows().rows[row])));
    write_list("uses", packed.uses, json).member("shares", packed.shares).end_object();
    append(coarse_rows_, std::move(out).str());
}

/// Adds messages of rows with all calls, if they are few enough.
void StaticTimeline::take_messages(const std::vector<ViewMessages>& messages) {
    std::size_t room = messages_room_;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        const ViewMessages& found = messages[i];
        if (part.kept.empty()) continue;
        MessagePacker packer(view_, part.window.begin);
        for (const ViewMessage& message : found.messages) packer.add(message);
        const std::string text = packer.text(part.window);
        if (found.too_many || text.size() > room) {
            all_messages_ = false;
            continue;
        }
        room -= text.size();
        append(messages_, text);
    }
}

/// For the parts of process 0. Collective; complete on process 0.
std::vector<ViewMessages> StaticTimeline::messages_of_parts() {
    const bool is_first = comm_.rank() == 0;
    const std::string parts = comm_.broadcast(is_first ? to_bytes(parts_) : std::string(), 0);
    if (!is_first) parts_ = from_bytes<std::vector<Part>>(parts, "the parts of a timeline");
    std::vector<RowsWindow> windows;
    for (const Part& part : parts_) windows.push_back({part.window, part.kept});
    return view_messages(comm_, view_, windows, kMostKeptMessages, kMostKeptMessageCalls, threads_);
}

void StaticTimeline::put_parts(std::string& text) const {
    text += "\"parts\":[";
    bool first = true;
    for (const Part& part : parts_) {
        if (part.kept.empty()) continue;
        text += fmt::format("{}{{\"from\":{},\"to\":{},\"rows\":[", first ? "" : ",",
                            part.window.begin, part.window.end);
        text += part.rows;
        text += "]}";
        first = false;
    }
    text += "]";
}

void StaticTimeline::put_steps(std::string& text) {
    TextStream out;
    JsonWriter json(out);
    if (view_.rows().rows.empty()) {
        json.begin_object().member("count", 0).key("steps").begin_array().end_array();
        json.member("every", 1).end_object();
    } else {
        put_view_steps(json, view_, 0, whole_);
    }
    text += ",\"steps\":" + out.str();
}

std::string StaticTimeline::says() const {
    std::string text;
    const auto say = [&text](const std::string& what) {
        text += (text.empty() ? "" : "; ") + what;
    };
    if (coarse_ != 0) {
        const double seconds = view_.tick_rate().seconds(whole_.length() / fewest_columns_);
        say(fmt::format(
            "{} shown as averages over {} at most{}", rows_are(coarse_), format_time(seconds),
            parts_.size() > 1 ? ", and with single calls where the time axis is marked" : ""));
    }
    if (missing_ != 0) say(rows_are(missing_) + " not in this page");
    if (!all_messages_) say("not all messages are in this page");
    if (facts_.left_out() != 0) {
        say("arguments of " + format_counted(facts_.left_out(), "call") + " are not in this page");
    }
    return text;
}

}  // namespace tracefold
