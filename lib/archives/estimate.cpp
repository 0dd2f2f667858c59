// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/estimate.hpp"

#include "archives/archive_source.hpp"
#include "archives/detail/archive_folder.hpp"
#include "base/file.hpp"
#include "file/archive_codec.hpp"
#include "file/duration_collector.hpp"
#include "file/section_coder.hpp"
#include "file/trace_file.hpp"

#include <algorithm>
#include <filesystem>

namespace tracefold {

namespace {

/// Approximate bytes of a section's entry in the table.
constexpr u64 kTableEntry = 10;
/// Approximate bytes of header and footer.
constexpr u64 kFrame = 48;

/// The sizes for a part of the locations.
struct Parts {
    u64 structure = 0;
    u64 local_definitions = 0;
    u64 durations = 0;
    u64 ticks = 0;
};

/// Returns the indices of the sample; its first half is spread as evenly as all.
std::vector<u32> sample_of(u32 locations, u32 size) {
    const u64 count = std::min(locations, size);
    std::vector<u32> sample;
    for (u64 first = 0; first < 2; ++first) {
        for (u64 i = first; i < count; i += 2) {
            sample.push_back(static_cast<u32>(i * locations / count));
        }
    }
    return sample;
}

/// Folds the sample at one timing level, location by location.
class LevelSample {
  public:
    LevelSample(TraceSource& source, const DefinitionIndex& definitions, TimingLevel timing,
                const EstimateOptions& options)
        : timing_(timing),
          level_(options.level),
          location_count_(static_cast<u32>(definitions.locations().size())),
          folder_(source, definitions,
                  {timing, options.time_error_ppm, options.spill_directory, options.progress}) {}

    void fold(u32 location) { folder_.fold(location); }

    [[nodiscard]] Parts parts() {
        Parts parts;
        const Structure events = folder_.store().finish(Stream::events, location_count_);
        parts.structure = pack_structure(events, location_count_, level_).bytes.size();
        const Structure local = folder_.store().finish(Stream::local_definitions, location_count_);
        parts.local_definitions =
            pack_local_definitions(local, location_count_, level_).bytes.size();
        if (timing_ == TimingLevel::histogram) {
            parts.durations = pack_timings(folder_.timings(), events, level_).bytes.size();
        }
        for (const Section& section : folder_.sections()) parts.ticks += section.stored_size;
        return parts;
    }
    [[nodiscard]] u64 events() {
        u64 events = 0;
        for (const auto& [location, facts] : folder_.store().facts()) events += facts.events;
        return events;
    }

  private:
    TimingLevel timing_;
    int level_;
    u32 location_count_;
    ArchiveFolder folder_;
};

class Estimation {
  public:
    explicit Estimation(const EstimateOptions& options)
        : options_(options), source_(options.archive, {options.drop_unknown}) {
        source_.read_global_definitions(
            [this](const RecordBatch& batch) { definitions_.add(batch); });
        definitions_.finish();
    }

    SizeEstimate run() {
        const auto& locations = definitions_.locations();
        result_.ranks = definitions_.world_size();
        result_.locations = static_cast<u32>(locations.size());
        for (const LocationDefinition& location : locations) result_.events += location.event_count;
        result_.archive_bytes = source_.archive_bytes();
        sample_ = sample_of(result_.locations, options_.sample);
        result_.sampled_locations = static_cast<u32>(sample_.size());
        announce_work();
        const u64 shared = shared_bytes();
        add(shared, TimingLevel::histogram);
        add(shared, TimingLevel::quantized);
        add(shared, TimingLevel::exact);
        return result_;
    }

  private:
    void announce_work() const {
        u64 records = 0;
        for (const u32 location : sample_) {
            records += definitions_.locations()[location].event_count;
        }
        if (options_.expected_records) options_.expected_records(3 * records);
    }

    /// Size of the sections that do not depend on the events.
    u64 shared_bytes() {
        u32 location = 0;
        const FoldedDefinitions folded = fold_definitions(
            [this](const BatchSink& sink) { source_.read_global_definitions(sink); },
            [&] { return definitions_.locations()[location++].event_count; },
            Dictionary::built_in());
        const auto stored = [this](const std::string& content) {
            return pack_section(content, options_.level).bytes.size() + kTableEntry;
        };
        u64 bytes = kFrame + stored(encode_archive({source_.info(), {}})) +
                    pack_definitions(folded.structure, folded.text, options_.level).bytes.size() +
                    kTableEntry;
        std::vector<u64> ids;
        for (const LocationDefinition& known : definitions_.locations()) ids.push_back(known.id);
        const std::filesystem::path directory = source_.info().directory;
        for (const std::string& path : source_.reader().companion_files(ids)) {
            bytes +=
                stored(encode_file({path, read_small_file(directory / path, kLargestCarried)}));
        }
        return bytes;
    }

    void add(u64 shared, TimingLevel timing) {
        LevelSample sample(source_, definitions_, timing, options_);
        const std::size_t half = (sample_.size() + 1) / 2;
        Parts first;
        for (std::size_t i = 0; i < sample_.size(); ++i) {
            if (i == half) first = sample.parts();
            sample.fold(sample_[i]);
        }
        const Parts all = sample.parts();
        result_.sampled_events = sample.events();
        const auto grown = [&](u64 before, u64 after) { return extrapolated(before, after, half); };
        const u64 structure = shared + 2 * kTableEntry + grown(first.structure, all.structure) +
                              grown(first.local_definitions, all.local_definitions);
        if (timing == TimingLevel::histogram) {
            result_.sizes.push_back({TimingLevel::none, structure});
            result_.sizes.push_back(
                {timing, structure + kTableEntry + grown(first.durations, all.durations)});
        } else {
            result_.sizes.push_back(
                {timing, structure + scaled(all.ticks) + kTableEntry * result_.locations});
        }
    }

    /// Extrapolates: further locations add the average of the second half of the sample.
    [[nodiscard]] u64 extrapolated(u64 half_bytes, u64 bytes, std::size_t half) const {
        const u64 rest = result_.locations - sample_.size();
        const u64 added = sample_.size() - half;
        if (rest == 0 || added == 0 || bytes <= half_bytes) return bytes;
        return bytes + (bytes - half_bytes) * rest / added;
    }
    [[nodiscard]] u64 scaled(u64 bytes) const {
        const u64 sampled = result_.sampled_events;
        const bool all = result_.sampled_locations == result_.locations;
        if (all || sampled == 0) return bytes;
        return static_cast<u64>(static_cast<double>(bytes) / static_cast<double>(sampled) *
                                static_cast<double>(result_.events));
    }

    const EstimateOptions& options_;
    ArchiveSource source_;
    DefinitionIndex definitions_;
    std::vector<u32> sample_;
    SizeEstimate result_;
};

}  // namespace

SizeEstimate estimate_sizes(const EstimateOptions& options) { return Estimation(options).run(); }

}  // namespace tracefold
