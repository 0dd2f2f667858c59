// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/quantised_ticks.hpp"

#include "base/error.hpp"
#include "file/clock_granularity.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kMaxStep = u64{1} << 32U;

/// An empty section: a location without records.
u64 get_step(ByteReader& in) {
    if (in.remaining() == 0) return 1;
    const u64 step = in.get_varint();
    if (step == 0 || step > kMaxStep) in.fail("the step of the clock is impossible");
    return step;
}

}  // namespace

QuantisedEncoder::QuantisedEncoder(TimingEncoder::Sink sink, u32 error_ppm, TickCoding coding)
    : sink_(std::move(sink)),
      precision_{error_ppm, 1},
      encoder_([this](std::string_view bytes) { sink_(bytes); }, coding) {}

void QuantisedEncoder::begin() {
    encoder_.begin();
    grid_.reset();
    behind_ = 0;
    first_ = true;
}

void QuantisedEncoder::add(const std::vector<CallBatch::Delta>& deltas) {
    pending_.insert(pending_.end(), deltas.begin(), deltas.end());
    if (!grid_ && pending_.size() >= kSample) start();
    if (grid_) code();
}

void QuantisedEncoder::finish() {
    if (!grid_ && !pending_.empty()) start();
    if (grid_) code();
    encoder_.finish();
}

void QuantisedEncoder::start() {
    std::vector<u64> ticks;
    for (const CallBatch::Delta& delta : pending_) ticks.push_back(delta.ticks);
    precision_.clock_step = std::min(clock_granularity(ticks), kMaxStep);
    grid_.emplace(precision_);
    ByteWriter head;
    head.put_varint(precision_.clock_step);
    sink_(head.bytes());
}

void QuantisedEncoder::code() {
    for (CallBatch::Delta& delta : pending_) {
        if (std::exchange(first_, false)) continue;
        const i64 wanted = static_cast<i64>(delta.ticks) + behind_;
        delta.ticks = grid_->index_of(delta.ticks, wanted < 0 ? 0 : static_cast<u64>(wanted));
        behind_ = wanted - static_cast<i64>((*grid_)[delta.ticks]);
    }
    encoder_.add(pending_);
    pending_.clear();
}

QuantisedDecoder::QuantisedDecoder(std::string_view bytes, u32 error_ppm, const std::string& name,
                                   TickCoding coding)
    : QuantisedDecoder(ByteReader(bytes, name), error_ppm, name, coding) {}

QuantisedDecoder::QuantisedDecoder(ByteReader in, u32 error_ppm, const std::string& name,
                                   TickCoding coding)
    : precision_{error_ppm, get_step(in)},
      grid_(precision_),
      decoder_(in.get_bytes(in.remaining()), name, coding),
      name_(name) {}

u64 QuantisedDecoder::next(u32 group) {
    const u64 coded = decoder_.next(group);
    if (std::exchange(first_, false)) return coded;
    if (coded >= grid_.size()) throw Error(ErrorKind::corrupt, name_ + ": a time is off the grid");
    return grid_[coded];
}

}  // namespace tracefold
