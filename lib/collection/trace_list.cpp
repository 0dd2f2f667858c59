// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "collection/trace_list.hpp"

#include "base/error.hpp"
#include "base/file_descriptor.hpp"
#include "collection/trace_index.hpp"
#include "otf2/archive_files.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <iterator>
#include <set>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include <sys/stat.h>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnchorSuffix = ".otf2";
constexpr std::string_view kFoldedSuffix = ".tfold";

u64 nanoseconds(const struct timespec& time) {
    return static_cast<u64>(time.tv_sec) * 1'000'000'000 + static_cast<u64>(time.tv_nsec);
}

/// A file without status counts as an empty one: reading it tells the reason.
struct stat status_at(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) status = {};
    return status;
}

FileStamp stamp_of(const struct stat& status) {
    return {static_cast<u64>(status.st_size), nanoseconds(status.st_mtim),
            nanoseconds(status.st_ctim), status.st_ino};
}

FileStamp stamp_of_archive(const fs::path& anchor) {
    const ArchiveFiles files = files_of(anchor.string());
    FileStamp all;
    const auto add = [&all](const fs::path& path) {
        const FileStamp one = stamp_of(status_at(path));
        all.size += one.size;
        all.modified = std::max(all.modified, one.modified);
        all.changed = std::max(all.changed, one.changed);
        ++all.inode;
    };
    add(files.anchor());
    add(files.global_definitions());
    std::error_code error;
    for (fs::recursive_directory_iterator it(fs::path(files.directory()) / files.name(), error);
         !error && it != fs::end(it); it.increment(error)) {
        if (it->is_regular_file(error)) add(it->path());
    }
    return all;
}

FileStamp stamp_at(const fs::path& path, const struct stat& status) {
    return path.extension() == kAnchorSuffix ? stamp_of_archive(path) : stamp_of(status);
}
FileStamp stamp_at(const fs::path& path) { return stamp_at(path, status_at(path)); }

/// Finds the traces of a folder.
class TraceSearch {
  public:
    struct Found {
        std::string name;  ///< path relative to the folder
        bool is_link = false;
    };

    explicit TraceSearch(fs::path root) : root_(std::move(root)) {
        for (std::vector<fs::path> open = {{}}; !open.empty();) {
            const fs::path folder = std::move(open.back());
            open.pop_back();
            try {
                list_folder((root_ / folder).string(), [&] { list(folder, open); });
            } catch (const Error& error) {
                unreadable_.emplace_back(folder.string(), error.what());
            }
        }
        // The names of a file itself before links to it.
        std::ranges::sort(found_, [](const Found& a, const Found& b) {
            return std::tie(a.is_link, a.name) < std::tie(b.is_link, b.name);
        });
    }

    [[nodiscard]] const std::vector<Found>& found() const { return found_; }
    /// Folders and the reasons why they could not be listed.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& unreadable() const {
        return unreadable_;
    }
    [[nodiscard]] bool is_archive_folder() const { return is_archive_folder_; }

  private:
    /// The folder of an archive's files holds no traces.
    void list(const fs::path& folder, std::vector<fs::path>& open) {
        std::vector<fs::path> folders;
        std::set<fs::path> of_archives;
        for (const fs::directory_entry& entry : fs::directory_iterator(root_ / folder)) {
            const fs::path name = entry.path().filename();
            const bool is_link = entry.is_symlink();
            std::error_code none;
            if (entry.is_directory(none)) {
                if (!is_link) folders.push_back(name);
                continue;
            }
            const bool anchor = name.extension() == kAnchorSuffix;
            if (!anchor && name.extension() != kFoldedSuffix) continue;
            found_.push_back({(folder / name).string(), is_link});
            if (anchor) of_archives.insert(name.stem());
        }
        if (folder.empty()) is_archive_folder_ = !of_archives.empty();
        for (const fs::path& name : folders) {
            if (!of_archives.contains(name)) open.push_back(folder / name);
        }
    }

    fs::path root_;
    std::vector<Found> found_;
    std::vector<std::pair<std::string, std::string>> unreadable_;
    bool is_archive_folder_ = false;
};

class TraceLister {
  public:
    explicit TraceLister(const TraceListRequest& request) : request_(request) {}

    TraceList list() {
        for (const std::string& place : request_.places) {
            std::error_code error;
            const fs::file_status status = fs::status(place, error);
            if (!fs::exists(status)) {
                throw_io_error("cannot list", place, error ? error.value() : ENOENT);
            }
            fs::is_directory(status) ? add_folder(place) : add_file(place);
        }
        return std::move(list_);
    }

  private:
    void add_file(const std::string& path) {
        TraceIndex index;
        read({path}, {}, index);
        append(std::move(index[path]), path);
    }

