// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/timing_codec.hpp"

#include "format/clock_granularity.hpp"
#include "format/tick_buckets.hpp"
#include "io/zstd_frame.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// A damaged group number must not claim memory; symbols and their records are far fewer.
constexpr u64 kMaxGroups = u64{1} << 22U;

}  // namespace

void TimingEncoder::add(const std::vector<CallBatch::Delta>& deltas) {
    for (const CallBatch::Delta& delta : deltas) {
        block_.push_back(delta);
        if (block_.size() == kBlockRecords) write_block();
    }
}

void TimingEncoder::finish() {
    if (!block_.empty()) write_block();
}

/// block := granularity records frame_size content_size zstd(content) bits_size bits
/// content := groups (gap count)* changes (gap remainder)* bucket* -- one per record, by group
void TimingEncoder::write_block() {
    const u64 granularity = clock_granularity(block_);
    ByteWriter changes;
    u64 change_count = 0;
    u64 last_change = 0;
    std::vector<u32> count_of;
    u64 remainder = 0;
    for (std::size_t i = 0; i < block_.size(); ++i) {
        CallBatch::Delta& delta = block_[i];
        if (delta.group >= count_of.size()) count_of.resize(delta.group + 1, 0);
        ++count_of[delta.group];
        // The first record stands at remainder 0; its difference is kept whole below.
        const u64 ticks = i == 0 ? 0 : delta.ticks + remainder;
        if (i != 0) delta.ticks = ticks / granularity;
        if (ticks % granularity != remainder) {
            remainder = ticks % granularity;
            changes.put_varint(i - last_change);
            changes.put_varint(remainder);
            last_change = i;
            ++change_count;
        }
    }
    std::vector<std::size_t> place(count_of.size(), 0);
    for (std::size_t g = 1; g < place.size(); ++g) place[g] = place[g - 1] + count_of[g - 1];
    std::vector<u64> sorted(block_.size());
    for (const CallBatch::Delta& delta : block_) sorted[place[delta.group]++] = delta.ticks;

    ByteWriter content;
    content.put_varint(static_cast<u64>(
        std::count_if(count_of.begin(), count_of.end(), [](u32 count) { return count != 0; })));
    std::size_t expected = 0;
    for (std::size_t g = 0; g < count_of.size(); ++g) {
        if (count_of[g] == 0) continue;
        content.put_varint(g - expected);
        content.put_varint(count_of[g]);
        expected = g + 1;
    }
    content.put_varint(change_count);
    content.put_bytes(changes.bytes());
    BitWriter bits;
    for (const u64 ticks : sorted) {
        const TickBucket bucket = bucket_of(ticks);
        content.put_u8(bucket.bucket);
        bits.put(bucket.low, bucket.low_bits);
    }
    const std::string frame = zstd_compress(content.bytes(), level_);
    const std::string packed = bits.take();
    ByteWriter out;
    out.put_varint(granularity);
    out.put_varint(block_.size());
    out.put_varint(frame.size());
    out.put_varint(content.size());
    out.put_bytes(frame);
    out.put_varint(packed.size());
    out.put_bytes(packed);
    sink_(out.bytes());
    block_.clear();
}

TimingDecoder::TimingDecoder(std::string_view bytes, std::string name)
    : in_(bytes, name), name_(std::move(name)) {}

u64 TimingDecoder::next(u32 group) {
    if (record_ == records_) read_block();
    if (group >= groups_.size() || groups_[group].next == groups_[group].end) {
        in_.fail("the timing does not fit the script");
    }
    const u64 quotient = quotients_[groups_[group].next++];
    u64 ticks = quotient;
    if (record_ != 0) {
        u64 remainder = remainder_;
        if (next_change_ < changes_.size() && changes_[next_change_].record == record_) {
            remainder = changes_[next_change_++].remainder;
        }
        ticks = quotient * granularity_ + remainder - remainder_;
        remainder_ = remainder;
    }
    ++record_;
    return ticks;
}

void TimingDecoder::expect_end() const {
    if (record_ != records_) in_.fail("there are more times than records");
    in_.expect_end();
}

void TimingDecoder::read_block() {
    granularity_ = in_.get_varint();
    records_ = in_.get_varint();
    if (granularity_ == 0 || records_ == 0 || records_ > TimingEncoder::kBlockRecords) {
        in_.fail("a timing block has an impossible head");
    }
    const u64 frame_size = in_.get_varint();
    const u64 content_size = in_.get_varint();
    const std::string content = zstd_decompress(in_.get_bytes(frame_size), content_size, name_);
    ByteReader reader(content, name_);
    read_groups(reader, records_);
    read_changes(reader, records_);
    const std::string_view buckets = reader.get_bytes(records_);
    reader.expect_end();
    const u64 bits_size = in_.get_varint();
    BitReader bits(in_.get_bytes(bits_size));
    quotients_.clear();
    for (const char byte : buckets) {
        const u8 bucket = static_cast<u8>(byte);
        quotients_.push_back(value_of(bucket, bits.get(low_bits_of(bucket))));
    }
    if (bits.overrun()) in_.fail("a timing block is too short");
    record_ = 0;
    remainder_ = 0;
    next_change_ = 0;
}

void TimingDecoder::read_groups(ByteReader& in, u64 records) {
    groups_.clear();
    const u64 count = in.get_count(2);
    u64 place = 0;
    for (u64 i = 0; i < count; ++i) {
        const u64 gap = in.get_varint();
        const u64 size = in.get_varint();
        if (gap >= kMaxGroups - groups_.size() || size > records - place) {
            in.fail("a timing group has an impossible size");
        }
        groups_.resize(groups_.size() + gap);
        groups_.push_back({place, place + size});
        place += size;
    }
    if (place != records) in.fail("the timing groups do not add up");
}

void TimingDecoder::read_changes(ByteReader& in, u64 records) {
    changes_.clear();
    const u64 count = in.get_count(2);
    u64 record = 0;
    for (u64 i = 0; i < count; ++i) {
        const u64 gap = in.get_varint();
        if (gap >= records - record) in.fail("a remainder belongs to no record");
        record += gap;
        changes_.push_back({record, in.get_varint()});
    }
}

}  // namespace tracefold
