// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/cancel_point.hpp"
#include "io/spill_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <queue>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tracefold::inline exporters {

/// Any number of records in the order of their operator<, which must tell all of them apart.
/// Memory: one run, and a piece of each run while they are merged; runs that are full are sorted
/// and go to a temporary file.
template <class Record>
class SortedRecords {
    static_assert(std::is_trivially_copyable_v<Record>);

  public:
    static constexpr std::size_t kDefaultRun = (std::size_t{8} << 20U) / sizeof(Record);
    static constexpr u64 kDefaultPart = u64{1} << 16U;

    /// `directory` takes the temporary file, if there will be one; `run` counts records.
    explicit SortedRecords(const std::filesystem::path& directory, std::size_t run = kDefaultRun)
        : run_(run), directory_(directory) {}

    /// Throws Error(io).
    void add(const Record& record) {
        records_.push_back(record);
        ++count_;
        if (records_.size() == run_) end_run();
    }
    [[nodiscard]] u64 count() const { return count_; }

    /// Adds all records of another one, which is of no use afterwards. Throws Error(io).
    void take(SortedRecords other) {
        if (!other.records_.empty()) other.end_run();
        for (Source& source : other.sources_) sources_.push_back(std::move(source));
        count_ += other.count_;
    }

    /// Nothing is added afterwards. Throws Error(io).
    void finish() {
        if (sources_.empty()) return std::sort(records_.begin(), records_.end());
        if (!records_.empty()) end_run();
        records_ = {};
    }

    /// Calls sink(record) for all of them in order. Precondition of this and of what follows:
    /// finish(). Throws Error(io). Cost: n log(runs).
    template <class Sink>
    void for_each(const Sink& sink) const {
        for_each([](const Record&) { return false; }, [](const Record&) { return true; }, sink);
    }
    /// The same for a part of the order: between the records for which `is_before` is true and
    /// those for which `is_within` is not. For concurrent use.
    template <class IsBefore, class IsWithin, class Sink>
    void for_each(const IsBefore& is_before, const IsWithin& is_within, const Sink& sink) const {
        const auto first = std::partition_point(records_.begin(), records_.end(), is_before);
        std::for_each(first, std::partition_point(first, records_.end(), is_within), sink);
        std::vector<Reader> readers;
        for_each_run([&](const SpillBuffer& run, u64 begin, u64 end) {
            const u64 own = partition_point(run, begin, end, is_before);
            readers.push_back({&run, own, partition_point(run, own, end, is_within), {}});
        });
        merge(readers, sink);
    }

    /// Records in their order that cut it into parts of about the same number: `part`, and more
    /// where each run would have next to nothing in a part. Cost: reads a few records of each run.
    [[nodiscard]] std::vector<Record> cuts(u64 part = kDefaultPart) const {
        constexpr u64 kSamples = 16;  // of each part
        u64 runs = 0;
        for (const Source& source : sources_) runs += source.ends.size();
        const u64 step = std::max<u64>(1, std::max(part, runs * kLeastOfRun) / kSamples);
        std::vector<Record> samples;
        u64 next = step;  // counts the records of all runs
        for (; next < records_.size(); next += step) samples.push_back(records_[next]);
        u64 passed = 0;
        for_each_run([&](const SpillBuffer& run, u64 begin, u64 end) {
            for (; next < passed + (end - begin); next += step) {
                samples.push_back(record(run, begin + (next - passed)));
            }
            passed += end - begin;
        });
        std::sort(samples.begin(), samples.end());
        std::vector<Record> result;
        for (u64 i = kSamples; i < samples.size(); i += kSamples) result.push_back(samples[i]);
        return result;
    }

  private:
    static constexpr std::size_t kSpillMemory = std::size_t{1} << 20U;
    static constexpr u64 kLeastOfRun = 256;  ///< records that are worth a read
    static constexpr u64 kPiece = std::max<u64>(1, (u64{1} << 14U) / sizeof(Record));

    /// Runs one after another.
    struct Source {
        std::unique_ptr<SpillBuffer> records;
        std::vector<u64> ends;  ///< of the runs
    };

    /// A run on its way through the merge; positions count records.
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

    /// Calls visit(records, begin, end) for each run that is not in memory.
    template <class Visit>
    void for_each_run(const Visit& visit) const {
        for (const Source& source : sources_) {
            for (u64 begin = 0; const u64 end : source.ends) {
                visit(*source.records, std::exchange(begin, end), end);
            }
        }
    }

    static Record record(const SpillBuffer& run, u64 number) {
        Record result;
        const std::string bytes = run.read(number * sizeof(Record), sizeof(Record));
        std::memcpy(&result, bytes.data(), sizeof(Record));
        return result;
    }

    /// The first record of a run for which `is_before` is not true.
    template <class IsBefore>
    static u64 partition_point(const SpillBuffer& run, u64 begin, u64 end,
                               const IsBefore& is_before) {
        const auto numbers = std::views::iota(begin, end);
        return *std::ranges::partition_point(
            numbers, [&](u64 number) { return is_before(record(run, number)); });
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
    std::vector<Source> sources_;  ///< the runs before, and those that were taken
    u64 count_ = 0;
};

}  // namespace tracefold::inline exporters
