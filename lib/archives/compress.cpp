// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/compress.hpp"

#include "archives/archive_source.hpp"
#include "archives/detail/archive_folder.hpp"
#include "archives/detail/verify.hpp"
#include "archives/input_kind.hpp"
#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/zstd_frame.hpp"
#include "file/archive_codec.hpp"
#include "file/duration_collector.hpp"
#include "file/section_coder.hpp"
#include "file/structure_codec.hpp"
#include "file/timing_model_codec.hpp"
#include "file/trace_file.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/library.hpp"
#include "otf2/mended_archive.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// The readable part of a damaged archive, as a temporary archive that all processes see. An
/// undamaged archive is used as it is.
class RescuedArchive {
  public:
    /// Collective: rank 0 examines the files and mends them in a scratch folder in `parent`, which
    /// must be visible to all processes. Throws the exceptions of mend_archive() on all.
    RescuedArchive(Communicator& comm, const std::string& archive, const std::string& parent,
                   const ArchiveReaderOptions& reading, bool with_extra_files);

    /// The anchor to read: that of the mended archive, or the original one.
    [[nodiscard]] const std::string& anchor() const { return anchor_; }
    /// On rank 0 only, like losses().
    [[nodiscard]] const std::string& original_anchor() const { return mended_.original_anchor; }
    [[nodiscard]] const std::vector<FileLoss>& losses() const { return mended_.losses; }

  private:
    ScratchFolder scratch_;
    MendedArchive mended_;
    std::string anchor_;
};

namespace {

namespace fs = std::filesystem;

/// The part of one process in compress(); the steps are collective, in the order of run().
class Compression {
  public:
    /// `open` may throw.
    Compression(Communicator& comm, const CompressOptions& options,
                std::function<TraceSource&()> open)
        : comm_(comm),
          options_(options),
          packing_(options.level, options.portable),
          open_(std::move(open)) {}

    CompressReport run() {
        agree(comm_, [this] { open(); });
        expect_alike(comm_, content_, options_.archive);
        report_.exact_bytes = comm_.broadcast(proves_bytes() ? "yes" : "", 0) == "yes";
        agree(comm_, [this] { reading([this] { fold(); }); });
        reduce_tree(
            comm_, team_->store(),
            [](StructureStore& store) { return encode_partial(store.partial()); },
            [](StructureStore& store, std::string_view bytes) {
                store.merge(decode_partial(bytes));
            });
        reduce_timings();
        sum_up();
        agree(comm_, [this] { write_head(); });
        place_ticks();
        agree(comm_, [this] { write_ticks(); });
        agree(comm_, [this] {
            if (writer_) writer_->finish();
        });
        if (options_.verify) agree(comm_, [this] { reading([this] { verify(); }); });
        if (report_.exact_bytes) keep_bytes();
        agree(comm_, [this] {
            expect_unchanged();
            if (!file_) return;
            if (options_.approve) {
                TraceFile file(temporary_);
                options_.approve(file);
            }
            file_->commit();
        });
        if (writer_) report_.sections = writer_->sections();
        if (file_) report_.file_bytes = file_->size();
        return report_;
    }

  private:
    [[nodiscard]] bool is_root() const { return comm_.rank() == 0; }

    void open() {
        source_ = &open_();
        state_ = source_->state(comm_.rank(), comm_.size());
        if (comm_.size() > 1) content_ = source_->content();
        if (is_root()) {
            file_ = std::make_unique<AtomicFile>(options_.output, options_.force);
        }
        source_->read_global_definitions(
            [this](const RecordBatch& batch) { definitions_.add(batch); });
        unknown_definitions_ = source_->unknown_records();
        definitions_.finish();
        team_.emplace(*source_, definitions_, comm_, options_.threads);
    }

    void expect_unchanged() const {
        if (source_->state(comm_.rank(), comm_.size()) == state_) return;
        throw Error(ErrorKind::io,
                    "{} was replaced or written to while it was read; run the command again",
                    options_.archive);
    }

    /// A failure may be due to files that change meanwhile.
    void reading(const std::function<void()>& work) const {
        try {
            work();
        } catch (const Error&) {
            expect_unchanged();
            throw;
        }
    }

    /// False for a rescued archive: mended files are not the originals. Valid on rank 0.
    [[nodiscard]] bool proves_bytes() const {
        return options_.timing == TimingLevel::exact && options_.verify && options_.exact_bytes &&
               source_->files() != nullptr && source_->losses().empty();
    }

    void announce_work() const {
        if (!options_.expected_records) return;
        u64 records = team_->declared_events(&FoldingTeam::Member::block);
        if (options_.verify) records += team_->declared_events(&FoldingTeam::Member::checked);
        options_.expected_records(records);
    }

