// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/ordered_parts.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <queue>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tracefold {

/// Sorts any number of records by their operator<, which must be a strict total order. Memory: one
/// run, and a piece of each run during the merge; full runs are sorted and moved to a file.
template <class Record>
class SortedRecords {
    static_assert(std::is_trivially_copyable_v<Record>);

  public:
    static constexpr std::size_t kDefaultRun = (std::size_t{8} << 20U) / sizeof(Record);
    static constexpr u64 kDefaultPart = u64{1} << 16U;

    /// `directory`: for the temporary file, created on demand; `run`: in records, fewer than 2^32.
    explicit SortedRecords(const std::filesystem::path& directory, std::size_t run = kDefaultRun)
        : run_(run), directory_(directory) {}

    /// Throws Error(io).
    void add(const Record& record) {
        records_.push_back(record);
        ++count_;
        if (records_.size() == run_) end_run();
    }
    [[nodiscard]] u64 count() const { return count_; }

    /// Moves all records of another one here. Throws Error(io).
    void take(SortedRecords other) {
        if (!other.records_.empty()) other.end_run();
        for (Source& source : other.sources_) sources_.push_back(std::move(source));
        count_ += other.count_;
    }

    /// Call after the last add(). Throws Error(io).
    void finish() {
        if (sources_.empty()) return std::sort(records_.begin(), records_.end());
        if (!records_.empty()) end_run();
        records_ = {};
    }

    /// Consecutive parts of the order. Memory: four bytes for each part and run.
    class Parts {
      public:
        [[nodiscard]] std::size_t count() const { return begins_.front().size() - 1; }

      private:
        friend SortedRecords;

        /// Begin and end of a part in a run.
        [[nodiscard]] std::pair<u32, u32> place(std::size_t run, std::size_t part) const {
            return {begins_[run][part], begins_[run][part + 1]};
        }

        /// By run (one if all is in memory): begin of each part, and the end of the last one.
        std::vector<std::vector<u32>> begins_;
    };

    /// Calls sink(record) for all records in order. Precondition of this and the following
    /// functions: finish(). Throws Error(io). Cost: n log(runs).
    template <class Sink>
    void for_each(const Sink& sink) const {
        const auto no_cut = [](const Record&, const Record&) { return false; };
        for_each(divide(std::vector<Record>(), no_cut, 1), 0, sink);
    }
    /// Calls sink(record) for one part. For concurrent use.
    template <class Sink>
    void for_each(const Parts& parts, std::size_t part, const Sink& sink) const {
        if (sources_.empty()) {
            const auto [begin, end] = parts.place(0, part);
            std::for_each(records_.begin() + begin, records_.begin() + end, sink);
            return;
        }
        std::vector<Reader> readers;
        for (const Run& run : runs()) {
            const auto [begin, end] = parts.place(readers.size(), part);
            readers.push_back({run.records, run.begin + begin, run.begin + end, {}});
        }
        merge(readers, sink);
    }

    /// Divides the order at the cuts, which are sorted: each part begins with the first record for
    /// which is_before(record, cut) is false. Throws Error(io). Cost: reads all records once, if
    /// there is a cut; up to `threads` threads share the runs.
    template <class Cut, class IsBefore>
    [[nodiscard]] Parts divide(const std::vector<Cut>& cuts, const IsBefore& is_before,
                               std::size_t threads) const {
        Parts parts;
        if (sources_.empty()) {
            parts.begins_.push_back(begins_in_memory(cuts, is_before));
            return parts;
        }
        const std::vector<Run> all = runs();
        parts.begins_.resize(all.size());
        run_each(threads, all.size(), [&](std::size_t run) {
            parts.begins_[run] = begins_in_run(all[run], cuts, is_before);
        });
        return parts;
    }

    /// Records that cut the order into parts of about `part` records, more if runs would have too
    /// few per part. Cost: reads a few records of each run.
    [[nodiscard]] std::vector<Record> cuts(u64 part = kDefaultPart) const {
        constexpr u64 kSamples = 16;  // per part
        const std::vector<Run> all = runs();
        const u64 step = std::max<u64>(1, std::max(part, all.size() * kLeastOfRun) / kSamples);
        std::vector<Record> samples;
        u64 next = step;  // index over all runs
        for (; next < records_.size(); next += step) samples.push_back(records_[next]);
        u64 passed = 0;
        for (const Run& run : all) {
            const u64 size = run.end - run.begin;
            for (; next < passed + size; next += step) {
                samples.push_back(record(run, next - passed));
            }
            passed += size;
        }
        std::sort(samples.begin(), samples.end());
        std::vector<Record> result;
        for (u64 i = kSamples; i < samples.size(); i += kSamples) result.push_back(samples[i]);
        return result;
    }

  private:
    static constexpr std::size_t kSpillMemory = std::size_t{1} << 20U;
    static constexpr u64 kLeastOfRun = 256;  ///< least records per read
    static constexpr u64 kPiece = std::max<u64>(1, (u64{1} << 14U) / sizeof(Record));

