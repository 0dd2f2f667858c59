// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/archive_files.hpp"

#include "base/error.hpp"
#include "base/file_descriptor.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

std::optional<u64> parse_number(std::string_view text) {
    u64 number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || code != std::errc() || end != text.data() + text.size()) return {};
    if (std::to_string(number) != text) return {};  // rejects leading zeros: "007"
    return number;
}

/// Parses the text between `prefix` and `suffix` as a number.
std::optional<u64> number_between(std::string_view text, std::string_view prefix,
                                  std::string_view suffix) {
    if (text.size() <= prefix.size() + suffix.size()) return {};
    if (text.substr(0, prefix.size()) != prefix) return {};
    if (text.substr(text.size() - suffix.size()) != suffix) return {};
    text.remove_prefix(prefix.size());
    text.remove_suffix(suffix.size());
    return parse_number(text);
}

/// The role of a file in the archive.
enum class Part { core, of_location, companion, none };

Part part_of(std::string_view file, const std::string& name, u64& location) {
    if (file == name + ".otf2" || file == name + ".def") return Part::core;
    if (file == name + ".marker") return Part::companion;
    if (number_between(file, name + ".", ".thumb")) return Part::companion;
    if (number_between(file, name + "/", ".snap")) return Part::companion;
    for (const char* suffix : {".evt", ".def"}) {
        if (const auto number = number_between(file, name + "/", suffix)) {
            location = *number;
            return Part::of_location;
        }
    }
    return Part::none;
}

/// All regular files below `directory`, relative to it, sorted.
std::vector<std::string> list_files(const fs::path& directory) {
    std::vector<std::string> files;
    const auto options = fs::directory_options::skip_permission_denied;
    list_folder(directory.string(), [&] {
        for (const auto& entry : fs::recursive_directory_iterator(directory, options)) {
            std::error_code ignored;  // ignores dangling links
            if (entry.is_regular_file(ignored)) {
                files.push_back(entry.path().lexically_relative(directory).generic_string());
            }
        }
    });
    std::sort(files.begin(), files.end());
    return files;
}

/// True for a folder to descend into.
bool is_open_folder(const fs::directory_entry& entry) {
    std::error_code error;
    if (entry.is_symlink(error) || !entry.is_directory(error)) return false;
    const fs::directory_iterator listed(entry.path(), error);
    return !error;
}

/// True for a regular file, or a link to one that is below `root`.
bool is_file_within(const fs::directory_entry& entry, const fs::path& root) {
    std::error_code error;
    if (!entry.is_regular_file(error)) return false;
    if (!entry.is_symlink(error)) return true;
    const fs::path target = fs::canonical(entry.path(), error);
    return !error && *target.lexically_relative(root).begin() != "..";
}

std::string only_anchor(const fs::path& folder) {
    const std::vector<std::string> anchors = files_in(folder.string(), ".otf2");
    if (anchors.size() == 1) return (folder / anchors.front()).string();
    if (anchors.empty()) {
        throw Error(ErrorKind::io,
                    "there is no archive in the folder {}: it has no *.otf2 file; give an anchor "
                    "file, or use trace_compress --rescue if it is lost",
                    folder.string());
    }
    std::string choices;
    for (const std::string& anchor : anchors) choices += (choices.empty() ? "" : ", ") + anchor;
    throw Error(ErrorKind::usage, "there are {} archives in the folder {}; name one of {}",
                anchors.size(), folder.string(), choices);
}

bool holds(const std::vector<u64>& sorted, u64 location) {
    return std::binary_search(sorted.begin(), sorted.end(), location);
}

}  // namespace

bool LocationFiles::has_local_definitions(u64 location) const {
    return holds(local_definitions, location);
}

bool LocationFiles::has_events(u64 location) const { return holds(events, location); }

ArchiveFiles::ArchiveFiles(std::string directory, std::string name)
    : directory_(std::move(directory)), name_(std::move(name)) {}

