// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/kept_page.hpp"

#include "comm/serial.hpp"
#include "core/json_text.hpp"
#include "inspect/page/base64.hpp"
#include "inspect/page/page_answers.hpp"
#include "inspect/page/page_documents.hpp"
#include "io/bytes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kLeastColumns = 64;
constexpr std::size_t kMostColumns = 2048;
constexpr std::size_t kMostKeptBoxes = 1'000'000;  ///< of a row: a browser has to hold them
constexpr std::size_t kHistograms = 6;
/// Rows of more calls are not tried: they cannot fit.
constexpr std::size_t kLeastBytesPerCall = 5;

constexpr const char* kDocuments[] = {
    "info",  "structure",   "profile",     "efficiency",   "stats",           "graph",
    "ranks", "matrix-rank", "matrix-node", "matrix-class", "collective-rank", "rma-rank"};

/// The calls of a lane, by name the most time first.
std::vector<std::string> busiest(TraceView& view, const Lane& lane) {
    std::map<std::string, u64> ticks;
    visit_calls(lane, {lane.begin(), lane.end()}, [&](u64, const LaneItem& item) {
        const LaneSymbol& symbol = lane.symbols()[item.symbol];
        if (symbol.use.kind == CallKind::call && symbol.use.is_mpi) {
            ticks[view.name_of(symbol)] += item.end() - item.begin;
        }
        return true;
    });
    std::vector<std::pair<u64, std::string>> order;
    for (const auto& [name, sum] : ticks) order.emplace_back(sum, name);
    std::sort(order.rbegin(), order.rend());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < order.size() && i < kHistograms; ++i)
        names.push_back(order[i].second);
    return names;
}

/// Documents that fit, as members of an object; notes those that do not.
class KeptDocuments {
  public:
    KeptDocuments(const std::string& path, std::size_t room) : path_(path), room_(room) {}

    void add(const std::string& document, const std::string& call = "") {
        std::string text = page_document(alone_, document_command(document, call), path_);
        while (!text.empty() && text.back() == '\n') text.pop_back();
        const std::string key = call.empty() ? document : document + " " + call;
        if (text.size() > room_) {
            left_out_.push_back(key);
            return;
        }
        room_ -= text.size();
        if (!text_.empty()) text_ += ',';
        append_json_string(key, text_);
        text_ += ':' + text;
    }

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t room() const { return room_; }
    [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

  private:
    SerialCommunicator alone_;
    std::string path_;
    std::size_t room_;
    std::string text_;
    std::vector<std::string> left_out_;
};

/// The rows of a timeline, as they fit.
class KeptTimeline {
  public:
    KeptTimeline(TraceView& view, TickWindow window, std::size_t room)
        : view_(view), window_(window), room_(room) {}

    void put(JsonWriter& json) {
        const auto rows = static_cast<u32>(view_.rows().rows.size());
        // Half of the room is for all rows in columns, unless all fit call by call.
        const std::size_t per_row = rows == 0 ? 0 : room_ / 2 / rows;
        columns_ = std::clamp(per_row / 6, kLeastColumns, kMostColumns);
        json.key("rows").begin_array();
        for (u32 row = 0; row < rows; ++row) {
            // What the rows to come need at least is not for this one.
            const std::size_t rest = std::min(room_, (rows - row - 1) * columns_ * 4);
            put_row(json, row, room_ - rest);
        }
        json.end_array();
        names_.put(json);
    }

    [[nodiscard]] u32 exact() const { return exact_; }
    [[nodiscard]] u32 coarse() const { return coarse_; }
    [[nodiscard]] u32 missing() const { return missing_; }
    [[nodiscard]] u64 column_ticks() const { return window_.length() / columns_; }

  private:
    void put_row(JsonWriter& json, u32 row, std::size_t room) {
        const std::shared_ptr<const Lane> lane = view_.lane(row);
        if (lane->calls() * kLeastBytesPerCall < room && lane->calls() < kMostKeptBoxes) {
            const auto boxes = lane_boxes(*lane, {0, lane->end() + 1}, kMostKeptBoxes);
            if (boxes && put_calls(json, row, *lane, *boxes, room)) {
                ++exact_;
                return;
            }
        }
        put_columns(json, row, *lane);
    }

