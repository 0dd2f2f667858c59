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

/// Ticks between the records of locations, kept once they are decoded: for a file that is read
/// several times, since the models that decode them take longer than most of what is done with
/// them. For concurrent use. Memory: two bytes a record, six or ten where a tick needs more than 16
/// or 32 bits, as far as there is room.
class DecodedTicks {
  public:
    explicit DecodedTicks(std::size_t most_bytes) : left_(most_bytes / sizeof(u16)) {}

    /// Those of one location, from the first record to the last.
    class Reader {
      public:
        Reader() = default;
        explicit Reader(std::shared_ptr<const std::vector<u16>> ticks) : ticks_(std::move(ticks)) {}

        [[nodiscard]] bool has_ticks() const { return ticks_ != nullptr; }
        /// Those of the next records. Precondition: the location has so many more.
        void next(std::span<u64> ticks);

      private:
        std::shared_ptr<const std::vector<u16>> ticks_;
        std::size_t at_ = 0;
    };

    /// Takes the ticks of a location while they are decoded.
    class Writer {
      public:
        Writer(DecodedTicks& store, u32 location, u64 records);
        ~Writer();
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;

        void add(std::span<const u64> ticks);
        /// The location was read to its end without error: readers can have its ticks from now on,
        /// unless some had no room. Further calls have no effect.
        void finish();

      private:
        bool has_room(std::size_t numbers);

        DecodedTicks& store_;
        u32 location_;
        u64 missing_;       ///< records
        std::size_t room_;  ///< numbers that the store has reserved
        std::vector<u16> ticks_;
    };

    /// Has no ticks unless all of the location were kept.
    [[nodiscard]] Reader reader(u32 location);
    /// Null if there is no room, or if somebody else is writing or has written them.
    [[nodiscard]] std::unique_ptr<Writer> writer(u32 location, u64 records);

  private:
    bool take(std::size_t numbers);

    std::mutex mutex_;
    std::size_t left_;                                              ///< numbers
    std::map<u32, std::shared_ptr<const std::vector<u16>>> ticks_;  ///< null: being written
};

/// Times made from a TimingModel: every edge takes the location's mean, or a duration drawn from
/// the histogram of all and scaled to the location's mean; every record of a call takes its share
/// of the location's mean of that call. Deterministic: the same seed and location give the same
/// times.
class ModelClock {
  public:
    /// The model must outlive the clock. With a seed durations of edges are drawn.
    ModelClock(const TimingModel& model, u32 location, std::size_t symbols,
               std::optional<u64> seed);

    /// Ticks between the previous record and the next one. Throws Error(corrupt) if the model does
    /// not know the way.
    u64 next(RecordPlace place);

  private:
    struct Edge {
        u32 from;
        u64 mean;  ///< of the location
        const LogHistogram* all;
    };

    [[nodiscard]] u64 duration(const Edge& edge);

    std::vector<std::vector<u64>> steps_;   ///< [symbol][element]
    std::vector<std::vector<Edge>> edges_;  ///< by symbol they lead to, the last used first
    u32 symbol_ = kNone;
    bool draws_;
    u64 random_;
};

class TraceFile;

/// Which times a reader wants.
struct Times {
    enum Kind : u8 {
        read,    ///< what the file keeps
        skip,    ///< none: all 0
        mean,    ///< every way between two calls takes as long as it does on average
        sample,  ///< it takes as long as one of them, drawn by chance
    };

    Times(Kind of_kind = read, u64 of_seed = 0) : kind(of_kind), seed(of_seed) {}
    bool operator==(const Times&) const = default;

    Kind kind;
    u64 seed;  ///< of `sample`
};

/// Gives the records of a location their times, from whatever the file keeps of them: the exact or
/// quantised ticks of its section, durations, or without any one tick per record.
class TickSource {
  public:
    /// Precondition: the times are not skipped. The file must outlive the source.
    TickSource(TraceFile& file, u32 location, Times times = Times::read);

    /// `groups`: the timing group of each of the last records of the batch; `places`: what the
    /// groups are.
    void stamp(RecordBatch& batch, std::span<const u32> groups,
               const std::vector<RecordPlace>& places);
    /// The time of one record.
    u64 next(u32 group, const std::vector<RecordPlace>& places) {
        u64 time = 0;
        next({&group, 1}, places, &time);
        return time;
    }
    /// The times of many records, in less time.
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
    TimingModel own_model_;  ///< where the file has none
    std::optional<ModelClock> model_;
    u64 time_ = 0;
    std::vector<u64> stamps_;
};

}  // namespace tracefold
