// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/item_codec.hpp"

#include "base/bytes.hpp"
#include "base/hash.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::array<u32, 3> kLookBack{1, 2, 4};
constexpr u32 kNewReason = 3;
constexpr u64 kLoopMark = 3;  ///< the lower two bits of a meaning are its kind

u64 mark(u64 number, u64 kind) { return number << 2U | kind; }

}  // namespace

void ItemForecast::begin(Kind kind, u64 leaves, const std::vector<u32>& symbols) {
    kind_ = kind;
    leaves_ = leaves;
    symbols_ = symbols;
    loops_.clear();
    items_.clear();
    for (u32 i = 0; i < symbols_.size(); ++i) items_.emplace(meaning_of(i), i);
    if (kind != Kind::symbols) next_new_[static_cast<std::size_t>(kind)] = 0;
}

void ItemForecast::begin_items() { past_.fill(mark(static_cast<u64>(kind_), kLoopMark)); }

u64 ItemForecast::meaning_of(u32 item) const {
    if (item >= leaves_) return loops_[item - leaves_];
    return mark(kind_ == Kind::script ? symbols_[item] : item, static_cast<u64>(kind_));
}

/// Returns the item of this list with the meaning, kNone if there is none.
u32 ItemForecast::item_of(u64 meaning) const {
    const bool by_number = kind_ != Kind::script && (meaning & 3U) == static_cast<u64>(kind_);
    if (by_number) return meaning >> 2U < leaves_ ? static_cast<u32>(meaning >> 2U) : kNone;
    const auto found = items_.find(meaning);
    return found == items_.end() ? kNone : found->second;
}

u64 ItemForecast::key(u32 order, const Past& past) {
    u64 hash = kLookBack[order];
    for (u32 i = 0; i < kLookBack[order]; ++i) hash = mix(hash + past[i]);
    return hash;
}

/// Returns the item that last followed such a past, kNone if there is none in this list.
u32 ItemForecast::follower(u32 order, const Past& past) const {
    const auto meant = followers_.find(key(order, past));
    return meant == followers_.end() ? kNone : item_of(meant->second);
}

Expectations ItemForecast::token(i64 predicted) {
    const auto code = [predicted](u64 item, bool run) {
        return zigzag(static_cast<i64>(item) - predicted) * 2 + (run ? 1 : 0);
    };
    Expectations expected;
    for (u32 order = 0; order < kOrders; ++order) {
        Past past = past_;
        const u32 first = follower(order, past);
        runs_[order] = first == kNone ? 0 : 1;
        if (first == kNone) continue;
        for (u32 last = first; runs_[order] < kMaxRun; ++last, ++runs_[order]) {
            std::shift_right(past.begin(), past.end(), 1);
            past[0] = meaning_of(last);
            if (follower(order, past) != last + 1) break;
        }
        expected.set(order, code(first, runs_[order] > 1));
    }
    expected.set(kNewReason, code(next_new_[static_cast<std::size_t>(kind_)], false));
    return expected;
}

Expectations ItemForecast::run() const {
    Expectations expected;
    for (u32 order = 0; order < kOrders; ++order) {
        if (runs_[order] > 1) expected.set(order, runs_[order] - 2);
    }
    return expected;
}

void ItemForecast::push(u64 meaning) {
    std::shift_right(past_.begin(), past_.end(), 1);
    past_[0] = meaning;
}

/// Does not learn keys beyond the limit, to bound memory.
void ItemForecast::learn(u64 meaning) {
    for (u32 order = 0; order < kOrders; ++order) {
        const u64 past = key(order, past_);
        const auto known = followers_.find(past);
        if (known != followers_.end()) {
            known->second = meaning;
        } else if (followers_.size() < kMaxKeys) {
            followers_.emplace(past, meaning);
        }
    }
}

void ItemForecast::add(u32 first, u64 count) {
    const u64 end = first + count;
    for (u64 item = first; item < first + std::min(count, kMaxRun); ++item) {
        const u64 meaning = meaning_of(static_cast<u32>(item));
        learn(meaning);
        push(meaning);
    }
    for (u64 item = std::max(first + kMaxRun, end - std::min<u64>(count, kLongest)); item < end;
         ++item) {
        push(meaning_of(static_cast<u32>(item)));
    }
    u64& next_new = next_new_[static_cast<std::size_t>(kind_)];
    if (first <= next_new && next_new < end) next_new = end;
}

void ItemForecast::end_loop(const std::vector<u32>& body) {
    u64 hash = body.size();
    for (const u32 item : body) hash = mix(hash + meaning_of(item));
    hash |= kLoopMark;
    items_.emplace(hash, static_cast<u32>(leaves_ + loops_.size()));
    loops_.push_back(hash);
}

namespace {

constexpr u32 kToEnd = 3;  ///< predictor: the run ends with its list

/// `forecast` is null without a follower.
u64 get_run(FieldReader& in, const ItemForecast* forecast, u64 left) {
    Expectations expected;
    if (forecast != nullptr) {
        expected = forecast->run();
        expected.set(kToEnd, left - 2);
    }
    return in.at(FieldRole::item_run, expected).get_varint();
}

}  // namespace

void put_items(ByteWriter& out, const std::vector<u32>& items) {
    out.put_varint(items.size());
    i64 predicted = 0;
    for (std::size_t i = 0; i < items.size();) {
        std::size_t end = i + 1;
        while (end < items.size() && items[end] == items[end - 1] + 1) ++end;
        const u64 more = end - i > 1 ? 1 : 0;
        out.put_varint(zigzag(i64{items[i]} - predicted) * 2 + more);
        if (more != 0) out.put_varint(end - i - 2);
        predicted = i64{items[end - 1]} + 1;
        i = end;
    }
}

std::vector<u32> get_items(FieldReader& in, u64 limit, u64& budget, ItemForecast* forecast) {
    const u64 count = in.at(FieldRole::item_count, Expectations::fitting(limit)).get_varint();
    std::vector<u32> items;
    i64 predicted = 0;
    const Expectations none;
    if (forecast != nullptr) forecast->begin_items();
    while (items.size() < count) {
        const u64 token =
            in.at(FieldRole::item, forecast != nullptr ? forecast->token(predicted) : none)
                .get_varint();
        const u64 length = (token & 1U) != 0 ? get_run(in, forecast, count - items.size()) : 0;
        const i64 first = predicted + unzigzag(token >> 1U);
        const u64 run = (token & 1U) != 0 ? length + 2 : 1;
        if (first < 0 || static_cast<u64>(first) >= limit || run < length ||
            run > limit - static_cast<u64>(first) || run > count - items.size()) {
            in.fail("an item is out of range");
        }
        if (run > budget) in.fail("a pattern has more items than the section can describe");
        budget -= run;
        for (u64 i = 0; i < run; ++i) {
            items.push_back(static_cast<u32>(static_cast<u64>(first) + i));
        }
        if (forecast != nullptr) forecast->add(static_cast<u32>(first), run);
        predicted = first + static_cast<i64>(run);
    }
    return items;
}

}  // namespace tracefold
