// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/mended_archive.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/file_descriptor.hpp"
#include "base/temporary.hpp"
#include "model/archive_info.hpp"
#include "model/definition_table.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/detail/anchor.hpp"
#include "otf2/detail/error_capture.hpp"
#include "otf2/detail/file_examination.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace tracefold::otf2 {

/// The losses of an archive's files, in the order of discovery.
class LossList {
  public:
    void add(const FileLoss& loss) { losses_.push_back(loss); }

    /// Adds a truncated file. A file has one such loss; a later one is more precise.
    void add_cut(FileLoss loss, const FileExamination& examination) {
        loss.damage = FileDamage::cut;
        loss.records = examination.records;
        loss.expected = std::max(loss.expected, examination.expected);
        loss.bytes = examination.lost_bytes;
        const auto [known, added] = cuts_.try_emplace({loss.file, loss.location}, losses_.size());
        if (added) return add(loss);
        FileLoss& earlier = losses_[known->second];
        loss.expected = std::max(loss.expected, earlier.expected);
        earlier = loss;
    }

    [[nodiscard]] bool empty() const { return losses_.empty(); }
    [[nodiscard]] std::vector<FileLoss> take() { return std::exchange(losses_, {}); }

  private:
    std::vector<FileLoss> losses_;
    std::map<std::pair<ArchiveFileKind, u64>, std::size_t> cuts_;  // index of the loss, by file
};

struct DefinedLocation {
    u64 id = 0;
    u64 declared_events = 0;
};

/// The anchor file and the global definitions of a possibly damaged archive, and their
/// replacements. Errors: see mend_archive().
class MendedCore {
  public:
    /// All references must outlive this.
    MendedCore(const ArchiveFiles& files, const LocationFiles& location_files,
               const ArchiveFiles& mended, const MendOptions& options, LossList& losses)
        : files_(files),
          location_files_(location_files),
          mended_(mended),
          options_(options),
          losses_(losses) {}

    /// Examines both files and replaces them if one is damaged.
    void examine() {
        examine_anchor();
        examine_definitions(kAll);
        if (!losses_.empty()) write();
    }
    /// Reads the defined locations. Data that libotf2 cannot decode becomes damage.
    std::vector<DefinedLocation> read_locations();
    /// Adds a definition of an otherwise unknown location; call write() after the last.
    void define(const DefinedLocation& location);
    void write();

    /// With valid chunk sizes.
    [[nodiscard]] const ArchiveInfo& anchor() const { return anchor_; }
    [[nodiscard]] bool definitions_are_whole() const {
        return definitions_.is_whole() && definitions_.records >= anchor_.global_definition_count;
    }

  private:
    void examine_anchor();
    void infer_chunk_sizes();
    void write_anchor() const;
    void examine_definitions(u64 most);
    [[nodiscard]] std::vector<DefinedLocation> list_locations() const;

    const ArchiveFiles& files_;
    const LocationFiles& location_files_;
    const ArchiveFiles& mended_;
    const MendOptions& options_;
    LossList& losses_;
    ArchiveInfo anchor_;
    bool anchor_is_whole_ = false;
    bool is_mended_ = false;
    FileExamination definitions_;
    std::vector<RecordBytes> inferred_definitions_;
};

}  // namespace tracefold::otf2

namespace tracefold {

namespace {

namespace fs = std::filesystem;
using otf2::DamageError;
using otf2::DefinedLocation;
using otf2::FileExamination;
using otf2::RawFileKind;

bool holds_events(const fs::path& folder) { return !files_in(folder.string(), ".evt").empty(); }

/// Names of archives, without extension, that have global definitions, or else events.
std::vector<std::string> archives_without_anchor(const fs::path& folder) {
    std::vector<std::string> names;
    for (const std::string& file : files_in(folder.string(), ".def")) {
        names.push_back(fs::path(file).stem().string());
    }
    if (!names.empty()) return names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_directory() && holds_events(entry.path())) {
            names.push_back(entry.path().filename().string());
        }
    }
    return names;
}

