// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/mended_archive.hpp"

#include "core/error.hpp"
#include "model/definition_table.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/detail/anchor.hpp"
#include "otf2/detail/anchor_remains.hpp"
#include "otf2/detail/damaged_archive_place.hpp"
#include "otf2/detail/file_examination.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

namespace tracefold {

namespace {

namespace fs = std::filesystem;
using otf2_detail::FileExamination;
using otf2_detail::RawFileKind;
using otf2_detail::RecordBytes;

// What libotf2 and Score-P cut files into.
constexpr u64 kUsualEventChunk = u64{1} << 20;
constexpr u64 kUsualDefinitionChunk = u64{256} << 10;

struct Location {
    u64 id = 0;
    u64 declared_events = 0;
};

/// A definition of a location of which nothing but its id and its events are known.
RecordBytes inferred_location(const Location& location, bool little_endian) {
    constexpr char kLocation = 14;
    constexpr char kUndefined = '\xFF';
    constexpr char kCpuThread = 1;
    const auto number = [little_endian](u64 value) {  // how many bytes, and those that matter
        const std::size_t size = (static_cast<std::size_t>(std::bit_width(value)) + 7) / 8;
        const std::string bytes = otf2_detail::number_bytes(value, little_endian);
        return std::string(1, static_cast<char>(size)) +
               bytes.substr(little_endian ? 0 : bytes.size() - size, size);
    };
    const std::string fields = number(location.id) + kUndefined + kCpuThread +
                               number(location.declared_events) + kUndefined;
    return std::string{kLocation, static_cast<char>(fields.size())} + fields;
}

class Mending {
  public:
    Mending(const std::string& path, const std::string& folder, const MendOptions& options)
        : options_(options),
          files_(otf2_detail::find_damaged_archive(path)),
          mended_(folder, files_.name()),
          location_files_(files_.of_locations()) {}

    MendedArchive run() {
        examine_anchor();
        examine_global_definitions();
        if (!losses_.empty()) write_core();
        read_locations();
        if (definitions_lost()) define_locations();
        expect_local_definitions();
        for (const Location& location : locations_) examine(location);
        const bool whole = losses_.empty();
        if (!whole) link_the_rest();
        return {whole ? files_.anchor() : mended_.anchor(), files_.anchor(), std::move(losses_)};
    }

  private:
    void examine_anchor();
    void infer_chunk_sizes();
    void examine_global_definitions();
    void write_core();
    void read_locations();
    void define_locations();
    void expect_local_definitions();
    void examine(const Location& location);
    void examine_local_definitions(u64 location, bool has_events);
    void examine_events(const Location& location,
                        const std::optional<FileExamination>& examination);
    void keep_mended(const std::string& from, const FileExamination& examination,
                     const std::string& to);
    void link(const std::string& file) const;
    void link_the_rest() const;

    [[nodiscard]] bool definitions_lost() const {
        return !definitions_.is_whole() || definitions_.records < anchor_.global_definition_count;
    }
    [[nodiscard]] FileExamination examine_events_of(u64 location) const {
        return otf2_detail::examine_file(
            files_.events(location), RawFileKind::events, anchor_.event_chunk_size,
            "events of location " + std::to_string(location) + " in " + files_.events(location));
    }