std::string ArchiveFiles::anchor() const { return directory_ + "/" + name_ + ".otf2"; }

std::string ArchiveFiles::global_definitions() const { return directory_ + "/" + name_ + ".def"; }

std::string ArchiveFiles::local_definitions(u64 location) const {
    return fmt::format("{}/{}/{}.def", directory_, name_, location);
}

std::string ArchiveFiles::events(u64 location) const {
    return fmt::format("{}/{}/{}.evt", directory_, name_, location);
}

LocationFiles ArchiveFiles::of_locations() const {
    LocationFiles found;
    const std::string folder = directory_ + "/" + name_;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    if (error == std::errc::no_such_file_or_directory) return found;
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string file = entry->path().filename().string();
        const auto events = number_between(file, "", ".evt");
        const auto local = number_between(file, "", ".def");
        if (!events && !local) continue;
        std::error_code ignored;  // ignores dangling links
        if (entry->is_symlink(ignored) && !entry->exists(ignored)) continue;
        (events ? found.events : found.local_definitions).push_back(events ? *events : *local);
    }
    // A listing error must not make existing files seem missing.
    if (error) throw Error(ErrorKind::io, "cannot list the folder {}: {}", folder, error.message());
    std::sort(found.events.begin(), found.events.end());
    std::sort(found.local_definitions.begin(), found.local_definitions.end());
    return found;
}

std::vector<std::string> ArchiveFiles::companions(const std::vector<u64>& locations) const {
    std::vector<u64> defined = locations;
    std::sort(defined.begin(), defined.end());
    std::vector<std::string> files;
    for (std::string& file : list_files(directory_)) {
        u64 location = 0;
        const Part part = part_of(file, name_, location);
        const bool undefined = part == Part::of_location && !holds(defined, location);
        if (part == Part::companion || undefined) files.push_back(std::move(file));
    }
    return files;
}

ExtraFiles ArchiveFiles::extras() const {
    ExtraFiles extras;
    const auto options = fs::directory_options::skip_permission_denied;
    list_folder(directory_, [&] {
        const fs::path root = fs::canonical(directory_);
        for (const auto& entry : fs::recursive_directory_iterator(directory_, options)) {
            if (is_open_folder(entry)) continue;
            std::string file = entry.path().lexically_relative(directory_).generic_string();
            u64 location = 0;
            if (part_of(file, name_, location) != Part::none) continue;
            auto& files = is_file_within(entry, root) ? extras.files : extras.left_out;
            files.push_back(std::move(file));
        }
    });
    std::sort(extras.files.begin(), extras.files.end());
    std::sort(extras.left_out.begin(), extras.left_out.end());
    return extras;
}

bool ArchiveFiles::has(const std::string& file) const {
    u64 location = 0;
    return part_of(file, name_, location) != Part::none;
}

std::string ArchiveFiles::existing() const {
    for (const std::string& path : {anchor(), global_definitions(), directory_ + "/" + name_}) {
        std::error_code ignored;
        if (fs::exists(path, ignored)) return path;
    }
    return "";
}

ArchiveFiles files_of(const std::string& anchor) {
    const fs::path file = anchor;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    return {folder.string(), file.stem().string()};
}

std::vector<std::string> files_in(const std::string& folder, const std::string& extension) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        std::error_code ignored;
        if (entry.path().extension() == extension && entry.is_regular_file(ignored)) {
            files.push_back(entry.path().filename().string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string find_anchor(const std::string& path) {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (!fs::exists(status)) {
        const bool has_definitions = fs::exists(fs::path(path).replace_extension(".def"), code);
        throw Error(ErrorKind::io, "cannot open the archive {}: {}{}", path,
                    code ? code.message() : "No such file or directory",
                    has_definitions ? "; use trace_compress --rescue if it is lost" : "");
    }
    if (!fs::is_directory(status)) return path;
    return list_folder(path, [&] { return only_anchor(path); });
}

}  // namespace tracefold
