// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/static_row.hpp"

#include "base/bytes.hpp"
#include "base/json_writer.hpp"
#include "base/text_stream.hpp"
#include "inspect/page/page_answers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace tracefold {

namespace {

/// Formats the records of a call as JSON. Unlike JsonCallSink without a head and request numbers.
class FactSink final : public CallSink {
  public:
    void begin_call(const CallHead&) override { text_ = "["; }
    void begin_record(std::string_view type, bool) override {
        if (text_.size() > 1) text_ += ',';
        text_ += "{\"type\":";
        append_json_string(type, text_);
        text_ += ",\"fields\":{";
        first_ = true;
    }
    void flag(std::string_view name) override {
        if (begin_member(name)) text_ += "true";
    }
    void begin_field(std::string_view name, bool list) override {
        skipped_ = !begin_member(name);
        list_ = list;
        value_ = false;
        if (list_ && !skipped_) text_ += '[';
    }
    void number(u64 value) override {
        if (begin_value()) text_ += std::to_string(value);
    }
    void number_text(std::string_view text) override { quote(text); }
    void word(const std::string& text) override { quote(text); }
    void end_field() override {
        if (list_ && !skipped_) text_ += ']';
        skipped_ = false;
    }
    void end_record() override { text_ += "}}"; }
    void end_call() override { text_ += ']'; }

    [[nodiscard]] std::string& text() { return text_; }

  private:
    /// False for omitted members.
    bool begin_member(std::string_view name) {
        if (name == "request" || name == "completed") return false;
        if (!first_) text_ += ',';
        first_ = false;
        append_json_string(name, text_);
        text_ += ':';
        return true;
    }
    /// False for omitted values.
    bool begin_value() {
        if (skipped_) return false;
        if (value_) text_ += ',';
        value_ = true;
        return true;
    }
    void quote(std::string_view text) {
        if (begin_value()) append_json_string(text, text_);
    }

    std::string text_;
    bool first_ = true;
    bool list_ = false;
    bool value_ = false;
    bool skipped_ = false;
};

}  // namespace

u32 RowFacts::number(CallLister& lister) {
    FactSink sink;
    lister.describe();
    lister.pass(sink);
    if (sink.text().size() <= 2) return 0;
    const auto [known, fresh] =
        numbers_.try_emplace(std::move(sink.text()), static_cast<u32>(order_.size() + 1));
    if (fresh) order_.push_back(&known->first);
    return known->second;
}

u32 KeptFacts::number(const std::string& text) {
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return known->second;
    if (bytes_ + text.size() + 1 > room_) {
        ++left_out_;
        return 0;
    }
    bytes_ += text.size() + 1;
    const auto number = static_cast<u32>(numbers_.size() + 1);
    order_.push_back(&numbers_.emplace(text, number).first->first);
    return number;
}

std::string KeptFacts::text() const {
    std::string text = "[";
    for (const std::string* fact : order_) {
        if (text.size() > 1) text += ',';
        text += *fact;
    }
    return text + "]";
}

