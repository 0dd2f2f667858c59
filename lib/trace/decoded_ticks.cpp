// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/decoded_ticks.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Marks of ticks that do not fit into 16 bits: two or four numbers follow, the lowest first.
constexpr u16 kTwoFollow = 0xFFFE;
constexpr u16 kFourFollow = 0xFFFF;

std::size_t numbers_of(u64 tick) {
    if (tick < kTwoFollow) return 1;
    return tick >> 32U == 0 ? 3 : 5;
}

void append(u64 tick, std::vector<u16>& to) {
    const std::size_t numbers = numbers_of(tick);
    if (numbers == 1) return to.push_back(static_cast<u16>(tick));
    to.push_back(numbers == 3 ? kTwoFollow : kFourFollow);
    for (std::size_t i = 1; i < numbers; ++i, tick >>= 16U) to.push_back(static_cast<u16>(tick));
}

/// What a location gets at first: a few of its ticks may take more than one number.
std::size_t room_for(u64 records) { return records + records / 16 + 64; }

}  // namespace

void DecodedTicks::Reader::next(std::span<u64> ticks) {
    const u16* from = ticks_->data() + at_;
    for (u64& tick : ticks) {
        tick = *from++;
        if (tick < kTwoFollow) continue;
        const std::size_t following = tick == kTwoFollow ? 2 : 4;
        tick = 0;
        for (std::size_t i = 0; i < following; ++i) tick |= u64{*from++} << (16 * i);
    }
    at_ = static_cast<std::size_t>(from - ticks_->data());
}

DecodedTicks::Writer::Writer(DecodedTicks& store, u32 location, u64 records)
    : store_(store), location_(location), missing_(records), room_(room_for(records)) {
    ticks_.reserve(room_);
}

DecodedTicks::Writer::~Writer() {
    const std::scoped_lock lock(store_.mutex_);
    const auto place = store_.ticks_.find(location_);
    if (place->second) return;
    store_.ticks_.erase(place);
    store_.left_ += room_;
}

/// Reserves more where long ticks need it.
bool DecodedTicks::Writer::has_room(std::size_t numbers) {
    if (numbers <= room_ - ticks_.size()) return true;
    const std::size_t more = std::max(numbers, room_ / 4);
    if (!store_.take(more)) return false;
    room_ += more;
    ticks_.reserve(room_);
    return true;
}

/// Ticks that have no room are still missing at the end, so that none are kept.
void DecodedTicks::Writer::add(std::span<const u64> ticks) {
    std::size_t numbers = 0;
    for (const u64 tick : ticks) numbers += numbers_of(tick);
    if (ticks.size() > missing_ || !has_room(numbers)) return;
    for (const u64 tick : ticks) append(tick, ticks_);
    missing_ -= ticks.size();
}

void DecodedTicks::Writer::finish() {
    if (missing_ != 0) return;
    ticks_.shrink_to_fit();
    const std::scoped_lock lock(store_.mutex_);
    std::shared_ptr<const std::vector<u16>>& kept = store_.ticks_[location_];
    if (kept) return;
    store_.left_ += room_ - ticks_.size();
    kept = std::make_shared<const std::vector<u16>>(std::move(ticks_));
}

DecodedTicks::Reader DecodedTicks::reader(u32 location) {
    const std::scoped_lock lock(mutex_);
    const auto found = ticks_.find(location);
    return found == ticks_.end() ? Reader() : Reader(found->second);
}

std::unique_ptr<DecodedTicks::Writer> DecodedTicks::writer(u32 location, u64 records) {
    const std::scoped_lock lock(mutex_);
    if (records > left_ || room_for(records) > left_) return nullptr;
    if (!ticks_.try_emplace(location).second) return nullptr;
    left_ -= room_for(records);
    return std::make_unique<Writer>(*this, location, records);
}

bool DecodedTicks::take(std::size_t numbers) {
    const std::scoped_lock lock(mutex_);
    if (numbers > left_) return false;
    left_ -= numbers;
    return true;
}

}  // namespace tracefold