    void add_folder(const std::string& root) {
        const TraceSearch search(root);
        const bool use_index = request_.use_index && !search.is_archive_folder();
        TraceIndex index = use_index ? load_trace_index(root) : TraceIndex();
        const std::size_t known = index.size();
        std::set<std::string> names;
        std::vector<std::string> outdated;
        for (const TraceSearch::Found& found : search.found()) {
            const fs::path path = fs::path(root) / found.name;
            const struct stat status = status_at(path);
            const bool first =
                status.st_ino == 0 || files_.emplace(status.st_dev, status.st_ino).second;
            if (!first) continue;
            names.insert(found.name);
            const auto entry = index.find(found.name);
            const bool is_current = entry != index.end() &&
                                    (entry->second.is_deep || !request_.reading.deep) &&
                                    entry->second.stamp == stamp_at(path, status);
            if (!is_current) outdated.push_back(found.name);
        }
        std::erase_if(index, [&names](const auto& entry) { return !names.contains(entry.first); });
        const bool has_gone = index.size() < known;
        read(outdated, root, index);
        if (use_index && (has_gone || !outdated.empty())) {
            const std::string problem = store_trace_index(root, index);
            if (!problem.empty()) list_.notes.push_back(problem);
        }
        for (const std::string& name : names) append(std::move(index[name]), path_in(root, name));
        for (const auto& [folder, problem] : search.unreadable()) {
            TraceRecord record;
            record[TraceField::state] = problem;
            append(std::move(record), path_in(root, folder));
        }
    }

    /// Reads traces below `root` into the index.
    void read(const std::vector<std::string>& names, const fs::path& root, TraceIndex& index) {
        for (const std::string& name : names) index[name];
        list_.read += names.size();
        if (request_.expected && !names.empty()) request_.expected(names.size());
        const ProgressSink progress = one_at_a_time(request_.progress);
        const u32 cores = std::max(std::thread::hardware_concurrency(), 1U);
        run_each(request_.threads == 0 ? cores : request_.threads, names.size(),
                 [&](std::size_t item) {
                     const fs::path path = root / names[item];
                     const FileStamp before = stamp_at(path);
                     TraceRecord record = read_trace_record(path.string(), request_.reading);
                     record.stamp = before;
                     if (before.inode != 0) record[TraceField::size] = before.size;
                     // Otherwise it may have been read in part before the change, and in part
                     // after.
                     if (stamp_at(path) != before) record.is_settled = false;
                     index.find(names[item])->second = std::move(record);
                     if (progress) progress(1);
                 });
    }

    static std::string path_in(const std::string& root, const std::string& name) {
        return root == "." ? name : (fs::path(root) / name).string();
    }

    void append(TraceRecord record, std::string path) {
        record[TraceField::file] = std::move(path);
        list_.traces.push_back(std::move(record));
    }

    const TraceListRequest& request_;
    TraceList list_;
    std::set<std::pair<u64, u64>> files_;  ///< devices and inodes
};

}  // namespace

TraceList list_traces(const TraceListRequest& request) { return TraceLister(request).list(); }

void select_traces(std::vector<TraceRecord>& traces, const TraceQuery& query) {
    if (query.like) {
        for (TraceRecord& trace : traces) {
            if (trace.signature)
                trace[TraceField::distance] = distance(*query.like, *trace.signature);
        }
    }
    if (query.where) {
        std::erase_if(traces, [&](const TraceRecord& trace) { return !query.where->holds(trace); });
    }
    if (!query.sort && !query.like) {
        if (query.reverse) std::ranges::reverse(traces);
        return;
    }
    const TraceField field = query.sort.value_or(TraceField::distance);
    const auto by_value = [&](const TraceRecord& a, const TraceRecord& b) {
        const FieldValue& left = a[field];
        const FieldValue& right = b[field];
        if (left.index() == 0 || right.index() == 0) return left.index() > right.index();
        return query.reverse ? right < left : left < right;
    };
    std::stable_sort(traces.begin(), traces.end(), by_value);
}

void put_traces(const std::vector<TraceRecord>& traces, TableSink& table) {
    std::vector<TableColumn> columns;
    for (const TraceFieldInfo& field : kTraceFields) columns.push_back({field.name, field.type});
    table.begin(columns);
    for (const TraceRecord& trace : traces) {
        for (const FieldValue& value : trace.values) {
            if (const auto* const text = std::get_if<std::string>(&value)) {
                table.text(*text);
            } else if (const auto* const whole = std::get_if<u64>(&value)) {
                table.whole(*whole);
            } else if (const auto* const real = std::get_if<double>(&value)) {
                table.real(*real);
            } else {
                table.none();
            }
        }
    }
}

bool is_readable(const TraceRecord& record) {
    return record[TraceField::state] == FieldValue(std::string("ok"));
}

}  // namespace tracefold
