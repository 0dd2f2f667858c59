// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/kept_row.hpp"

#include "inspect/page/page_answers.hpp"
#include "io/bytes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <tuple>

namespace tracefold {

namespace {

using UseTicks = std::array<u64, kTimeUses>;

struct Stretch {
    u64 begin = 0;
    u64 end = 0;
    TimeUse use{};
};

/// What a window of a lane is spent on, neighbours of one use together.
std::vector<Stretch> stretches_of(const Lane& lane, TickWindow window) {
    std::vector<Stretch> all;
    const std::optional<BlockRange> range = blocks_in(lane, window);
    for (std::size_t block = range ? range->first : 1; range && block <= range->last; ++block) {
        replay_uses(lane, block, [&](u64 begin, u64 end, TimeUse use) {
            begin = std::max(begin, window.begin);
            end = std::min(end, window.end);
            if (begin >= end) return;
            if (!all.empty() && all.back().use == use && all.back().end == begin) {
                all.back().end = end;
            } else {
                all.push_back({begin, end, use});
            }
        });
    }
    return all;
}

/// The same as the page makes it up from regions: what is in none of a use of its own is `base`.
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

/// Numbers what boxes are: name, use, whether it is a call, whether it goes on.
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

/// The first call and the number of calls of each step of a row in a range of its calls.
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

std::vector<std::vector<u32>> KeptRows::facts_of(
    const Lane& lane, const std::vector<std::optional<std::vector<LaneBox>>>& windows) {
    std::vector<std::vector<u32>> facts(windows.size());
    view_.with_listing([&](const ListingSource& listing) {
        CallLister lister(view_.file(), listing.names(), view_.clock(),
                          view_.names().label(lane.location()), lane.location(), Times::skip);
        u64 read = 0;
        for (std::size_t i = 0; i < windows.size(); ++i) {
            if (!windows[i]) continue;
            for (const LaneBox& box : *windows[i]) {
                facts[i].push_back(0);
                // A region that is open may stand in several windows.
                if (box.call < read) continue;
                lister.skip(box.call - read);
                if (!lister.read()) continue;
                read = box.call + 1;
                facts[i].back() = facts_.number(lister);
            }
        }
    });
    return facts;
}

std::vector<std::optional<KeptCalls>> KeptRows::windows(u32 row, const Lane& lane,
                                                        const std::vector<TickWindow>& windows,
                                                        std::size_t room) {
    std::vector<std::optional<std::vector<LaneBox>>> boxes;
    for (const TickWindow& window : windows) boxes.push_back(lane_boxes(lane, window, room / 4));
    const std::vector<std::vector<u32>> facts = facts_of(lane, boxes);
    std::vector<std::optional<KeptCalls>> result;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (!boxes[i]) {
            result.emplace_back();
            continue;
        }
        result.push_back(calls(row, lane, windows[i], room, *boxes[i], facts[i]));
    }
    return result;
}

std::optional<KeptCalls> KeptRows::calls(u32 row, const Lane& lane, TickWindow window,
                                         std::size_t room, const std::vector<LaneBox>& boxes,
                                         const std::vector<u32>& facts) {
    BoxKinds kinds;
    ByteWriter out;
    const u64 first = boxes.empty() ? 0 : boxes.front().begin;
    u64 begin = first;
    u64 call = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const LaneBox& box = boxes[i];
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
    const TimeUse base = base_use(view_.rows().rows[row]);
    const std::vector<Stretch> stretches = stretches_of(lane, window);
    std::ostringstream text;
    JsonWriter json(text);
    json.begin_object().member("row", row).member("begin", first);
    json.member("base", static_cast<int>(base));
    kinds.put(json);
    if (!tells_uses(boxes, stretches, window, base)) {
        json.member("spent", packed_stretches(stretches));
    }
    if (!boxes.empty()) {
        put_kept_steps(json, view_.steps(lane.location()), boxes.front().call, boxes.back().call);
    }
    json.member("calls", base64(out.bytes())).end_object();
    KeptCalls kept{std::move(text).str(), boxes.size()};
    if (kept.json.size() > room + 512) return std::nullopt;
    return kept;
}

}  // namespace tracefold
