// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/derived_source.hpp"

#include "archives/compress.hpp"
#include "base/communicator.hpp"
#include "base/hash.hpp"
#include "model/archive_info.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::string_view kMarkers = ".marker";

}  // namespace

DerivedSource::DerivedSource(TraceFile& file, ArchiveInfo info, ProgressSink progress)
    : file_(file), info_(std::move(info)), progress_(std::move(progress)) {
    for (u32 location = 0; location < file.location_count(); ++location) {
        location_of_.emplace(file.definitions().locations()[location].id, location);
    }
}

bool DerivedSource::has_local_definitions(u64 location) const {
    return file_.index().facts(place_of(location)).has_local_definition_file != 0;
}

bool DerivedSource::has_events(u64 location) const {
    return file_.index().facts(place_of(location)).has_event_file != 0;
}

void DerivedSource::read_local_definitions(u64 location, const BatchSink& sink) {
    drain(*file_.local_definitions(place_of(location)), sink);
}

/// Drops snapshots and thumbnails: they describe the whole trace and its original times.
void DerivedSource::read_files(const std::vector<u64>&, bool, const std::string&,
                               const std::function<void(const CarriedFile&)>& sink) {
    dropped_files_.clear();
    file_.read_files([&](const CarriedFile& file) {
        if (is_unchanged() || file.path.ends_with(kMarkers)) {
            sink(file);
        } else {
            dropped_files_.push_back(file.path);
        }
    });
}

ArchiveInfo info_of_derived(ArchiveInfo info, std::string_view property, const std::string& text,
                            bool has_expected_anchor) {
    const auto known =
        std::ranges::find(info.properties, property, &std::pair<std::string, std::string>::first);
    if (known == info.properties.end()) {
        info.properties.emplace_back(property, text);
    } else {
        known->second += "; " + text;
    }
    info.trace_id = mix(info.trace_id ^ content_hash(text).low);
    info.snapshot_count = 0;
    info.thumbnail_count = 0;
    info.anchor_bytes = has_expected_anchor ? expected_anchor(info) : std::string();
    return info;
}

u64 fold_derived(const TraceFile& file, DerivedSource& source, const DerivedOutput& output) {
    CompressOptions options;
    options.output = output.path;
    options.producer = file.summary().producer;
    options.timing = output.timing;
    options.verify = false;
    options.level = output.level;
    options.with_extra_files = true;
    options.force = output.force;
    SerialCommunicator process;
    return compress(process, options, source).file_bytes;
}

}  // namespace tracefold