    const MendOptions& options_;
    ArchiveFiles files_;
    ArchiveFiles mended_;
    LocationFiles location_files_;
    ArchiveInfo anchor_;
    bool anchor_is_whole_ = false;
    bool core_is_mended_ = false;
    FileExamination definitions_;
    std::vector<RecordBytes> inferred_definitions_;
    std::vector<Location> locations_;
    bool expects_local_definitions_ = false;
    std::set<u64> inferred_locations_;
    std::vector<FileLoss> losses_;
};

/// What is no longer than a chunk; anchor files are much shorter.
std::string read_some(const std::string& path) {
    constexpr std::uintmax_t kMost = std::uintmax_t{1} << 24;
    std::error_code ignored;
    std::string bytes(std::min(fs::file_size(path, ignored), kMost), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

void Mending::examine_anchor() {
    std::error_code ignored;
    const std::string path = files_.anchor();
    const bool exists = fs::exists(path, ignored);
    if (exists) {
        try {
            anchor_ = otf2_detail::read_anchor(path);
            anchor_is_whole_ = true;
            return;
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::corrupt) throw;
        }
    }
    anchor_ = otf2_detail::parse_anchor_remains(exists ? read_some(path) : "");
    FileLoss loss;
    loss.file = ArchiveFileKind::anchor;
    loss.damage = exists ? FileDamage::cut : FileDamage::missing;
    losses_.push_back(loss);
    infer_chunk_sizes();
}

void Mending::infer_chunk_sizes() {
    const auto is_usable = [](u64 size) {
        return size >= otf2_detail::kSmallestChunk && size <= otf2_detail::kLargestChunk;
    };
    std::vector<std::string> paths;
    if (!is_usable(anchor_.event_chunk_size)) {
        for (const u64 id : location_files_.events) paths.push_back(files_.events(id));
        anchor_.event_chunk_size =
            otf2_detail::infer_chunk_size(paths, RawFileKind::events, kUsualEventChunk);
    }
    if (is_usable(anchor_.definition_chunk_size)) return;
    std::error_code ignored;
    paths.clear();
    if (fs::exists(files_.global_definitions(), ignored)) {
        paths.push_back(files_.global_definitions());
    }
    for (const u64 id : location_files_.local_definitions) {
        paths.push_back(files_.local_definitions(id));
    }
    anchor_.definition_chunk_size =
        otf2_detail::infer_chunk_size(paths, RawFileKind::definitions, kUsualDefinitionChunk);
}

void Mending::examine_global_definitions() {
    const std::string path = files_.global_definitions();
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        throw Error(ErrorKind::io, "cannot rescue the archive " + files_.anchor() +
                                       ": its global definitions " + path +
                                       " are missing, and without them no event has a meaning");
    }
    definitions_ =
        otf2_detail::examine_file(path, RawFileKind::definitions, anchor_.definition_chunk_size,
                                  "global definitions in " + path);
    const bool as_promised = definitions_.records == anchor_.global_definition_count;
    if (definitions_.is_whole() && (as_promised || !anchor_is_whole_)) {
        anchor_.global_definition_count = definitions_.records;
        return;
    }
    FileLoss loss;
    loss.file = ArchiveFileKind::global_definitions;
    loss.records = definitions_.records;
    loss.expected = anchor_.global_definition_count;
    loss.bytes = definitions_.lost_bytes;
    losses_.push_back(loss);
}

void Mending::write_core() {
    std::error_code ignored;
    fs::create_directory(fs::path(mended_.directory()) / mended_.name(), ignored);
    otf2_detail::write_mended(files_.global_definitions(), definitions_,
                              mended_.global_definitions(), inferred_definitions_);
    ArchiveInfo info = anchor_;
    info.location_count = definitions_.locations + inferred_definitions_.size();
    info.global_definition_count = definitions_.records + inferred_definitions_.size();
    std::ofstream file(mended_.anchor(), std::ios::binary | std::ios::trunc);
    file << (anchor_is_whole_ ? otf2_detail::with_counts(anchor_.anchor_bytes, info.location_count,
                                                         info.global_definition_count)
                              : options_.write_anchor(info));
    file.close();
    if (!file) throw Error(ErrorKind::io, "cannot write " + mended_.anchor());
    core_is_mended_ = true;
}

void Mending::read_locations() {
    ArchiveReader reader(core_is_mended_ ? mended_.anchor() : files_.anchor(), options_.reading);
    reader.read_global_definitions([this](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type != static_cast<u8>(DefinitionType::Location)) continue;
            const auto values = batch.values(head);
            locations_.push_back({values[0], values[3]});  // self, number_of_events
        }
    });
}

/// Without a definition of their location these files could not be read.
void Mending::define_locations() {
    std::set<u64> defined;
    for (const Location& location : locations_) defined.insert(location.id);
    std::set<u64> found(location_files_.events.begin(), location_files_.events.end());
    found.insert(location_files_.local_definitions.begin(),
                 location_files_.local_definitions.end());
    for (const u64 id : found) {
        if (defined.contains(id)) continue;
        const bool has_events = location_files_.has_events(id);
        locations_.push_back({id, has_events ? examine_events_of(id).records : 0});
        inferred_locations_.insert(id);
        inferred_definitions_.push_back(
            inferred_location(locations_.back(), definitions_.chunk.little_endian));
    }
    if (!inferred_definitions_.empty()) write_core();
}

