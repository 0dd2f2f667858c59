// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/page_answers.hpp"

#include "base/error.hpp"
#include "common/output_format.hpp"
#include "file/program_names.hpp"
#include "inspect/calls/calls.hpp"
#include "model/archive_info.hpp"
#include "questions/calls/call_lister.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace tracefold {

namespace {

/// Limits of the rows that determine the default window; the first one does in any case.
constexpr std::size_t kFirstRows = 32;
constexpr u64 kFirstEvents = 1'000'000;

std::vector<u32> first_rows(TraceView& view) {
    std::vector<u32> first;
    u64 events = 0;
    for (const ViewRow& row : view.rows().rows) {
        if (first.size() == kFirstRows || events >= kFirstEvents) break;
        first.push_back(static_cast<u32>(first.size()));
        events += view.definitions().locations()[row.location].event_count;
    }
    return first;
}

void put_rows(JsonWriter& json, const ViewRows& rows) {
    json.key("rows").begin_array();
    for (const ViewRow& row : rows.rows) {
        json.begin_array().value(row.label);
        row.rank == kNone ? json.null() : json.value(row.rank);
        json.value(row.node).value(row.rank_class).value(row.stream ? 1 : 0);
        json.value(row.location).end_array();
    }
    json.end_array();
    write_list("nodes", rows.nodes, json).member("classes", rows.classes);
}

/// A row of few regions, as [first column or call, ...].
void put_boxes(JsonWriter& json, const Lane& lane, const std::vector<LaneBox>& boxes,
               AnswerNames& names) {
    json.key("boxes").begin_array();
    for (const LaneBox& box : boxes) {
        json.begin_array()
            .value(box.call)
            .value(names.number(lane.symbols()[box.symbol]))
            .value(box.begin)
            .value(box.end - box.begin)
            .value(box.depth)
            .value(static_cast<int>(box.use))
            .value(box.open ? 1 : 0)
            .end_array();
    }
    json.end_array();
}

void put_columns(JsonWriter& json, const LaneColumns& columns) {
    const PackedColumns packed = packed_columns(columns);
    json.member("exact", columns.exact);
    write_list("uses", packed.uses, json).member("shares", packed.shares);
}

/// Sum under one name.
struct NamedSum {
    u64 calls = 0;
    u64 ticks = 0;
    u64 least = ~u64{0};
    u64 most = 0;
    TimeUse use = TimeUse::computation;
};

/// Sums over a window, by name and by use.
class WindowSums {
  public:
    explicit WindowSums(TickWindow window) : window_(window) {}

    void add(TraceView& view, const Lane& lane) {
        std::vector<NamedSum*> sums;
        for (const LaneSymbol& symbol : lane.symbols()) {
            sums.push_back(symbol.use.kind == CallKind::call ? &names_[view.name_of(symbol)]
                                                             : nullptr);
            if (sums.back() != nullptr) sums.back()->use = symbol.use.use;
        }
        visit_calls(lane, window_, [&](u64, const LaneItem& item) {
            if (sums[item.symbol] != nullptr) add(*sums[item.symbol], item);
            return true;
        });
        add_uses(lane);
    }

    void put(JsonWriter& json) const {
        json.key("names").begin_array();
        for (const auto& [name, sum] : names_) {
            if (sum.calls == 0 && sum.ticks == 0) continue;
            json.begin_object().member("name", name).member("use", static_cast<int>(sum.use));
            json.member("calls", sum.calls).member("ticks", sum.ticks);
            if (sum.calls != 0) json.member("least", sum.least).member("most", sum.most);
            json.end_object();
        }
        json.end_array();
        write_list("uses", uses_, json);
    }

  private:
    void add(NamedSum& sum, const LaneItem& item) const {
        const u64 begin = std::max(item.begin, window_.begin);
        const u64 end = std::min(item.end(), window_.end);
        if (begin < end) sum.ticks += end - begin;
        if (item.begin < window_.begin || item.begin >= window_.end) return;
        ++sum.calls;
        sum.least = std::min(sum.least, item.end() - item.begin);
        sum.most = std::max(sum.most, item.end() - item.begin);
    }

    void add_uses(const Lane& lane) {
        const std::optional<BlockRange> range = blocks_in(lane, window_);
        if (!range) return;
        replay_uses(lane, *range, [this](u64 begin, u64 end, TimeUse use) {
            begin = std::max(begin, window_.begin);
            end = std::min(end, window_.end);
            if (begin < end) uses_[static_cast<std::size_t>(use)] += end - begin;
        });
    }