ArchiveFiles only_archive(const fs::path& folder) {
    if (holds_events(folder)) {  // the folder of an anchor beside it
        const fs::path whole = (fs::absolute(folder) / ".").lexically_normal().parent_path();
        return {whole.parent_path().string(), whole.filename().string()};
    }
    const std::vector<std::string> names = archives_without_anchor(folder);
    if (names.empty()) {
        throw Error(ErrorKind::io,
                    "there is no archive in the folder {}: it has neither an anchor file nor "
                    "definitions nor events",
                    folder.string());
    }
    if (names.size() == 1) return {folder.string(), names.front()};
    std::string choices;
    for (const std::string& name : names) choices += (choices.empty() ? "" : ", ") + name + ".otf2";
    throw Error(ErrorKind::usage,
                "there are {} archives without an anchor file in the folder {}; name one of {}",
                names.size(), folder.string(), choices);
}

/// Finds the archive of `path` even if its anchor file is missing: `path` is an anchor file,
/// existing or not, a file of global definitions, or a folder with either, or with a single folder
/// of event files. Throws Error: `usage` if there are several, `io` if there is none.
ArchiveFiles find_damaged_archive(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
        const ArchiveFiles files = files_of(path);
        return fs::exists(path, ignored) || !files.existing().empty()
                   ? files
                   : files_of(find_anchor(path));  // throws the reason why it cannot be opened
    }
    return list_folder(path, [&] {
        return files_in(path, ".otf2").empty() ? only_archive(path) : files_of(find_anchor(path));
    });
}

class Mending {
  public:
    Mending(const std::string& path, const std::string& folder, const MendOptions& options)
        : options_(options),
          files_(find_damaged_archive(path)),
          mended_(folder, files_.name()),
          location_files_(files_.of_locations()) {}

    MendedArchive run() {
        core_.examine();
        locations_ = core_.read_locations();
        if (!core_.definitions_are_whole()) define_locations();
        expect_local_definitions();
        for (const DefinedLocation& location : locations_) examine(location);
        if (!losses_.empty()) link_the_rest();
        check_contents();
        const bool whole = losses_.empty();
        return {whole ? files_.anchor() : mended_.anchor(), files_.anchor(), losses_.take()};
    }

  private:
    void define_locations();
    void expect_local_definitions();
    void examine(const DefinedLocation& location);
    void examine_local_definitions(u64 location, bool has_events);
    void examine_events(const DefinedLocation& location,
                        const std::optional<FileExamination>& examination);
    void keep_mended(const std::string& from, const FileExamination& examination,
                     const std::string& to);
    void check_contents();
    void cut_events(const DefinedLocation& location, u64 records);
    void cut_local_definitions(u64 location, u64 records);
    void link(const std::string& file) const;
    void copy(const std::string& file) const;
    void link_the_rest() const;

    // Examines up to the first `most` records.
    [[nodiscard]] FileExamination examine_events_of(u64 location, u64 most = otf2::kAll) const {
        const std::string path = files_.events(location);
        return otf2::examine_file(path, RawFileKind::events, core_.anchor().event_chunk_size,
                                  fmt::format("events of location {} in {}", location, path), most);
    }
    [[nodiscard]] FileExamination examine_definitions_of(u64 location,
                                                         u64 most = otf2::kAll) const {
        const std::string path = files_.local_definitions(location);
        return otf2::examine_file(
            path, RawFileKind::definitions, core_.anchor().definition_chunk_size,
            fmt::format("local definitions of location {} in {}", location, path), most);
    }

    const MendOptions& options_;
    ArchiveFiles files_;
    ArchiveFiles mended_;
    LocationFiles location_files_;
    std::vector<DefinedLocation> locations_;
    bool expects_local_definitions_ = false;
    std::set<u64> inferred_locations_;
    otf2::LossList losses_;
    otf2::MendedCore core_{files_, location_files_, mended_, options_, losses_};
};

