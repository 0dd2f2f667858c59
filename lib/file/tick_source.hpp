// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/format/quantised_ticks.hpp"
#include "file/format/timing_codec.hpp"
#include "model/record_batch.hpp"
#include "model/timing_model.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

/// A cache of decoded ticks, for files that are read repeatedly: decoding takes longer than most
/// uses of the ticks. Thread-safe. Memory: two bytes per record, six or ten where a tick exceeds 16
/// or 32 bits, up to a limit.
class DecodedTicks {
  public:
    explicit DecodedTicks(std::size_t most_bytes) : left_(most_bytes / sizeof(u16)) {}

    /// Reads the ticks of one location from the first record to the last.
    class Reader {
      public:
        Reader() = default;
        explicit Reader(std::shared_ptr<const std::vector<u16>> ticks) : ticks_(std::move(ticks)) {}

        [[nodiscard]] bool has_ticks() const { return ticks_ != nullptr; }
        /// Reads the ticks of the next records. Precondition: the location has that many more.
        void next(std::span<u64> ticks);

      private:
        std::shared_ptr<const std::vector<u16>> ticks_;
        std::size_t at_ = 0;
    };

    /// Stores the ticks of a location while they are decoded.
    class Writer {
      public:
        Writer(DecodedTicks& store, u32 location, u64 records);
        ~Writer();
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;

        void add(std::span<const u64> ticks);
        /// Publishes the ticks after the location was read to its end without error, unless they
        /// exceeded the limit. Further calls have no effect.
        void finish();

      private:
        bool has_room(std::size_t numbers);

        DecodedTicks& store_;
        u32 location_;
        u64 missing_;       ///< records
        std::size_t room_;  ///< numbers reserved in the store
        std::vector<u16> ticks_;
    };

    /// Empty unless all ticks of the location are cached.
    [[nodiscard]] Reader reader(u32 location);
    /// Returns null if the limit is reached, or if the location is cached or being written.
    [[nodiscard]] std::unique_ptr<Writer> writer(u32 location, u64 records);

  private:
    bool take(std::size_t numbers);

    std::mutex mutex_;
    std::size_t left_;                                              ///< numbers
    std::map<u32, std::shared_ptr<const std::vector<u16>>> ticks_;  ///< null: being written
};

/// The times that a reader requests.
struct Times {
    enum Kind : u8 {
        read,    ///< as stored in the file
        skip,    ///< none: all 0
        mean,    ///< edges take their mean duration
        sample,  ///< edges take a randomly drawn duration
        least,   ///< edges and calls take the shortest duration of all locations
        most,    ///< the longest one
    };

    Times(Kind of_kind = read, u64 of_seed = 0) : kind(of_kind), seed(of_seed) {}
    bool operator==(const Times&) const = default;

    Kind kind;
    u64 seed;  ///< for `sample`
};

/// Generates times from a TimingModel: every edge takes the location's mean, or a duration drawn
/// from the overall histogram and scaled to the location's mean; every record of a call takes its
/// share of the location's mean of that call. Deterministic for a seed and location.
class ModelClock {
  public:
    /// The model must outlive the clock. `times`: as stored is the mean.
    ModelClock(const TimingModel& model, u32 location, std::size_t symbols, Times times);

    /// The ticks since the previous record. Throws Error(corrupt) if the model lacks the edge.
    u64 next(RecordPlace place);

  private:
    struct Edge {
        u32 from;
        u64 mean;  ///< of the location, or the shortest or longest duration
        const LogHistogram* all;
    };

    /// That of a location, or of all locations.
    [[nodiscard]] u64 chosen(const Durations& durations, u32 location) const;
    [[nodiscard]] u64 duration(const Edge& edge);

    std::vector<std::vector<u64>> steps_;   ///< [symbol][element]
    std::vector<std::vector<Edge>> edges_;  ///< by target symbol, most recently used first
    u32 symbol_ = kNone;
    Times times_;
    u64 random_;
};

class TraceFile;

/// Assigns times to the records of a location, from any timing level: the exact or quantised ticks
/// of its section, durations, or one tick per record without any.
class TickSource {
  public:
    /// Precondition: the times are not skipped. The file must outlive the source.
    TickSource(TraceFile& file, u32 location, Times times = Times::read);

    /// `groups`: timing groups of the batch's last records; `places`: their elements.
    void stamp(RecordBatch& batch, std::span<const u32> groups,
               const std::vector<RecordPlace>& places);
    u64 next(u32 group, const std::vector<RecordPlace>& places) {
        u64 time = 0;
        next({&group, 1}, places, &time);
        return time;
    }
    /// Computes the times of many records faster.
    void next(std::span<const u32> groups, const std::vector<RecordPlace>& places, u64* times);
    void expect_end() const;

    /// Of quantized times; null at other levels.
    [[nodiscard]] const DeltaPrecision* precision() const {
        return quantised_ ? &quantised_->precision() : nullptr;
    }

  private:
    void read_times(TraceFile& file, u32 location);
    void make_times(TraceFile& file, u32 location, Times times);
    void exact_ticks(std::span<const u32> groups, u64* ticks);
    u64 about(u32 group, const std::vector<RecordPlace>& places);

    std::string bytes_;
    DecodedTicks::Reader kept_;
    std::optional<TimingDecoder> exact_;
    std::unique_ptr<DecodedTicks::Writer> keeping_;
    std::optional<QuantisedDecoder> quantised_;
    TimingModel own_model_;  ///< if the file has none
    std::optional<ModelClock> model_;
    u64 time_ = 0;
    std::vector<u64> stamps_;
};

}  // namespace tracefold