void Mending::keep_mended(const std::string& from, const FileExamination& examination,
                          const std::string& to) {
    std::error_code ignored;
    fs::create_directory(fs::path(mended_.directory()) / mended_.name(), ignored);
    otf2_detail::write_mended(from, examination, to);
}

/// Recorders give such a file to each location of an archive or to none, but other writers need
/// not.
void Mending::expect_local_definitions() {
    u64 with_events = 0;
    u64 with_both = 0;
    for (const Location& location : locations_) {
        if (location.declared_events == 0) continue;
        ++with_events;
        if (location_files_.has_local_definitions(location.id)) ++with_both;
    }
    expects_local_definitions_ = with_both != 0 && 2 * with_both >= with_events;
}

void Mending::examine(const Location& location) {
    std::optional<FileExamination> events;
    if (location_files_.has_events(location.id)) events = examine_events_of(location.id);
    examine_local_definitions(location.id, events && events->records != 0);
    examine_events(location, events);
}

void Mending::examine_local_definitions(u64 location, bool has_events) {
    FileLoss loss;
    loss.file = ArchiveFileKind::local_definitions;
    loss.location = location;
    if (!location_files_.has_local_definitions(location)) {
        if (!has_events || !expects_local_definitions_) return;
        loss.damage = FileDamage::missing;
        losses_.push_back(loss);
        return;
    }
    const std::string path = files_.local_definitions(location);
    const FileExamination examination = otf2_detail::examine_file(
        path, RawFileKind::definitions, anchor_.definition_chunk_size,
        "local definitions of location " + std::to_string(location) + " in " + path);
    if (examination.is_whole()) return;
    loss.records = examination.records;
    loss.bytes = examination.lost_bytes;
    losses_.push_back(loss);
    keep_mended(path, examination, mended_.local_definitions(location));
}

void Mending::examine_events(const Location& location,
                             const std::optional<FileExamination>& examination) {
    FileLoss loss;
    loss.location = location.id;
    loss.expected = location.declared_events;
    if (inferred_locations_.contains(location.id)) {
        loss.records = location.declared_events;
        loss.damage = FileDamage::undefined;
        losses_.push_back(loss);
        loss.damage = FileDamage::cut;
    }
    if (!examination) {
        if (location.declared_events == 0) return;
        loss.damage = FileDamage::missing;
        losses_.push_back(loss);
        keep_mended("", {}, mended_.events(location.id));
        return;
    }
    if (examination->is_whole()) return;
    loss.records = examination->records;
    loss.expected = std::max(loss.expected, examination->expected);
    loss.bytes = examination->lost_bytes;
    losses_.push_back(loss);
    keep_mended(files_.events(location.id), *examination, mended_.events(location.id));
}

void Mending::link(const std::string& file) const {
    const fs::path target = fs::path(mended_.directory()) / file;
    std::error_code error;
    if (fs::exists(target, error)) return;  // a mended copy
    fs::create_directories(target.parent_path(), error);
    fs::create_symlink(fs::absolute(fs::path(files_.directory()) / file), target, error);
    if (!error) return;
    throw Error(ErrorKind::io,
                "cannot link " + target.string() + " to a file of the archive: " + error.message());
}

void Mending::link_the_rest() const {
    const std::string folder = files_.name() + "/";
    link(files_.name() + ".otf2");
    link(files_.name() + ".def");
    std::vector<u64> ids;
    for (const Location& location : locations_) ids.push_back(location.id);
    for (const u64 id : ids) {
        const std::string file = folder + std::to_string(id);
        if (location_files_.has_local_definitions(id)) link(file + ".def");
        if (location_files_.has_events(id)) link(file + ".evt");
    }
    for (const std::string& file : files_.companions(ids)) link(file);
    if (!options_.with_extra_files) return;
    const fs::path own = fs::weakly_canonical(mended_.directory());
    for (const std::string& file : files_.extras()) {
        const fs::path path = fs::weakly_canonical(files_.directory()) / file;
        if (path.lexically_relative(own).begin()->string() == "..") link(file);
    }
}

}  // namespace

MendedArchive mend_archive(const std::string& path, const std::string& folder,
                           const MendOptions& options) {
    return Mending(path, folder, options).run();
}

}  // namespace tracefold