    bool put_calls(JsonWriter& json, u32 row, const Lane& lane, const std::vector<LaneBox>& boxes,
                   std::size_t room) {
        std::map<std::pair<u32, TimeUse>, u32> kinds;
        std::vector<std::pair<u32, TimeUse>> order;
        ByteWriter out;
        u64 begin = boxes.empty() ? 0 : boxes.front().begin;
        u64 call = 0;
        const u64 first = begin;
        for (const LaneBox& box : boxes) {
            const std::pair<u32, TimeUse> kind{
                names_.number(view_.name_of(lane.symbols()[box.symbol])), box.use};
            const auto [known, added] = kinds.emplace(kind, static_cast<u32>(order.size()));
            if (added) order.push_back(kind);
            out.put_varint(box.begin - begin);
            out.put_varint(box.call - call);
            out.put_varint(known->second);
            out.put_varint(box.depth);
            out.put_varint(box.end - box.begin);
            begin = box.begin;
            call = box.call;
            if (out.size() * 4 / 3 > room) return false;
        }
        const std::string text = base64(out.bytes());
        room_ -= std::min(room_, text.size());
        json.begin_object().member("row", row).member("begin", first);
        json.member("base", base_of(row)).key("kinds").begin_array();
        for (const auto& [name, use] : order) {
            json.begin_array().value(name).value(static_cast<int>(use)).end_array();
        }
        json.end_array().member("calls", text).end_object();
        return true;
    }

    void put_columns(JsonWriter& json, u32 row, const Lane& lane) {
        if (columns_ * 2 > room_) {
            ++missing_;
            return;
        }
        ++coarse_;
        const PackedColumns packed = packed_columns(lane_columns(lane, window_, columns_));
        room_ -= std::min(room_, packed.shares.size());
        json.begin_object()
            .member("row", row)
            .member("base", base_of(row))
            .key("uses")
            .begin_array();
        for (const std::size_t use : packed.uses) json.value(use);
        json.end_array().member("shares", packed.shares).end_object();
    }

    [[nodiscard]] int base_of(u32 row) const {
        return static_cast<int>(view_.rows().rows[row].stream ? TimeUse::idle
                                                              : TimeUse::computation);
    }

    TraceView& view_;
    TickWindow window_;
    std::size_t room_;
    std::size_t columns_ = kLeastColumns;
    AnswerNames names_;
    u32 exact_ = 0;
    u32 coarse_ = 0;
    u32 missing_ = 0;
};

std::string says(const KeptTimeline& timeline, const KeptDocuments& documents, u64 rate) {
    std::string text;
    if (timeline.coarse() != 0) {
        const double seconds =
            static_cast<double>(timeline.column_ticks()) / static_cast<double>(rate);
        text += std::to_string(timeline.coarse()) + " rows are kept as columns of " +
                fmt::format("{:.3g}", seconds * 1e6) + " us, not call by call";
    }
    if (timeline.missing() != 0) {
        text += (text.empty() ? "" : "; ") + std::to_string(timeline.missing()) +
                " rows are not in this page";
    }
    for (const std::string& document : documents.left_out()) {
        text += (text.empty() ? "" : "; ") + document + " is too large for this page";
    }
    if (text.empty()) return text;
    return text + " (--max-size). trace_inspect serve shows all of it exactly.";
}

}  // namespace

std::string kept_page_data(TraceView& view, const std::string& path, const std::string& name,
                           std::size_t most_bytes) {
    KeptDocuments documents(path, most_bytes / 2);
    for (const char* document : kDocuments) documents.add(document);
    std::vector<u32> first;
    if (!view.rows().rows.empty()) {
        for (const std::string& call : busiest(view, *view.lane(0))) {
            documents.add("histogram", call);
            documents.add("over-time", call);
        }
        first.push_back(0);
    }
    std::ostringstream out;
    JsonWriter json(out);
    json.begin_object();
    const std::size_t room = most_bytes - std::min(most_bytes, documents.text().size());
    const TickWindow window = view.program_window(first);
    const TickWindow kept{0, std::max<u64>({view.end_so_far(), window.end, 1})};
    json.key("timeline").begin_object();
    json.key("window").begin_array().value(kept.begin).value(kept.end).end_array();
    KeptTimeline timeline(view, kept, room);
    timeline.put(json);
    json.key("steps");
    if (first.empty()) {
        json.begin_object().member("count", 0).key("steps").begin_array().end_array();
        json.member("every", 1).end_object();
    } else {
        put_view_steps(json, view, 0, {0, kept.end + 1});
    }
    json.member("exact", timeline.coarse() + timeline.missing() == 0);
    json.member("says", says(timeline, documents, view.ticks_per_second())).end_object();
    json.key("trace");
    put_trace(json, view, name);
    json.member("mode", "report").end_object();
    std::string text = out.str();
    text.erase(text.rfind('}'));
    return text + ",\"documents\":{" + documents.text() + "}}";
}

}  // namespace tracefold