    TickWindow window_;
    std::map<std::string, NamedSum> names_;
    std::array<u64, kTimeUses> uses_{};
};

void put_scopes(JsonWriter& json, TraceView& view, const Lane& lane, u64 call) {
    json.key("path").begin_array();
    for (const LaneScope& scope : scopes_of(lane, call)) {
        json.value(view.name_of(lane.symbols()[scope.symbol]));
    }
    json.end_array();
    const LaneItem item = lane.item(call);
    if (lane.symbols()[item.symbol].use.kind == CallKind::enter) {
        const std::optional<u64> end = end_of_scope(lane, call);
        if (end) json.member("region_ticks", *end - item.begin);
    }
}

void put_message_end(JsonWriter& json, const ViewMessage::End& end) {
    if (end.row == kNone) {
        json.null().null().null();
    } else {
        json.value(end.row).value(end.call).value(end.ticks);
    }
}

}  // namespace

PackedColumns packed_columns(const LaneColumns& columns) {
    PackedColumns packed;
    for (std::size_t use = 0; use < kTimeUses; ++use) {
        if (std::any_of(columns.shares.begin(), columns.shares.end(),
                        [use](const auto& shares) { return shares[use] != 0; }))
            packed.uses.push_back(use);
    }
    std::string bytes;
    for (const auto& shares : columns.shares) {
        for (const std::size_t use : packed.uses) bytes += static_cast<char>(shares[use]);
    }
    packed.shares = base64(bytes);
    return packed;
}

u32 AnswerNames::number(const LaneSymbol& symbol) {
    if (symbol.id >= number_of_.size()) number_of_.resize(symbol.id + std::size_t{1}, kNone);
    u32& known = number_of_[symbol.id];
    if (known != kNone) return known;
    const auto [place, added] =
        numbers_.emplace(view_.name_of(symbol), static_cast<u32>(names_.size()));
    if (added) names_.push_back(&place->first);
    return known = place->second;
}

void AnswerNames::put(JsonWriter& json) const {
    json.key("names").begin_array();
    for (const std::string* name : names_) json.value(*name);
    json.end_array();
}

void put_trace(JsonWriter& json, TraceView& view, const std::string& name, bool replaced) {
    const std::vector<u32> first = first_rows(view);
    const TickWindow program = view.program_window(first);
    const TickWindow window = view.run_window(first);
    json.begin_object().member("name", name);
    json.member("program_name", program_name(view.file()));
    if (replaced) json.member("replaced", true);
    json.member("ticks_per_second", view.tick_rate().ticks_per_second());
    json.member("timing", timing_name(view.summary().timing));
    json.key("window").begin_array().value(window.begin).value(window.end).end_array();
    json.key("program").begin_array().value(program.begin).value(program.end).end_array();
    json.member("end", view.end_so_far()).key("uses").begin_array();
    for (std::size_t use = 0; use < kTimeUses; ++use) {
        json.value(time_use_name(static_cast<TimeUse>(use)));
    }
    json.end_array();
    json.key("functions").begin_object();
    for (const auto& [function, use] : view.uses_by_name(first)) {
        json.member(function, static_cast<int>(use));
    }
    json.end_object();
    put_rows(json, view.rows());
    json.end_object();
}

void put_timeline(JsonWriter& json, TraceView& view, const PageWindow& part) {
    AnswerNames names(view);
    json.begin_object().member("from", part.window.begin).member("to", part.window.end);
    json.member("columns", part.columns).key("rows").begin_array();
    view.expect(part.rows);
    for (const u32 row : part.rows) {
        const std::shared_ptr<const Lane> kept = view.lane(row);
        const Lane& lane = *kept;
        json.begin_object().member("row", row);
        const auto boxes =
            part.boxes ? lane_boxes(lane, part.window, PageLimits::kBoxesOfRow) : std::nullopt;
        if (boxes) {
            put_boxes(json, lane, *boxes, names);
        } else {
            put_columns(json, lane_columns(lane, part.window, part.columns));
        }
        json.end_object();
    }
    json.end_array();
    names.put(json);
    json.member("end", view.end_so_far()).end_object();
}

void expect_call(const Lane& lane, u64 call) {
    if (call >= lane.calls()) throw Error(ErrorKind::usage, "the row has no call of this number");
}

