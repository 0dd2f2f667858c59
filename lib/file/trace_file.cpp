// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/trace_file.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "file/call_reader.hpp"
#include "file/region_nesting.hpp"
#include "file/section_coder.hpp"
#include "fold/column_families.hpp"
#include "fold/location_folder.hpp"
#include "fold/structure_index.hpp"
#include "fold/timing_store.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace tracefold {

namespace {

class DefinitionSource : public RecordSource {
  public:
    DefinitionSource(StructureIndex& index, Stream stream, u32 location, const std::string& text,
                     u64 expected, const Dictionary& dictionary, EventCounts events)
        : cursor_(index, stream, location),
          decoder_(stream, index.structure().symbols, text, std::move(events), dictionary),
          left_(expected) {}

    bool next(RecordBatch& batch) override {
        batch.clear();
        u32 symbol = 0;
        while (!is_full(batch) && cursor_.next(symbol, values_)) {
            if (left_-- == 0) {
                throw Error(ErrorKind::corrupt, "there are more definitions than there should be");
            }
            decoder_.decode(symbol, values_, batch);
        }
        return !batch.empty();
    }

  private:
    LocationCursor cursor_;
    DefinitionDecoder decoder_;
    u64 left_;
    AppendBuffer<u64> values_;
};

}  // namespace

FoldedDefinitions fold_definitions(const std::function<void(const BatchSink&)>& read,
                                   EventCounts events, const Dictionary& dictionary) {
    DefinitionEncoder encoder(Stream::global_definitions, std::move(events), dictionary);
    LocationFolder folder;
    CallBatch calls;
    read([&](const RecordBatch& batch) {
        calls.clear();
        encoder.encode(batch, calls);
        folder.consume(calls);
    });
    StructureStore store;
    folder.finish(store, Stream::global_definitions, 0, encoder.symbols());
    return {store.finish(Stream::global_definitions, 1), encoder.text()};
}

u64 fold_local_definitions(StructureStore& store, u32 location,
                           const std::function<void(const BatchSink&)>& read) {
    DefinitionEncoder encoder(Stream::local_definitions);
    LocationFolder folder;
    CallBatch calls;
    u64 count = 0;
    read([&](const RecordBatch& batch) {
        calls.clear();
        encoder.encode(batch, calls);
        folder.consume(calls);
        count += batch.size();
    });
    folder.finish(store, Stream::local_definitions, location, encoder.symbols());
    return count;
}

std::unique_ptr<RecordSource> definition_source(StructureIndex& index, Stream stream, u32 location,
                                                const std::string& text, u64 expected,
                                                const Dictionary& dictionary, EventCounts events) {
    return std::make_unique<DefinitionSource>(index, stream, location, text, expected, dictionary,
                                              std::move(events));
}

namespace {

/// Remembered mapping tables: in irregular traces each location may have its own.
constexpr std::size_t kMostMappings = 64;
/// Limit of numbers in the definitions of any file; larger files may have more.
constexpr u64 kFreeDefinitionValues = u64{1} << 25U;
constexpr u64 kMostDecodedTicks = u64{64} << 20U;  // bytes

/// Detects damaged counts before any unwinding.
void check_counts(StructureIndex& index, Stream stream, const ExecutionCounts::Expected& expected) {
    const ExecutionCounts counts(index, stream, expected);
}

/// Every record took at least a byte of the archive; `bytes` is 0 without an archive.
void check_size(StructureIndex& index, u64 bytes) {
    if (bytes == 0) return;
    u64 left = bytes;
    for (u32 location = 0; location < index.structure().location_count; ++location) {
        const u64 events = index.events(location);
        const u64 local_definitions = index.local_definitions(location);
        if (events > left || local_definitions > left - events) {
            throw Error(ErrorKind::corrupt,
                        "it has more records than the {} bytes of its archive can hold", bytes);
        }
        left -= events + local_definitions;
    }
}

}  // namespace

TraceFile::TraceFile(const std::string& path, const std::string& name, u32 threads)
    : TraceFile(std::make_shared<const InputFile>(path), name, threads) {}

TraceFile::TraceFile(std::shared_ptr<const InputFile> file, const std::string& name, u32 threads)
    : container_(std::move(file), name) {
    load(threads);
    try {
        index_definitions();
        index_locations();
    } catch (const Error& error) {
        throw error.in(container().path());
    }
}

TraceFile::~TraceFile() = default;

void TraceFile::keep_decoded_ticks(std::optional<u64> most_bytes) {
    if (decoded_ticks_) return;
    decoded_ticks_ = std::make_unique<DecodedTicks>(
        most_bytes.value_or(std::min(8 * container().file_size(), kMostDecodedTicks)));
}

void TraceFile::load(u32 threads) {
    const ContainerReader& file = container_;
    head_ = decode_archive(file.content(SectionKind::archive),
                           file.describe(file.section(SectionKind::archive)), file.dictionary());
    const auto unpack = [&](SectionKind kind) {
        const Section& section = file.section(kind);
        return unpack_structure(file.stored(section), section, file.describe(section),
                                head_.archive.location_count);
    };
    // The longest part comes first.
    const std::array<std::function<void()>, 3> parts{
        [&] { structure_ = unpack(SectionKind::structure); },
        [&] {
            const Section& section = file.section(SectionKind::definitions);
            folded_definitions_.structure = unpack_definitions(
                file.stored(section), section, file.describe(section), folded_definitions_.text);
        },
        [&] { local_definitions_ = unpack(SectionKind::local_definitions); },
    };
    run_each(threads, parts.size(), [&parts](std::size_t part) { parts[part](); });
}