namespace {

using UseTicks = std::array<u64, kTimeUses>;

struct Stretch {
    u64 begin = 0;
    u64 end = 0;
    TimeUse use{};
};

/// The uses in a window of a lane; merges adjacent intervals of one use.
std::vector<Stretch> stretches_of(const Lane& lane, TickWindow window) {
    std::vector<Stretch> all;
    const std::optional<BlockRange> range = blocks_in(lane, window);
    if (!range) return all;
    replay_uses(lane, *range, [&](u64 begin, u64 end, TimeUse use) {
        begin = std::max(begin, window.begin);
        end = std::min(end, window.end);
        if (begin >= end) return;
        if (!all.empty() && all.back().use == use && all.back().end == begin) {
            all.back().end = end;
        } else {
            all.push_back({begin, end, use});
        }
    });
    return all;
}

/// The uses that the page derives from regions; time outside of regions with a use is `base`.
UseTicks uses_of_boxes(const std::vector<LaneBox>& boxes, TickWindow window, TimeUse base) {
    UseTicks uses{};
    const auto add = [&](u64 begin, u64 end, TimeUse use) {
        begin = std::max(begin, window.begin);
        end = std::min(end, window.end);
        if (begin < end) uses[static_cast<std::size_t>(use)] += end - begin;
    };
    if (boxes.empty()) return uses;
    u64 at = boxes.front().begin;
    u64 last = at;
    u64 inner = 0;
    for (const LaneBox& box : boxes) {
        last = std::max(last, box.end);
        if (box.use == base || box.use == TimeUse::computation || box.begin < inner) continue;
        if (box.begin > at) add(at, box.begin, base);
        add(box.begin, box.end, box.use);
        inner = at = std::max(at, box.end);
    }
    add(at, last, base);
    return uses;
}

bool tells_uses(const std::vector<LaneBox>& boxes, const std::vector<Stretch>& stretches,
                TickWindow window, TimeUse base) {
    UseTicks wanted{};
    for (const Stretch& stretch : stretches) {
        wanted[static_cast<std::size_t>(stretch.use)] += stretch.end - stretch.begin;
    }
    const UseTicks told = uses_of_boxes(boxes, window, base);
    for (std::size_t use = 0; use < kTimeUses; ++use) {
        const u64 apart = std::max(wanted[use], told[use]) - std::min(wanted[use], told[use]);
        if (apart > 2) return false;
    }
    return true;
}

std::string packed_stretches(const std::vector<Stretch>& stretches) {
    ByteWriter out;
    u64 at = 0;
    for (const Stretch& stretch : stretches) {
        out.put_varint(stretch.begin - at);
        out.put_varint(stretch.end - stretch.begin);
        out.put_varint(static_cast<u64>(stretch.use));
        at = stretch.end;
    }
    return base64(out.bytes());
}

/// Numbers the kinds of boxes: name, use, whether it is a call, whether it continues.
class BoxKinds {
  public:
    using Kind = std::tuple<u32, TimeUse, bool, bool>;

    u64 number(const Kind& kind) {
        const auto [known, added] = numbers_.emplace(kind, order_.size());
        if (added) order_.push_back(kind);
        return known->second;
    }
    void put(JsonWriter& json) const {
        json.key("kinds").begin_array();
        for (const auto& [name, use, call, open] : order_) {
            json.begin_array().value(name).value(static_cast<int>(use));
            json.value(call ? 1 : 0).value(open ? 1 : 0).end_array();
        }
        json.end_array();
    }

  private:
    std::map<Kind, u64> numbers_;
    std::vector<Kind> order_;
};

/// First call and number of calls of each step of a row within a range of its calls.
void put_kept_steps(JsonWriter& json, const LocationSteps* steps, u64 first, u64 last) {
    if (steps == nullptr || steps->count() == 0) return;
    u64 step = steps->step_from(first);
    if (step > 0) --step;
    ByteWriter out;
    json.member("first_step", step);
    for (u64 at = 0; step < steps->count(); ++step) {
        const LocationSteps::Calls calls = steps->calls(step);
        if (calls.first > last) break;
        out.put_varint(calls.first - at);
        out.put_varint(std::min(calls.end, last + 1) - calls.first);
        at = calls.first;
    }
    json.member("steps", base64(out.bytes()));
}

}  // namespace

TimeUse base_use(const ViewRow& row) { return row.stream ? TimeUse::idle : TimeUse::computation; }

/// Whether a smaller limit would have read the same boxes.
bool has_room_for(const RowCalls& calls, const Lane& lane, std::size_t most) {
    return std::ranges::all_of(calls.windows, [&](const RowCalls::Window& one) {
        return one.too_many || are_at_most(one.boxes, lane, one.window, most);
    });
}

/// Regions that fit into `room` bytes.
std::size_t most_boxes(std::size_t room) { return room / 4; }

RowCalls KeptRows::read(u32 row, const Lane& lane, const std::vector<TickWindow>& windows,
                        std::size_t room) {
    RowCalls calls;
    const TimeUse base = base_use(view_.rows().rows[row]);
    for (const TickWindow& window : windows) {
        RowCalls::Window& own = calls.windows.emplace_back();
        own.window = window;
        auto boxes = lane_boxes(lane, window, most_boxes(room));
        own.too_many = !boxes;
        if (!boxes) continue;
        own.boxes = std::move(*boxes);
        const std::vector<Stretch> stretches = stretches_of(lane, window);
        if (!tells_uses(own.boxes, stretches, window, base))
            own.spent = packed_stretches(stretches);
    }
    read_facts(lane, calls);
    return calls;
}