/// Defines undefined locations: without a definition, their files could not be read.
void Mending::define_locations() {
    std::set<u64> defined;
    for (const DefinedLocation& location : locations_) defined.insert(location.id);
    std::set<u64> found(location_files_.events.begin(), location_files_.events.end());
    found.insert(location_files_.local_definitions.begin(),
                 location_files_.local_definitions.end());
    for (const u64 id : found) {
        if (defined.contains(id)) continue;
        const bool has_events = location_files_.has_events(id);
        locations_.push_back({id, has_events ? examine_events_of(id).records : 0});
        inferred_locations_.insert(id);
        core_.define(locations_.back());
    }
    if (!inferred_locations_.empty()) core_.write();
}

void Mending::keep_mended(const std::string& from, const FileExamination& examination,
                          const std::string& to) {
    std::error_code ignored;
    fs::create_directory(fs::path(mended_.directory()) / mended_.name(), ignored);
    fs::remove(to, ignored);  // writing must not follow a link to the original
    otf2::write_mended(from, examination, to);
}

/// Recorders write such files for all locations of an archive or for none; other writers may not.
void Mending::expect_local_definitions() {
    u64 with_events = 0;
    u64 with_both = 0;
    for (const DefinedLocation& location : locations_) {
        if (location.declared_events == 0) continue;
        ++with_events;
        if (location_files_.has_local_definitions(location.id)) ++with_both;
    }
    expects_local_definitions_ = with_both != 0 && 2 * with_both >= with_events;
}

void Mending::examine(const DefinedLocation& location) {
    std::optional<FileExamination> events;
    if (location_files_.has_events(location.id)) events = examine_events_of(location.id);
    examine_local_definitions(location.id,
                              (events ? events->records : location.declared_events) != 0);
    examine_events(location, events);
}

void Mending::examine_local_definitions(u64 location, bool has_events) {
    FileLoss loss;
    loss.file = ArchiveFileKind::local_definitions;
    loss.location = location;
    if (!location_files_.has_local_definitions(location)) {
        if (!has_events || !expects_local_definitions_) return;
        loss.damage = FileDamage::missing;
        losses_.add(loss);
        FileExamination nothing;
        nothing.kind = RawFileKind::definitions;
        keep_mended("", nothing, mended_.local_definitions(location));
        return;
    }
    const FileExamination examination = examine_definitions_of(location);
    if (examination.is_whole()) return;
    losses_.add_cut(loss, examination);
    keep_mended(files_.local_definitions(location), examination,
                mended_.local_definitions(location));
}

void Mending::examine_events(const DefinedLocation& location,
                             const std::optional<FileExamination>& examination) {
    FileLoss loss;
    loss.location = location.id;
    loss.expected = location.declared_events;
    const bool inferred = inferred_locations_.contains(location.id);
    if (inferred) {
        loss.records = location.declared_events;
        loss.damage = FileDamage::undefined;
        losses_.add(loss);
    }
    if (!examination) {
        if (location.declared_events == 0 && !inferred) return;
        loss.damage = FileDamage::missing;
        losses_.add(loss);
        keep_mended("", {}, mended_.events(location.id));
        return;
    }
    if (examination->is_whole()) return;
    losses_.add_cut(loss, *examination);
    keep_mended(files_.events(location.id), *examination, mended_.events(location.id));
}

/// Counts the records before the first one that libotf2 cannot decode; nothing if all are valid.
template <class Read>
std::optional<u64> readable_records(Read read) {
    try {
        read([](const RecordBatch&) {});
        return {};
    } catch (const DamageError& error) {
        return error.records();
    }
}

/// Finds complete records with invalid content, which only decoding reveals.
void Mending::check_contents() {
    const bool sound = losses_.empty();
    ArchiveReader reader(sound ? files_.anchor() : mended_.anchor(), options_.reading);
    reader.read_global_definitions([](const RecordBatch&) {});
    for (const DefinedLocation& location : locations_) {
        const auto definitions = readable_records(
            [&](const auto& sink) { reader.read_local_definitions(location.id, sink); });
        if (definitions) cut_local_definitions(location.id, *definitions);
        const auto events =
            readable_records([&](const auto& sink) { reader.read_events(location.id, sink); });
        if (events) cut_events(location, *events);
    }
    if (sound && !losses_.empty()) link_the_rest();
}

