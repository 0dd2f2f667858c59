// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/input_kind.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/file_descriptor.hpp"
#include "file/container.hpp"
#include "otf2/archive_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnchorExtension = ".otf2";

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

bool is_folded(const std::string& path) { return is_file(path) && is_container(path); }

bool has_one_of(const fs::path& path, std::initializer_list<std::string_view> extensions) {
    return std::ranges::find(extensions, path.extension().string()) != extensions.end();
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::unsupported, what); }

/// The anchor beside the folder of an archive's location files; may be missing.
fs::path anchor_beside(const fs::path& folder) {
    fs::path anchor = fs::absolute(folder.empty() ? "." : folder).lexically_normal();
    if (!anchor.has_filename()) anchor = anchor.parent_path();
    anchor += kAnchorExtension;
    return folder.is_absolute() ? anchor : anchor.lexically_proximate(fs::current_path());
}

/// "give its anchor file run/traces.otf2"
std::string advice(const fs::path& anchor) {
    return is_file(anchor) ? "give its anchor file " + anchor.string()
                           : "give its anchor file, whose name ends in .otf2";
}

void refuse_part_of_archive(const fs::path& path) {
    if (!has_one_of(path, {".def", ".evt", ".snap", ".thumb", ".marker"})) return;
    fs::path anchor = fs::path(path).replace_extension(kAnchorExtension);
    if (!is_file(anchor)) anchor = anchor_beside(path.parent_path());
    refuse(path.string() + " is only one file of an OTF2 archive; " + advice(anchor));
}

void refuse_other_traces(const fs::path& path) {
    if (has_one_of(path, {".otf"})) {
        refuse(path.string() +
               " is a trace of OTF 1, an older format that is not read; record it as OTF2, for "
               "instance with Score-P");
    }
    if (has_one_of(path, {".cubex", ".cube"})) {
        refuse(path.string() +
               " is a profile for the Cube tools and has no events; record a trace, with Score-P "
               "by SCOREP_ENABLE_TRACING=true, and give its anchor file (*.otf2)");
    }
}

/// Detects gzip, xz, bzip2, zstd and zip by their first bytes, and tar by its magic.
bool is_packed(const fs::path& path) {
    using namespace std::string_view_literals;
    constexpr std::array starts = {"\x1F\x8B"sv,
                                   "\xFD"
                                   "7zXZ"sv,
                                   "BZh"sv, "\x28\xB5\x2F\xFD"sv, "PK\x03\x04"sv};
    constexpr std::string_view tar_mark = "ustar";
    constexpr std::size_t tar_place = 257;
    const InputFile file(path);
    const std::string start =
        file.read_at(0, std::min<u64>(file.size(), tar_place + tar_mark.size()));
    return std::ranges::any_of(starts, [&](auto mark) { return start.starts_with(mark); }) ||
           (start.size() > tar_place && start.substr(tar_place) == tar_mark);
}

void refuse_folder_without_anchor(const fs::path& folder) {
    std::error_code error;
    bool is_empty = true;
    bool has_events = false;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == kAnchorExtension) return;
        has_events = has_events || entry->path().extension() == ".evt";
        is_empty = false;
    }
    if (error) return;
    if (is_empty) {
        refuse("the folder " + folder.string() +
               " is empty; give the folder of an OTF2 archive, or its anchor file (*.otf2)");
    }
    if (has_events) {
        refuse("the folder " + folder.string() +
               " holds only the files of locations of an OTF2 archive; " +
               advice(anchor_beside(folder)));
    }
}

}  // namespace

bool is_archive(const std::string& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored) ||
           (fs::path(path).extension() == kAnchorExtension && !is_folded(path));
}

void refuse_foreign_input(const std::string& path) {
    if (path == "-") {
        throw Error(ErrorKind::usage,
                    "a trace cannot be read from standard input; name a file (./- is one of the "
                    "name -)");
    }
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) refuse_folder_without_anchor(path);
    if (!is_file(path) || is_folded(path)) return;
    refuse_part_of_archive(path);
    refuse_other_traces(path);
    if (is_packed(path)) {
        refuse(path +
               " is a packed archive; unpack it, and give the folder that holds the anchor file "
               "(*.otf2)");
    }
}

void refuse_all_but_archives(const std::string& path) {
    if (is_folded(path)) {
        refuse(path +
               " is already folded; pass it to trace_inspect, trace_convert or trace_replay");
    }
    refuse_foreign_input(path);
}

namespace fs = std::filesystem;

std::vector<InputClaim> claim_archive(const std::string& anchor) {
    const ArchiveFiles files = files_of(anchor);
    const fs::path folder = files.directory();
    std::vector<InputClaim> claims = {InputClaim(anchor), InputClaim(folder / files.name())};
    list_folder(folder.string(), [&] {
        if (!fs::exists(folder)) return;
        // An unreadable folder is not an error: files with known names may still be readable.
        const auto options = fs::directory_options::skip_permission_denied;
        for (const auto& entry : fs::directory_iterator(folder, options)) {
            if (files.has(entry.path().filename().string())) claims.emplace_back(entry.path());
        }
    });
    return claims;
}

std::vector<InputClaim> claim_trace(const std::string& path) {
    if (!is_archive(path)) return {InputClaim(path)};
    std::string anchor;
    try {
        anchor = find_anchor(path);
    } catch (const Error&) {
        return {};
    }
    return claim_archive(anchor);
}

}  // namespace tracefold