void KeptRows::read_facts(const Lane& lane, RowCalls& calls) {
    const DefinitionNames* const names =
        view_.with_listing([](ListingSource& listing) { return &listing.names(); });
    CallLister lister(view_.file(), *names, view_.clock(), view_.names().label(lane.location()),
                      lane.location(), Times::skip);
    u64 read = 0;
    for (RowCalls::Window& window : calls.windows) {
        for (const LaneBox& box : window.boxes) {
            window.facts.push_back(0);
            // An open region may occur in several windows.
            if (box.call < read) continue;
            lister.skip(box.call - read);
            if (!lister.read()) continue;
            read = box.call + 1;
            window.facts.back() = calls.facts.number(lister);
        }
    }
}

/// By window and box: the page's numbers of facts.
std::vector<std::vector<u32>> KeptRows::numbers_of_facts(const RowCalls& calls) {
    std::vector<u32> known(calls.facts.count());
    std::vector<std::vector<u32>> numbers;
    for (const RowCalls::Window& window : calls.windows) {
        std::vector<u32>& own = numbers.emplace_back();
        for (const u32 fact : window.facts) {
            // Facts that did not fit are numbered again to count them.
            if (fact != 0 && known[fact - 1] == 0)
                known[fact - 1] = facts_.number(calls.facts.text(fact));
            own.push_back(fact == 0 ? 0 : known[fact - 1]);
        }
    }
    return numbers;
}

std::vector<std::optional<KeptCalls>> KeptRows::write(u32 row, const Lane& lane,
                                                      const RowCalls& calls, std::size_t room) {
    if (!has_room_for(calls, lane, most_boxes(room))) {
        std::vector<TickWindow> windows;
        for (const RowCalls::Window& one : calls.windows) windows.push_back(one.window);
        return write(row, lane, read(row, lane, windows, room), room);
    }
    const std::vector<std::vector<u32>> facts = numbers_of_facts(calls);
    std::vector<std::optional<KeptCalls>> result;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const RowCalls::Window& window = calls.windows[i];
        if (window.too_many) {
            result.emplace_back();
        } else {
            result.push_back(write(row, lane, window, facts[i], room));
        }
    }
    return result;
}

std::optional<KeptCalls> KeptRows::write(u32 row, const Lane& lane, const RowCalls::Window& calls,
                                         const std::vector<u32>& facts, std::size_t room) {
    BoxKinds kinds;
    ByteWriter out;
    const u64 first = calls.boxes.empty() ? 0 : calls.boxes.front().begin;
    u64 begin = first;
    u64 call = 0;
    for (std::size_t i = 0; i < calls.boxes.size(); ++i) {
        const LaneBox& box = calls.boxes[i];
        const LaneSymbol& symbol = lane.symbols()[box.symbol];
        out.put_varint(box.begin - begin);
        out.put_varint(box.call - call);
        out.put_varint(kinds.number(
            {names_.number(symbol), box.use, symbol.use.kind == CallKind::call, box.open}));
        out.put_varint(box.depth);
        out.put_varint(box.end - box.begin);
        out.put_varint(facts[i]);
        begin = box.begin;
        call = box.call;
        if (out.size() * 4 / 3 > room) return std::nullopt;
    }
    TextStream text;
    JsonWriter json(text);
    json.begin_object().member("row", row).member("begin", first);
    json.member("base", static_cast<int>(base_use(view_.rows().rows[row])));
    kinds.put(json);
    if (!calls.spent.empty()) json.member("spent", calls.spent);
    if (!calls.boxes.empty()) {
        put_kept_steps(json, view_.steps(lane.location()), calls.boxes.front().call,
                       calls.boxes.back().call);
    }
    json.member("calls", base64(out.bytes())).end_object();
    KeptCalls kept{std::move(text).str(), calls.boxes.size()};
    if (kept.json.size() > room + 512) return std::nullopt;
    return kept;
}

}  // namespace tracefold