void TraceFile::index_definitions() {
    Structure& definitions = folded_definitions_.structure;
    if (definitions.location_count != 1) {
        throw Error(ErrorKind::corrupt, "the definitions are not those of one whole");
    }
    if (structure_.facts.empty()) {
        throw Error(ErrorKind::corrupt, "the structure has no locations");
    }
    unfold_for_index(definitions, free_numbers(0));
    definitions_index_ = std::make_unique<StructureIndex>(definitions);
    const u64 most = kFreeDefinitionValues + 64 * container().file_size();
    u64 values = 0;
    check_counts(*definitions_index_, Stream::global_definitions,
                 [this](u32 /*whole*/) { return archive().global_definition_count; });
    drain(*global_definitions(), [&](const RecordBatch& batch) {
        values += batch.value_count();
        if (values > most) {
            throw Error(ErrorKind::corrupt, "its definitions are more than it can describe");
        }
        definitions_.add(batch);
    });
    definitions_.finish();
}

void TraceFile::index_locations() {
    const u64 locations = definitions_.locations().size();
    if (locations != structure_.location_count || locations != local_definitions_.location_count) {
        throw Error(ErrorKind::corrupt, "definitions and structure disagree on the locations");
    }
    for (Structure* structure : {&local_definitions_, &structure_}) {
        unfold_for_index(*structure, free_numbers(locations));
    }
    local_definitions_index_ = std::make_unique<StructureIndex>(local_definitions_);
    index_ = std::make_unique<StructureIndex>(structure_);
    check_size(*index_, summary().archive_bytes);
    check_counts(*local_definitions_index_, Stream::local_definitions,
                 [this](u32 location) { return index_->local_definitions(location); });
    check_counts(*index_, Stream::events,
                 [this](u32 location) { return index_->events(location); });
    nesting_ = std::make_unique<RegionNesting>(*this);
}

const TimingModel& TraceFile::durations() {
    const std::scoped_lock lock(durations_mutex_);
    if (durations_) return *durations_;
    const u32 locations = structure_.location_count;
    const Section& section = container().section(SectionKind::durations);
    FoldedDurations folded =
        unpack_durations(container().stored(section), section, container().describe(section),
                         refold_families(structure_));
    try {
        durations_ = unfold_means(std::move(folded), locations, free_numbers(locations));
    } catch (const Error& error) {
        throw error.in(container().path());
    }
    return *durations_;
}

std::unique_ptr<RecordSource> TraceFile::global_definitions() {
    // Facts are unwound one by one: the number of locations is not known yet.
    const FoldedSource source{structure_.patterns, structure_.columns};
    const auto events = std::make_shared<ColumnCursor>(source, structure_.facts[0]);
    return definition_source(*definitions_index_, Stream::global_definitions, 0,
                             folded_definitions_.text, archive().global_definition_count,
                             container().dictionary(), [events] { return events->next(); });
}

std::unique_ptr<RecordSource> TraceFile::local_definitions(u32 location) {
    static const std::string no_text;
    return definition_source(*local_definitions_index_, Stream::local_definitions, location,
                             no_text, index_->local_definitions(location),
                             container().dictionary());
}

std::unique_ptr<RecordSource> TraceFile::events(u32 location) {
    return std::make_unique<CallReader>(*this, location, Times(Times::read),
                                        CallReader::Leaves::recorded);
}

const std::vector<u32>& TraceFile::local_classes(DefinitionType type) {
    const std::scoped_lock lock(mapping_mutex_);
    const auto [known, fresh] = local_classes_.try_emplace(type);
    if (fresh) {
        known->second = local_definitions_index_->content_classes(Stream::local_definitions,
                                                                  static_cast<u8>(type));
    }
    return known->second;
}

MappingTables TraceFile::mapping_tables(u32 location) {
    const std::vector<u64> key = local_definitions_index_->content_key(
        Stream::local_definitions, static_cast<u8>(DefinitionType::MappingTable), location);
    {
        const std::scoped_lock lock(mapping_mutex_);
        const auto known = mapping_tables_.find(key);
        if (known != mapping_tables_.end()) return known->second;
    }
    MappingTables tables;
    drain(*local_definitions(location), [&tables](const RecordBatch& batch) { tables.add(batch); });
    const std::scoped_lock lock(mapping_mutex_);
    if (!mapping_tables_.empty()) tables.share(mapping_tables_.begin()->second);
    if (mapping_tables_.size() == kMostMappings) mapping_tables_.clear();
    mapping_tables_.emplace(key, tables);
    return tables;
}

std::optional<ByteDifferences> TraceFile::kept_bytes() const {
    const Section* section = container().find(SectionKind::kept_bytes);
    if (section == nullptr) return std::nullopt;
    ByteDifferences kept =
        ByteDifferences::decode(container().content(*section), container().describe(*section));
    if (!kept.files().empty() && kept.files().back().number > events_file(location_count())) {
        throw Error(ErrorKind::corrupt, "there are bytes of a file that does not exist")
            .in(container().path());
    }
    return kept;
}

void TraceFile::read_files(const std::function<void(const CarriedFile&)>& sink) const {
    for (const Section& section : container().sections()) {
        if (section.kind != SectionKind::file) continue;
        sink(decode_file(container().content(section), container().describe(section)));
    }
}

}  // namespace tracefold