    void fold() {
        announce_work();
        ArchiveFolder::Options options;
        options.timing = options_.timing;
        options.time_error_ppm = options_.time_error_ppm;
        options.rising_times =
            options_.restorable && options_.timing != TimingLevel::none && !report_.exact_bytes;
        options.spill_directory = scratch();
        options.progress = options_.progress;
        options.packing = packing_;
        team_->fold(std::move(options));
    }

    /// The folder of the output, which must have enough space anyway.
    [[nodiscard]] std::string scratch() const {
        const fs::path directory = fs::path(options_.output).parent_path();
        return directory.empty() ? "." : directory.string();
    }

    void reduce_timings() {
        if (options_.timing != TimingLevel::histogram) return;
        reduce_tree(
            comm_, team_->timings(),
            [](TimingStore& store) { return encode_partial_timings(store.partial()); },
            [](TimingStore& store, std::string_view bytes) {
                store.merge(decode_partial_timings(bytes));
            });
    }

    void sum_up() {
        const auto total = [this](u64 mine) {
            u64 sum = 0;
            for (const u64 part : comm_.all_gather(mine)) sum += part;
            return sum;
        };
        report_.knows_tick_rate = definitions_.knows_tick_rate();
        report_.ranks = definitions_.world_size();
        report_.locations = static_cast<u32>(definitions_.locations().size());
        // Every process read the global definitions, but their losses count once.
        report_.dropped_unknown_records =
            total(team_->unknown_records() - unknown_definitions_) + unknown_definitions_;
        report_.dropped_clock_offsets =
            total(team_->dropped_clock_offsets()) + source_->dropped_clock_offsets();
        agree(comm_, [this] {
            if (is_root()) report_.archive_bytes = source_->archive_bytes();
        });
        report_.losses = source_->losses();
        if (is_root()) {
            for (const auto& [location, facts] : team_->store().facts()) {
                report_.events += facts.events;
                report_.raw_records += facts.raw_unknown_request + facts.raw_inexpressible;
            }
        }
    }

    void write_head() {
        if (!is_root()) return;
        writer_.emplace(*file_, packing_);
        writer_->add(SectionKind::archive, 0,
                     encode_archive({source_->info(), summary()}, packing_.dictionary()));
        add_predicted_sections();
        add_files();
    }

    /// Packs the sections in parallel if there are several threads.
    void add_predicted_sections() {
        const auto finish = [this](Stream stream) {
            return team_->store().finish(stream, report_.locations);
        };
        const Structure events = finish(Stream::events);
        const u64 locations = source_->info().location_count;
        struct Part {
            SectionKind kind;
            std::function<StoredSection()> pack;
            StoredSection packed = {};
        };
        std::vector<Part> parts{
            {SectionKind::definitions, [this] { return pack_all_definitions(); }},
            {SectionKind::local_definitions,
             [&] {
                 return pack_local_definitions(finish(Stream::local_definitions), locations,
                                               packing_);
             }},
            {SectionKind::structure, [&] { return pack_structure(events, locations, packing_); }}};
        if (options_.timing == TimingLevel::histogram) {
            parts.push_back({SectionKind::durations,
                             [&] { return pack_timings(team_->timings(), events, packing_); }});
        }
        const auto pack = [&parts](std::size_t i) { parts[i].packed = parts[i].pack(); };
        if (comm_.size() == 1 && team_->members().size() == 1) {
            for (std::size_t i = 0; i < parts.size(); ++i) pack(i);
        } else {
            run_parallel(parts.size(), pack);
        }
        for (const Part& part : parts) writer_->add(part.kind, 0, part.packed);
    }

    /// Reads the definitions again: they depend on the number of events read.
    StoredSection pack_all_definitions() {
        auto facts = team_->store().facts().begin();
        const FoldedDefinitions folded = fold_definitions(
            [this](const BatchSink& sink) { source_->read_global_definitions(sink); },
            [&facts] { return (facts++)->second.events; }, packing_.dictionary());
        return pack_definitions(folded.structure, folded.text, packing_);
    }

    [[nodiscard]] TraceSummary summary() const {
        TraceSummary summary;
        summary.producer = options_.producer;
        summary.timing = options_.timing;
        if (options_.timing == TimingLevel::quantized) {
            summary.time_error_ppm = options_.time_error_ppm;
        }
        summary.dropped_unknown_records = report_.dropped_unknown_records;
        summary.dropped_clock_offsets = report_.dropped_clock_offsets;
        summary.archive_bytes = report_.archive_bytes;
        summary.exact_bytes = report_.exact_bytes;
        summary.losses = source_->losses();
        return summary;
    }