void Mending::cut_local_definitions(u64 location, u64 records) {
    FileLoss loss;
    loss.file = ArchiveFileKind::local_definitions;
    loss.location = location;
    const FileExamination examination = examine_definitions_of(location, records);
    losses_.add_cut(loss, examination);
    keep_mended(files_.local_definitions(location), examination,
                mended_.local_definitions(location));
}

void Mending::cut_events(const DefinedLocation& location, u64 records) {
    FileLoss loss;
    loss.location = location.id;
    loss.expected = location.declared_events;
    const FileExamination examination = examine_events_of(location.id, records);
    losses_.add_cut(loss, examination);
    keep_mended(files_.events(location.id), examination, mended_.events(location.id));
}

void Mending::link(const std::string& file) const {
    const fs::path target = fs::path(mended_.directory()) / file;
    std::error_code error;
    if (fs::exists(target, error)) return;  // a mended copy
    make_folders(target.parent_path(), error);
    fs::create_symlink(fs::absolute(fs::path(files_.directory()) / file), target, error);
    if (!error) return;
    throw Error(ErrorKind::io, "cannot link {} to a file of the archive: {}", target.string(),
                error.message());
}

/// Copies an extra file: a link would lead out of the mended archive.
void Mending::copy(const std::string& file) const {
    const fs::path target = fs::path(mended_.directory()) / file;
    std::error_code error;
    make_folders(target.parent_path(), error);
    fs::copy_file(fs::path(files_.directory()) / file, target, error);
    if (!error) return;
    throw Error(ErrorKind::io, "cannot copy {} to {}: {}", file, target.string(), error.message());
}

void Mending::link_the_rest() const {
    const std::string folder = files_.name() + "/";
    link(files_.name() + ".otf2");
    link(files_.name() + ".def");
    std::vector<u64> ids;
    for (const DefinedLocation& location : locations_) ids.push_back(location.id);
    for (const u64 id : ids) {
        const std::string file = folder + std::to_string(id);
        if (location_files_.has_local_definitions(id)) link(file + ".def");
        if (location_files_.has_events(id)) link(file + ".evt");
    }
    for (const std::string& file : files_.companions(ids)) link(file);
    if (!options_.with_extra_files) return;
    const fs::path own = fs::weakly_canonical(mended_.directory());
    for (const std::string& file : files_.extras().files) {
        const fs::path path = fs::weakly_canonical(files_.directory()) / file;
        if (path.lexically_relative(own).begin()->string() == "..") copy(file);
    }
}

}  // namespace

MendedArchive mend_archive(const std::string& path, const std::string& folder,
                           const MendOptions& options) {
    return Mending(path, folder, options).run();
}

}  // namespace tracefold

