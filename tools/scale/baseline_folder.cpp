// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scale/baseline_folder.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

/// Whether update_baselines() made the file: "20260131T120000Z-0123456789abcdef.tfold".
bool is_own(const std::string& path) {
    constexpr std::string_view kForm = "00000000T000000Z-xxxxxxxxxxxxxxxx.tfold";
    const std::string name = fs::path(path).filename().string();
    return std::ranges::equal(name, kForm, [](char it, char form) {
        const bool is_digit = it >= '0' && it <= '9';
        if (form == '0') return is_digit;
        return form == 'x' ? is_digit || (it >= 'a' && it <= 'f') : it == form;
    });
}

}  // namespace

std::vector<std::string> baselines_in(const std::string& folder, bool may_miss) {
    std::vector<std::string> files;
    std::error_code ignored;
    if (may_miss && !fs::exists(folder, ignored)) return files;
    list_folder(folder, [&] {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() == ".tfold" && entry.is_regular_file())
                files.push_back(entry.path().string());
        }
    });
    std::ranges::sort(files);
    return files;
}

BaselineUpdate update_baselines(const std::string& folder, std::vector<std::string> known,
                                const std::vector<std::string>& runs, std::size_t keep) {
    BaselineUpdate update;
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw_io_error("cannot make the folder", folder, failed.value());
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    char date[sizeof "20260131T120000Z"];
    std::strftime(date, sizeof date, "%Y%m%dT%H%M%SZ", &utc);
    for (const std::string& run : runs) {
        const std::string bytes = read_whole_file(run);
        const std::string content = fmt::format("-{:016x}.tfold", checksum(bytes));
        if (std::ranges::any_of(known, [&](const auto& file) { return file.ends_with(content); }))
            continue;
        known.push_back((fs::path(folder) / (date + content)).string());
        update.added.push_back(known.back());
        AtomicFile copy(known.back());
        copy.write(bytes);
        copy.commit();
    }
    const std::size_t older = known.size() - update.added.size();
    for (std::size_t i = 0; i < older && known.size() - update.removed.size() > keep; ++i) {
        const std::string& file = known[i];
        if (!is_own(file)) continue;
        update.removed.push_back(file);
        fs::remove(file, failed);
        if (failed) throw_io_error("cannot remove", file, failed.value());
    }
    return update;
}

}  // namespace tracefold
