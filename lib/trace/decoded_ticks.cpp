// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/decoded_ticks.hpp"

namespace tracefold {

namespace {

/// Marks ticks that do not fit into 32 bits: their low and then their high half follow.
constexpr u32 kLong = ~u32{0};

/// Numbers reserved for a location: a few of its ticks may take three.
std::size_t room_for(u64 records) { return records + records / 16 + 64; }

}  // namespace

void DecodedTicks::Reader::next(std::span<u64> ticks) {
    const u32* from = ticks_->data() + at_;
    for (u64& tick : ticks) {
        tick = *from++;
        if (tick != kLong) continue;
        tick = u64{from[1]} << 32U | from[0];
        from += 2;
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
    store_.left_ += room_ * sizeof(u32);
}

void DecodedTicks::Writer::add(std::span<const u64> ticks) {
    if (ticks.size() > missing_) return;
    for (const u64 tick : ticks) {
        if (tick < kLong) {
            ticks_.push_back(static_cast<u32>(tick));
        } else if (ticks_.size() + missing_ + 2 <= room_) {
            ticks_.insert(ticks_.end(),
                          {kLong, static_cast<u32>(tick), static_cast<u32>(tick >> 32U)});
        } else {
            return;
        }
        --missing_;
    }
}

void DecodedTicks::Writer::finish() {
    if (missing_ != 0) return;
    const std::scoped_lock lock(store_.mutex_);
    std::shared_ptr<const std::vector<u32>>& kept = store_.ticks_[location_];
    if (!kept) kept = std::make_shared<const std::vector<u32>>(std::move(ticks_));
}

DecodedTicks::Reader DecodedTicks::reader(u32 location) {
    const std::scoped_lock lock(mutex_);
    const auto found = ticks_.find(location);
    return found == ticks_.end() ? Reader() : Reader(found->second);
}

std::unique_ptr<DecodedTicks::Writer> DecodedTicks::writer(u32 location, u64 records) {
    const std::scoped_lock lock(mutex_);
    if (records > left_ || room_for(records) > left_ / sizeof(u32)) return nullptr;
    if (!ticks_.try_emplace(location).second) return nullptr;
    left_ -= room_for(records) * sizeof(u32);
    return std::make_unique<Writer>(*this, location, records);
}

}  // namespace tracefold