void put_view_call(JsonWriter& json, TraceView& view, u32 row, u64 call) {
    const std::shared_ptr<const Lane> lane = view.lane(row);
    expect_call(*lane, call);
    const u32 location = lane->location();
    const LocationSteps* steps = view.steps(location);
    json.begin_object().member("row", row).member("call", call);
    put_scopes(json, view, *lane, call);
    if (steps != nullptr && steps->step_of(call)) json.member("step", *steps->step_of(call));
    view.with_listing([&](ListingSource& listing) {
        CallLister lister(view.file(), listing.names(), view.clock(), view.names().label(location),
                          location);
        for (u64 i = 0; i <= call; ++i) lister.read();
        lister.describe();
        json.key("listed");
        JsonCallSink sink(view.definitions(), json);
        lister.pass(sink);
    });
    json.end_object();
}

void put_view_messages(JsonWriter& json, TraceView& view, const PageWindow& part) {
    const ViewMessages found = view_messages(view, part.rows, part.window, PageLimits::kMessages,
                                             PageLimits::kMessageCalls);
    json.begin_object().member("too_many", found.too_many).key("messages").begin_array();
    for (const ViewMessage& message : found.messages) {
        json.begin_array();
        put_message_end(json, message.sent);
        put_message_end(json, message.received);
        json.value(message.bytes).value(message.tag);
        json.value(view.definitions().communicator_name(message.communicator)).end_array();
    }
    json.end_array().end_object();
}

void put_view_statistics(JsonWriter& json, TraceView& view, const PageWindow& part) {
    WindowSums sums(part.window);
    for (const u32 row : part.rows) sums.add(view, *view.lane(row));
    json.begin_object().member("from", part.window.begin).member("to", part.window.end);
    json.member("rows", part.rows.size());
    sums.put(json);
    json.end_object();
}

u64 calls_before(const Lane& lane, u64 tick) {
    const std::size_t block = lane.block_at(tick);
    u64 call = lane.blocks()[block].first_call;
    for (const LaneItem& item : lane.items(block)) call += item.begin < tick ? 1 : 0;
    return call;
}

void put_view_steps(JsonWriter& json, TraceView& view, u32 row, TickWindow window) {
    const std::shared_ptr<const Lane> lane = view.lane(row);
    const LocationSteps* steps = view.steps(lane->location());
    const u64 count = steps == nullptr ? 0 : steps->count();
    json.begin_object().member("count", count).key("steps").begin_array();
    u64 stride = 1;
    if (count != 0 && !lane->blocks().empty()) {
        const u64 first = std::min(steps->step_from(calls_before(*lane, window.begin)), count);
        const u64 last = std::min(steps->step_from(calls_before(*lane, window.end)), count);
        while ((last - first) / stride > PageLimits::kSteps) stride *= 2;
        LaneItemReader items(*lane);
        for (u64 step = (first + stride - 1) / stride * stride; step < last; step += stride) {
            const u64 call = steps->calls(step).first;
            if (call >= lane->calls()) break;
            json.begin_array().value(step).value(items.item(call).begin).end_array();
        }
    }
    json.end_array().member("every", stride).end_object();
}

void put_found_call(JsonWriter& json, TraceView& view, const std::vector<u32>& rows,
                    const TraceView::CallSearch& search) {
    const std::optional<FoundCall> found = view.find(rows, search);
    json.begin_object().member("found", found.has_value());
    if (found) {
        const std::shared_ptr<const Lane> lane = view.lane(view.row_of(found->location));
        const LaneSymbol& symbol = lane->symbols()[found->item.symbol];
        u64 end = found->item.end();
        if (symbol.use.kind == CallKind::enter)
            end = end_of_scope(*lane, found->call).value_or(end);
        json.member("row", view.row_of(found->location)).member("call", found->call);
        json.member("name", view.name_of(symbol)).member("begin", found->item.begin);
        json.member("duration", end - found->item.begin);
    }
    json.end_object();
}

std::string base64(std::string_view bytes) {
    static constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text((bytes.size() + 2) / 3 * 4, '=');
    auto letter = text.begin();
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        u32 three = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            three = three << 8U | (i + j < bytes.size() ? static_cast<u8>(bytes[i + j]) : 0U);
        }
        // One byte yields two letters, two yield three.
        const std::size_t letters = std::min<std::size_t>(bytes.size() - i, 3) + 1;
        for (std::size_t j = 0; j < letters; ++j) letter[j] = kLetters[three >> (18 - 6 * j) & 63U];
        letter += 4;
    }
    return text;
}

}  // namespace tracefold