namespace tracefold::otf2 {

namespace {

namespace fs = std::filesystem;

// The chunk sizes of libotf2 and Score-P.
constexpr u64 kUsualEventChunk = u64{1} << 20;
constexpr u64 kUsualDefinitionChunk = u64{256} << 10;

/// Encodes a location definition from its id and number of events, the only known facts.
RecordBytes inferred_location(const DefinedLocation& location, bool little_endian) {
    constexpr char kLocation = 14;
    constexpr char kUndefined = '\xFF';
    constexpr char kCpuThread = 1;
    const auto number = [little_endian](u64 value) {  // the size, then the significant bytes
        const std::size_t size = (static_cast<std::size_t>(std::bit_width(value)) + 7) / 8;
        const std::string bytes = number_bytes(value, little_endian);
        return std::string(1, static_cast<char>(size)) +
               bytes.substr(little_endian ? 0 : bytes.size() - size, size);
    };
    const std::string fields = number(location.id) + kUndefined + kCpuThread +
                               number(location.declared_events) + kUndefined;
    return std::string{kLocation, static_cast<char>(fields.size())} + fields;
}

bool can_be_opened(const std::string& anchor) {
    try {
        open_archive(anchor);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

void MendedCore::examine_anchor() {
    std::error_code ignored;
    const std::string path = files_.anchor();
    const bool exists = fs::exists(path, ignored);
    const ArchiveInfo remains =
        parse_anchor_remains(exists ? read_small_file(path, kLargestAnchor) : "");
    if (exists) {
        try {
            anchor_ = read_anchor(path);
            anchor_is_whole_ = true;
            return;
        } catch (const Error& error) {
            // Without an end mark libotf2 opens the file, but rejects its content.
            const bool unbelieved = error.kind() == ErrorKind::unsupported && is_plain(remains);
            if (error.kind() != ErrorKind::corrupt && !unbelieved) throw;
        }
    }
    anchor_ = remains;
    FileLoss loss;
    loss.file = ArchiveFileKind::anchor;
    loss.damage = exists ? FileDamage::cut : FileDamage::missing;
    losses_.add(loss);
    infer_chunk_sizes();
}

void MendedCore::infer_chunk_sizes() {
    const auto is_usable = [](u64 size) { return size >= kSmallestChunk && size <= kLargestChunk; };
    std::vector<std::string> paths;
    if (!is_usable(anchor_.event_chunk_size)) {
        for (const u64 id : location_files_.events) paths.push_back(files_.events(id));
        anchor_.event_chunk_size = infer_chunk_size(paths, RawFileKind::events, kUsualEventChunk);
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
        infer_chunk_size(paths, RawFileKind::definitions, kUsualDefinitionChunk);
}

void MendedCore::examine_definitions(u64 most) {
    const std::string path = files_.global_definitions();
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        throw Error(ErrorKind::io,
                    "cannot rescue the archive {}: its global definitions {} are missing, and "
                    "events have no meaning without them",
                    files_.anchor(), path);
    }
    definitions_ = examine_file(path, RawFileKind::definitions, anchor_.definition_chunk_size,
                                "global definitions in " + path, most);
    const bool as_promised = definitions_.records == anchor_.global_definition_count;
    if (definitions_.is_whole() && (as_promised || !anchor_is_whole_)) {
        anchor_.global_definition_count = definitions_.records;
        return;
    }
    FileLoss loss;
    loss.file = ArchiveFileKind::global_definitions;
    loss.expected = anchor_.global_definition_count;
    losses_.add_cut(loss, definitions_);
}

void MendedCore::write() {
    std::error_code ignored;
    fs::create_directory(fs::path(mended_.directory()) / mended_.name(), ignored);
    write_mended(files_.global_definitions(), definitions_, mended_.global_definitions(),
                 inferred_definitions_);
    write_anchor();
    is_mended_ = true;
    if (anchor_is_whole_ || anchor_.properties.empty() || can_be_opened(mended_.anchor())) return;
    anchor_.properties.clear();  // libotf2 accepts only known properties
    write_anchor();
}

void MendedCore::write_anchor() const {
    ArchiveInfo info = anchor_;
    info.location_count = definitions_.locations + inferred_definitions_.size();
    info.global_definition_count = definitions_.records + inferred_definitions_.size();
    std::ofstream file(mended_.anchor(), std::ios::binary | std::ios::trunc);
    file << (anchor_is_whole_ ? with_counts(anchor_.anchor_bytes, info.location_count,
                                            info.global_definition_count)
                              : expected_anchor(info));
    file.close();
    if (!file) throw Error(ErrorKind::io, "cannot write " + mended_.anchor());
}

std::vector<DefinedLocation> MendedCore::list_locations() const {
    std::vector<DefinedLocation> locations;
    ArchiveReader reader(is_mended_ ? mended_.anchor() : files_.anchor(), options_.reading);
    reader.read_global_definitions([&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type != static_cast<u8>(DefinitionType::Location)) continue;
            const auto values = batch.values(head);
            locations.push_back({values[0], values[3]});  // self, number_of_events
        }
    });
    return locations;
}

std::vector<DefinedLocation> MendedCore::read_locations() {
    try {
        return list_locations();
    } catch (const DamageError& error) {  // a complete record with invalid content
        examine_definitions(error.records());
    }
    write();
    return list_locations();
}

void MendedCore::define(const DefinedLocation& location) {
    inferred_definitions_.push_back(inferred_location(location, definitions_.chunk.little_endian));
}

}  // namespace tracefold::otf2