    void add_files() {
        std::vector<u64> ids;
        for (const LocationDefinition& location : definitions_.locations()) {
            ids.push_back(location.id);
        }
        if (options_.with_extra_files && source_->files() != nullptr) {
            report_.left_out = source_->files()->extras().left_out;
        }
        u64 number = 0;
        source_->read_files(ids, options_.with_extra_files, file_->temporary_path(),
                            [this, &number](const CarriedFile& file) {
                                writer_->add(SectionKind::file, number++, encode_file(file));
                            });
    }

    /// Agrees on the file offsets of all processes' ticks, in the order of locations.
    void place_ticks() {
        ByteWriter mine;
        for (const FoldingTeam::Member& member : team_->members()) {
            for (const Section& section : member.folder->sections()) {
                mine.put_u64le(section.index);
                mine.put_u8(static_cast<u8>(section.coding));
                mine.put_u64le(section.stored_size);
                mine.put_u64le(section.content_size);
                mine.put_u64le(section.checksum);
            }
        }
        const std::vector<std::string> all = comm_.gather(mine.bytes(), 0);
        ByteWriter offsets;
        if (is_root()) {
            std::vector<Section> sections(report_.locations);
            for (const std::string& part : all) {
                ByteReader in(part, "the sizes from another process");
                while (in.remaining() != 0) {
                    const u64 index = in.get_u64le();
                    Section& section = sections[index];
                    section.kind = SectionKind::ticks;
                    section.index = index;
                    section.coding = static_cast<Coding>(in.get_u8());
                    section.stored_size = in.get_u64le();
                    section.content_size = in.get_u64le();
                    section.checksum = in.get_u64le();
                }
            }
            for (const Section& section : sections) {
                offsets.put_u64le(section.stored_size == 0 ? 0 : writer_->place(section));
            }
        }
        temporary_ = comm_.broadcast(is_root() ? file_->temporary_path().string() : "", 0);
        offsets_ = comm_.broadcast(offsets.take(), 0);
    }

    void write_ticks() {
        std::optional<SharedFile> shared;
        for (const FoldingTeam::Member& member : team_->members()) {
            if (member.folder->sections().empty()) continue;
            if (!shared) shared.emplace(temporary_);
            write_ticks(*member.folder, *shared);
        }
        if (shared) shared->finish();
    }

    void write_ticks(const ArchiveFolder& folder, SharedFile& shared) const {
        u64 from = 0;
        constexpr u64 kPiece = u64{1} << 22U;
        for (const Section& section : folder.sections()) {
            ByteReader in(offsets_, "the places of the ticks");
            in.get_bytes(8 * section.index);
            u64 to = in.get_u64le();
            for (u64 left = section.stored_size; left > 0;) {
                const u64 size = left < kPiece ? left : kPiece;
                shared.write_at(to, folder.ticks().read(from, size));
                to += size;
                from += size;
                left -= size;
            }
        }
    }

    void verify() {
        const ProgressSink progress = one_at_a_time(options_.progress);
        team_->run([&](FoldingTeam::Member& member) {
            const bool first = is_root() && member.source == source_;
            if (!first && member.checked.empty()) return;
            TraceFile file(temporary_);
            try {
                verify(file, member, first, progress);
            } catch (const Error& error) {
                if (error.kind() != ErrorKind::mismatch || comm_.size() == 1) throw;
                throw Error(ErrorKind::mismatch,
                            "{} (process {} folded, process {} compared: they may see different "
                            "files)",
                            error.what(), team_->checked_process(), comm_.rank());
            }
        });
    }

    void verify(TraceFile& file, const FoldingTeam::Member& member, bool first,
                const ProgressSink& progress) {
        if (report_.exact_bytes) return check_bytes(file, member, first, progress);
        if (first) verify_definitions(file, *source_);
        if (first && options_.timing == TimingLevel::histogram) {
            verify_durations(file, team_->timings());
        }
        for (const u32 location : member.checked) {
            verify_location(file, *member.source, location, progress);
        }
    }

    void check_bytes(TraceFile& file, const FoldingTeam::Member& member, bool first,
                     const ProgressSink& progress) {
        ByteCheck check(file, *member.source);
        if (first) check.compare_global_definitions();
        for (const u32 location : member.checked) check.compare_location(location, progress);
        const std::scoped_lock lock(kept_mutex_);
        kept_.insert(kept_.end(), check.kept().begin(), check.kept().end());
        kept_checksum_ += check.checksum();
    }

