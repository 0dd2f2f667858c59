// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scale/baseline_folder.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <ctime>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".tfold";
constexpr std::string_view kDate = "00000000T000000Z-";
constexpr std::size_t kHashDigits = 16;

/// "20260131T120000Z-"
std::string date_prefix() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    char text[kDate.size() + 1];
    std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ-", &utc);
    return text;
}

/// Content and size, as the end of a name.
std::string content_suffix(const InputFile& file) {
    constexpr u64 kPiece = u64{1} << 24U;
    u64 hash = file.size();
    for (u64 at = 0; at < file.size(); at += kPiece)
        hash = mix(hash + checksum(file.read_at(at, std::min(kPiece, file.size() - at))));
    return fmt::format("{:016x}{}", hash, kSuffix);
}

bool is_own_name(const std::string& name) {
    if (name.size() != kDate.size() + kHashDigits + kSuffix.size()) return false;
    for (std::size_t i = 0; i < kDate.size(); ++i) {
        const bool fits = kDate[i] == '0' ? name[i] >= '0' && name[i] <= '9' : name[i] == kDate[i];
        if (!fits) return false;
    }
    return name.ends_with(kSuffix);
}

}  // namespace

BaselineFolder::BaselineFolder(const std::string& folder, bool create) : folder_(folder) {
    std::error_code ignored;
    if (create && !fs::exists(folder_, ignored)) return;
    list_folder(folder, [this] {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
            if (entry.path().extension() == kSuffix && entry.is_regular_file())
                files_.push_back(entry.path().string());
        }
    });
    std::ranges::sort(files_);
}

std::string BaselineFolder::add(const std::string& file) {
    constexpr u64 kPiece = u64{1} << 24U;
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed) throw_io_error("cannot make the folder", folder_.string(), failed.value());
    const InputFile input(file);
    const std::string suffix = content_suffix(input);
    const auto has_content = [&](const std::string& known) { return known.ends_with(suffix); };
    if (std::ranges::any_of(files_, has_content)) return {};
    files_.push_back((folder_ / (date_prefix() + suffix)).string());
    AtomicFile copy(files_.back());
    for (u64 at = 0; at < input.size(); at += kPiece)
        copy.write(input.read_at(at, std::min(kPiece, input.size() - at)));
    copy.commit();
    return files_.back();
}

u64 BaselineFolder::rotate(std::size_t keep) {
    u64 removed = 0;
    for (auto file = files_.begin(); file != files_.end() && files_.size() > keep;) {
        std::error_code failed;
        if (!is_own_name(fs::path(*file).filename().string())) {
            ++file;
            continue;
        }
        if (!fs::remove(*file, failed) && failed)
            throw_io_error("cannot remove", *file, failed.value());
        file = files_.erase(file);
        ++removed;
    }
    return removed;
}

}  // namespace tracefold
