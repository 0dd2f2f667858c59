// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/timing_codec.hpp"

#include "file/clock_granularity.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

struct Division {
    u64 quotient;
    u64 remainder;
};

/// Divides nearly all numbers in 32 bits, which is several times faster on many processors.
Division quotient_of(u64 ticks, u64 granularity) {
    if (((ticks | granularity) >> 32U) != 0) return {ticks / granularity, ticks % granularity};
    const auto short_ticks = static_cast<u32>(ticks);
    const auto short_granularity = static_cast<u32>(granularity);
    return {short_ticks / short_granularity, short_ticks % short_granularity};
}

}  // namespace

void TimingEncoder::add(std::span<const CallBatch::Delta> deltas) {
    while (!deltas.empty()) {
        const std::size_t count = std::min(kBlockRecords - ticks_.size(), deltas.size());
        u32* group = groups_.extend(count);
        u64* ticks = ticks_.extend(count);
        for (const CallBatch::Delta& delta : deltas.first(count)) {
            *group++ = delta.group;
            *ticks++ = delta.ticks;
        }
        deltas = deltas.subspan(count);
        if (ticks_.size() == kBlockRecords) write_block();
    }
}

void TimingEncoder::finish() {
    if (!ticks_.empty()) write_block();
}

/// block := granularity records first changes quotients
void TimingEncoder::write_block() {
    const u64 granularity = clock_granularity(ticks_);
    const std::string changes = divide(granularity);
    code_quotients();
    ByteWriter out;
    out.put_varint(granularity);
    out.put_varint(ticks_.size());
    out.put_varint(ticks_[0]);
    out.put_bytes(changes);
    put_quotients(out);
    sink_(out.bytes());
    groups_.clear();
    ticks_.clear();
}

/// changes := count (gap remainder)*
std::string TimingEncoder::divide(u64 granularity) {
    ByteWriter changes;
    u64 change_count = 0;
    std::size_t last_change = 0;
    u64 remainder = 0;
    for (std::size_t i = 1; i < ticks_.size(); ++i) {
        const Division ticks = quotient_of(ticks_[i] + remainder, granularity);
        ticks_[i] = ticks.quotient;
        if (ticks.remainder == remainder) continue;
        remainder = ticks.remainder;
        changes.put_varint(i - last_change);
        changes.put_varint(remainder);
        last_change = i;
        ++change_count;
    }
    ByteWriter out;
    out.put_varint(change_count);
    out.put_bytes(changes.bytes());
    return out.take();
}

/// Inlines all callees: many small calls cost more than their work.
[[gnu::flatten]] void TimingEncoder::code_quotients() {
    if (coding_ == TickCoding::plain) {
        for (const u64 quotient : std::span(ticks_).subspan(1)) plain_.put_varint(quotient);
        return;
    }
    const std::size_t count = ticks_.size() - 1;
    Quotients quotients{
        symbols_.room(TickModel::kMostSymbols * count),
        BitWriter(bits_.extend(TickModel::kMostBitBytes * count + BitWriter::kRest))};
    model_.code(quotients, std::span(std::as_const(groups_)).subspan(1), ticks_.data() + 1);
    symbols_.keep(quotients.next_symbol);
    bits_.shrink(static_cast<std::size_t>(quotients.low_bits.end() - bits_.data()));
}

/// quotients := size symbols size bits | quotient*
void TimingEncoder::put_quotients(ByteWriter& out) {
    if (coding_ == TickCoding::plain) {
        out.put_bytes(plain_.take());
        return;
    }
    out.put_text(symbols_.take());
    out.put_text({bits_.data(), bits_.size()});
    bits_.clear();
}

void TimingDecoder::next(std::span<const u32> groups, u64* ticks) {
    while (!groups.empty()) {
        std::size_t count = 1;
        if (record_ == records_) {
            *ticks = read_block();
        } else {
            count = std::min<std::size_t>(groups.size(), records_ - record_);
            read_quotients(groups.first(count), ticks);
            make_ticks({ticks, count});
        }
        if (record_ == records_) expect_end_of_block();
        groups = groups.subspan(count);
        ticks += count;
    }
}

/// Inlines all callees, see code_quotients().
[[gnu::flatten]] void TimingDecoder::read_quotients(std::span<const u32> groups, u64* ticks) {
    if (coding_ == TickCoding::plain) {
        for (std::size_t i = 0; i < groups.size(); ++i) ticks[i] = in_.get_varint();
        return;
    }
    // A local copy stays in registers.
    Quotients quotients = quotients_;
    model_.code(quotients, groups, ticks);
    quotients_ = quotients;
}

/// Converts the quotients of the block's next records to ticks.
void TimingDecoder::make_ticks(std::span<u64> quotients) {
    for (u64& ticks : quotients) {
        ticks *= granularity_;
        if (next_change_ < changes_.size() && changes_[next_change_].record == record_) {
            const u64 remainder = changes_[next_change_++].remainder;
            ticks += remainder - remainder_;
            remainder_ = remainder;
        }
        ++record_;
    }
}

void TimingDecoder::expect_end() const {
    if (record_ != records_) in_.fail("there are more times than records");
    in_.expect_end();
}

/// Returns the ticks of the first record.
u64 TimingDecoder::read_block() {
    granularity_ = in_.get_varint();
    records_ = in_.get_varint();
    if (granularity_ == 0 || records_ == 0 || records_ > TimingEncoder::kBlockRecords) {
        in_.fail("a timing block has an impossible head");
    }
    const u64 first = in_.get_varint();
    read_changes(records_);
    if (coding_ == TickCoding::modelled) {
        const u64 symbols_size = in_.get_varint();
        quotients_.symbols = AnsDecoder(in_.get_bytes(symbols_size));
        const u64 bits_size = in_.get_varint();
        quotients_.low_bits = BitReader(in_.get_bytes(bits_size));
    }
    remainder_ = 0;
    record_ = 1;
    return first;
}

void TimingDecoder::read_changes(u64 records) {
    changes_.clear();
    next_change_ = 0;
    const u64 count = in_.get_count(2);
    u64 record = 0;
    for (u64 i = 0; i < count; ++i) {
        const u64 gap = in_.get_varint();
        if (gap == 0 || gap >= records - record) in_.fail("a remainder belongs to no record");
        record += gap;
        changes_.push_back({record, in_.get_varint()});
    }
}

void TimingDecoder::expect_end_of_block() const {
    if (coding_ == TickCoding::plain) return;
    if (model_.damaged() || !quotients_.symbols.finished() || !quotients_.low_bits.finished()) {
        in_.fail("the timing does not fit the script");
    }
}

}  // namespace tracefold