    /// Adds the section with the differences of all processes.
    void keep_bytes() {
        const std::vector<std::string> all = comm_.gather(to_bytes(kept_), 0);
        const std::vector<u64> shares = comm_.all_gather(kept_checksum_);
        const u64 checksum = std::reduce(shares.begin(), shares.end());
        agree(comm_, [&] {
            if (!is_root()) return;
            std::vector<FileDifferences> files;
            for (const std::string& part : all) {
                std::ranges::move(from_bytes<std::vector<FileDifferences>>(
                                      part, "the kept bytes from another process"),
                                  std::back_inserter(files));
            }
            report_.kept_files = files.size();
            const ByteDifferences kept(std::move(files), checksum);
            writer_->add(SectionKind::kept_bytes, 0, kept.encode());
            writer_->finish();
            verify_kept_bytes(kept);
        });
    }

    void verify_kept_bytes(const ByteDifferences& kept) const {
        const TraceFile file(temporary_);
        if (file.kept_bytes() == kept) return;
        throw Error(ErrorKind::mismatch, "the kept bytes of {} differ in the file",
                    file.archive().name);
    }

    Communicator& comm_;
    const CompressOptions& options_;
    Packing packing_;
    std::function<TraceSource&()> open_;
    CompressReport report_;
    TraceSource* source_ = nullptr;
    DefinitionIndex definitions_;
    u64 unknown_definitions_ = 0;
    std::optional<FoldingTeam> team_;
    std::unique_ptr<AtomicFile> file_;
    std::optional<ContainerWriter> writer_;
    u64 state_ = 0;    ///< of the source's files
    u64 content_ = 0;  ///< as all processes see it
    std::string temporary_;
    std::string offsets_;
    std::mutex kept_mutex_;
    std::vector<FileDifferences> kept_;
    u64 kept_checksum_ = 0;
};

/// Folds the readable part of a damaged archive. All processes read the files that rank 0 mends.
CompressReport rescue(Communicator& comm, const CompressOptions& options) {
    const fs::path directory = fs::path(options.output).parent_path();
    const RescuedArchive rescued(comm, options.archive, directory.empty() ? "." : directory,
                                 {options.drop_unknown}, options.with_extra_files);
    const std::vector<InputClaim> claims = claim_archive(rescued.original_anchor());
    std::optional<ArchiveSource> archive;
    CompressReport report =
        Compression(comm, options, [&]() -> TraceSource& {
            archive.emplace(rescued.anchor(), ArchiveReaderOptions{options.drop_unknown});
            archive->set_losses(rescued.losses());
            return *archive;
        }).run();
    if (options.with_extra_files && comm.rank() == 0) {
        report.left_out = files_of(rescued.original_anchor()).extras().left_out;
    }
    return report;
}

/// Other files of the archive's folder are inputs if they are stored as extra files.
std::vector<InputClaim> claim_inputs(const CompressOptions& options) {
    std::vector<InputClaim> claims = claim_trace(options.archive);
    if (!options.with_extra_files) return claims;
    const fs::path path = fs::absolute(options.archive);
    claims.emplace_back(fs::is_directory(path) ? path : path.parent_path());
    return claims;
}

}  // namespace

CompressReport compress(Communicator& comm, const CompressOptions& options) {
    const std::vector<InputClaim> claims = claim_inputs(options);
    if (options.rescue) return rescue(comm, options);
    std::optional<ArchiveSource> archive;
    return Compression(comm, options,
                       [&]() -> TraceSource& {
                           return archive.emplace(options.archive,
                                                  ArchiveReaderOptions{options.drop_unknown});
                       })
        .run();
}

CompressReport compress(Communicator& comm, const CompressOptions& options, TraceSource& source) {
    return Compression(comm, options, [&source]() -> TraceSource& { return source; }).run();
}

RescuedArchive::RescuedArchive(Communicator& comm, const std::string& archive,
                               const std::string& parent, const ArchiveReaderOptions& reading,
                               bool with_extra_files)
    : scratch_(comm, parent, ScratchFolder::kOtherOutput) {
    on_first(comm, [&] {
        mended_ = mend_archive(archive, scratch_.path().string(), {reading, with_extra_files});
    });
    anchor_ = comm.broadcast(mended_.anchor, 0);
}

std::vector<std::pair<std::string, std::string>> format_versions() {
    const auto dotted = [](unsigned major, unsigned minor) {
        return std::to_string(major) + "." + std::to_string(minor);
    };
    return {{"file format", dotted(kFormatMajor, kFormatMinor)},
            {"OTF2 records up to", dotted(kOtf2Major, kOtf2Minor)},
            {"libotf2", otf2_library_version()},
            {"zstd", zstd_version()}};
}

}  // namespace tracefold
