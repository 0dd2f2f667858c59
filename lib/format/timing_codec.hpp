// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/bytes.hpp"
#include "model/call_batch.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Writes the exact ticks of one location (docs/format.md, "Exact timing"): in blocks of up to
/// kBlockRecords records, the differences between consecutive records divided by the clock's
/// granularity, grouped by (symbol, record) and split into a logarithmic bucket, which zstd codes,
/// and raw low bits. Memory: one block.
class TimingEncoder {
  public:
    static constexpr std::size_t kBlockRecords = std::size_t{1} << 20U;
    using Sink = std::function<void(std::string_view)>;

    TimingEncoder(Sink sink, int level) : sink_(std::move(sink)), level_(level) {}

    void add(const std::vector<CallBatch::Delta>& deltas);
    /// Writes the last block. Nothing is written for a location without records.
    void finish();

  private:
    void write_block();

    Sink sink_;
    int level_;
    std::vector<CallBatch::Delta> block_;
};

/// Reads what TimingEncoder wrote. Throws Error(corrupt).
class TimingDecoder {
  public:
    /// `bytes` must outlive the decoder; `name` says in messages what is being read.
    TimingDecoder(std::string_view bytes, std::string name);

    /// Ticks between the previous record and the next one, which is of this group.
    u64 next(u32 group);
    /// Throws unless everything has been read.
    void expect_end() const;

  private:
    struct Change {
        u64 record;
        u64 remainder;
    };
    /// A group's quotients not handed out yet.
    struct Range {
        std::size_t next = 0;
        std::size_t end = 0;
    };

    void read_block();
    void read_groups(ByteReader& in, u64 records);
    void read_changes(ByteReader& in, u64 records);

    ByteReader in_;
    std::string name_;
    u64 granularity_ = 1;
    u64 remainder_ = 0;  ///< of the last record's ticks since the block's first record
    u64 record_ = 0;     ///< in the block
    u64 records_ = 0;
    std::vector<u64> quotients_;
    std::vector<Range> groups_;
    std::vector<Change> changes_;
    std::size_t next_change_ = 0;
};

}  // namespace tracefold