    /// Consecutive runs.
    struct Source {
        std::unique_ptr<SpillBuffer> records;
        std::vector<u64> ends;  ///< of the runs
    };

    /// Positions are in records.
    struct Run {
        const SpillBuffer* records;
        u64 begin;
        u64 end;
    };
    /// State of a run in the merge.
    struct Reader {
        const SpillBuffer* records;
        u64 next;
        u64 end;
        std::vector<Record> piece;
        std::size_t at = 0;
    };

    void end_run() {
        std::sort(records_.begin(), records_.end());
        if (sources_.empty()) {
            sources_.push_back({std::make_unique<SpillBuffer>(directory_, kSpillMemory), {}});
        }
        Source& own = sources_.front();
        own.records->append(
            {reinterpret_cast<const char*>(records_.data()), records_.size() * sizeof(Record)});
        own.ends.push_back(own.records->size() / sizeof(Record));
        records_.clear();
    }

    /// False at the end of the run.
    static bool fill(Reader& reader) {
        if (reader.at < reader.piece.size()) return true;
        cancel_point();
        const u64 records = std::min(kPiece, reader.end - reader.next);
        const std::string bytes =
            reader.records->read(reader.next * sizeof(Record), records * sizeof(Record));
        reader.piece.resize(records);
        if (records != 0) std::memcpy(reader.piece.data(), bytes.data(), bytes.size());
        reader.next += records;
        reader.at = 0;
        return records != 0;
    }

    /// Runs that are not in memory.
    [[nodiscard]] std::vector<Run> runs() const {
        std::vector<Run> all;
        for (const Source& source : sources_) {
            for (u64 begin = 0; const u64 end : source.ends) {
                all.push_back({source.records.get(), std::exchange(begin, end), end});
            }
        }
        return all;
    }

    static Record record(const Run& run, u64 number) {
        Record result;
        const std::string bytes =
            run.records->read((run.begin + number) * sizeof(Record), sizeof(Record));
        std::memcpy(&result, bytes.data(), sizeof(Record));
        return result;
    }

    template <class Cut, class IsBefore>
    [[nodiscard]] std::vector<u32> begins_in_memory(const std::vector<Cut>& cuts,
                                                    const IsBefore& is_before) const {
        auto next = records_.begin();
        return begins(cuts, records_.size(), [&](const Cut& cut) {
            next = std::partition_point(
                next, records_.end(), [&](const Record& record) { return is_before(record, cut); });
            return static_cast<u64>(next - records_.begin());
        });
    }

    /// Piece by piece: a part has little more than a piece of a run.
    template <class Cut, class IsBefore>
    static std::vector<u32> begins_in_run(const Run& run, const std::vector<Cut>& cuts,
                                          const IsBefore& is_before) {
        Reader reader{run.records, run.begin, run.end, {}};
        return begins(cuts, run.end - run.begin, [&](const Cut& cut) {
            pass(reader, [&](const Record& record) { return is_before(record, cut); });
            const u64 left = reader.piece.size() - reader.at;
            return reader.next - left - run.begin;
        });
    }

    /// The begins in a run of `size` records; calls `place_of` in the order of cuts.
    template <class Cut, class PlaceOf>
    static std::vector<u32> begins(const std::vector<Cut>& cuts, u64 size,
                                   const PlaceOf& place_of) {
        std::vector<u32> begins{0};
        for (const Cut& cut : cuts) begins.push_back(static_cast<u32>(place_of(cut)));
        begins.push_back(static_cast<u32>(size));
        return begins;
    }

    /// Skips leading records for which `is_before` is true.
    template <class IsBefore>
    static void pass(Reader& reader, const IsBefore& is_before) {
        while (fill(reader)) {
            const auto rest = std::span(reader.piece).subspan(reader.at);
            const auto first = std::ranges::partition_point(rest, is_before);
            reader.at += static_cast<std::size_t>(first - rest.begin());
            if (first != rest.end()) return;
        }
    }

    template <class Sink>
    static void merge(std::vector<Reader>& readers, const Sink& sink) {
        const auto later = [&](std::size_t a, std::size_t b) {
            return readers[b].piece[readers[b].at] < readers[a].piece[readers[a].at];
        };
        std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> heap(later);
        for (std::size_t i = 0; i < readers.size(); ++i) {
            if (fill(readers[i])) heap.push(i);
        }
        while (!heap.empty()) {
            const std::size_t first = heap.top();
            heap.pop();
            Reader& reader = readers[first];
            sink(reader.piece[reader.at++]);
            if (fill(reader)) heap.push(first);
        }
    }

    std::size_t run_;
    std::filesystem::path directory_;
    std::vector<Record> records_;  ///< of the last run
    std::vector<Source> sources_;  ///< earlier runs, and those of take()
    u64 count_ = 0;
};

}  // namespace tracefold
