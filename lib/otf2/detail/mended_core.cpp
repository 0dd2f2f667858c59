// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/mended_core.hpp"

#include "core/error.hpp"
#include "io/file.hpp"
#include "model/definition_table.hpp"
#include "otf2/detail/anchor.hpp"
#include "otf2/detail/anchor_remains.hpp"
#include "otf2/detail/error_capture.hpp"

#include <bit>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace tracefold::otf2 {

namespace {

namespace fs = std::filesystem;

// What libotf2 and Score-P cut files into.
constexpr u64 kUsualEventChunk = u64{1} << 20;
constexpr u64 kUsualDefinitionChunk = u64{256} << 10;

/// A definition of a location of which nothing but its id and its events are known.
RecordBytes inferred_location(const DefinedLocation& location, bool little_endian) {
    constexpr char kLocation = 14;
    constexpr char kUndefined = '\xFF';
    constexpr char kCpuThread = 1;
    const auto number = [little_endian](u64 value) {  // how many bytes, and those that matter
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
            // Without an end mark libotf2 takes the file, but believes nothing in it.
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
                    "without them no event has a meaning",
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
    anchor_.properties.clear();  // libotf2 takes none that it does not know
    write_anchor();
}

void MendedCore::write_anchor() const {
    ArchiveInfo info = anchor_;
    info.location_count = definitions_.locations + inferred_definitions_.size();
    info.global_definition_count = definitions_.records + inferred_definitions_.size();
    std::ofstream file(mended_.anchor(), std::ios::binary | std::ios::trunc);
    file << (anchor_is_whole_ ? with_counts(anchor_.anchor_bytes, info.location_count,
                                            info.global_definition_count)
                              : options_.write_anchor(info));
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
    } catch (const DamageError& error) {  // a complete record that makes no sense
        examine_definitions(error.records());
    }
    write();
    return list_locations();
}

void MendedCore::define(const DefinedLocation& location) {
    inferred_definitions_.push_back(inferred_location(location, definitions_.chunk.little_endian));
}

}  // namespace tracefold::otf2
