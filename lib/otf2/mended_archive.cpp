// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/mended_archive.hpp"

#include "core/error.hpp"
#include "io/file_descriptor.hpp"
#include "io/temporary.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/detail/error_capture.hpp"
#include "otf2/detail/file_examination.hpp"
#include "otf2/detail/loss_list.hpp"
#include "otf2/detail/mended_core.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <vector>

namespace tracefold {

namespace {

namespace fs = std::filesystem;
using otf2::DamageError;
using otf2::DefinedLocation;
using otf2::FileExamination;
using otf2::RawFileKind;

bool holds_events(const fs::path& folder) { return !files_in(folder.string(), ".evt").empty(); }

/// Names of archives, without ending, that have global definitions, or else that have events.
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
    if (holds_events(folder)) {  // the folder that belongs to an anchor beside it
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

/// The archive that `path` means if its anchor file may be missing: an anchor file, whether it is
/// there or not, a file of global definitions, or a folder that has one of either, or only one
/// folder with event files. Throws Error: `usage` if there are several, `io` if there is none.
ArchiveFiles find_damaged_archive(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
        const ArchiveFiles files = files_of(path);
        return fs::exists(path, ignored) || !files.existing().empty()
                   ? files
                   : files_of(find_anchor(path));  // says why it cannot be opened
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

    // Up to the first `most` records.
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

/// Without a definition of their location these files could not be read.
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
    fs::remove(to, ignored);  // a link to the file itself must not be written through
    otf2::write_mended(from, examination, to);
}

/// Recorders give such a file to each location of an archive or to none, but other writers need
/// not.
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

/// How many records libotf2 takes before one of which it cannot make sense; none: all.
template <class Read>
std::optional<u64> readable_records(Read read) {
    try {
        read([](const RecordBatch&) {});
        return {};
    } catch (const DamageError& error) {
        return error.records();
    }
}

/// Records that are complete may still be nonsense, which only decoding shows.
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

/// An extra file: a link to it would lead out of the mended archive.
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
