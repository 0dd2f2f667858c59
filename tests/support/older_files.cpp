// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/older_files.hpp"

#include "support/otf2_copy.hpp"
#include "support/otf2_scan.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;
using otf2::ElementKind;
using otf2::RawFileKind;

/// A definition that got fields later. `fields`: of the first release: n a number, N a number that
/// is a length, a as many numbers, b a byte, B a byte that is a length.
struct Grown {
    u8 type;
    bool global_only;
    unsigned major;  ///< the release that added the rest
    unsigned minor;
    std::string_view fields;
};

constexpr Grown kGrown[] = {
    {5, true, 3, 0, "nnn"},        // clock properties
    {11, false, 1, 4, "nnb"},      // attribute
    {13, false, 3, 0, "nnbn"},     // location group
    {15, false, 1, 1, "nnnbnnn"},  // region
    {18, false, 1, 2, "nnbNa"},    // group
    {20, false, 1, 2, "nBab"},     // metric class
    {22, false, 3, 0, "nnnn"},     // communicator
    {24, false, 3, 0, "nnn"},      // window
};

/// Where these fields end.
std::size_t end_of(std::string_view fields, const std::vector<u8>& bytes) {
    std::size_t at = 0;
    u64 count = 0;
    const auto number = [&] {
        const u8 size = bytes.at(at++);
        u64 value = 0;
        for (u8 i = 0; size != 0xFF && i < size; ++i) value |= u64{bytes.at(at++)} << (8 * i);
        return value;
    };
    for (const char field : fields) {
        if (field == 'a') {
            for (u64 i = 0; i < count; ++i) number();
        } else if (field == 'b' || field == 'B') {
            count = bytes.at(at++);
        } else {
            count = number();
        }
    }
    return at;
}

std::string record(u8 type, std::string_view payload) {
    return std::string{static_cast<char>(type), static_cast<char>(payload.size())} +
           std::string(payload);
}

using ChangePayload = std::function<std::string(u8 type, const std::vector<u8>&)>;

/// Writes a definition file again, record by record.
void rewrite(const std::string& path, const ChangePayload& change) {
    const std::string old = file_bytes(path);
    std::string bytes;
    for (const ScannedElement& element : scan(path, RawFileKind::definitions, 0)) {
        const bool is_short = element.size == element.bytes.size() + 2;
        bytes += element.kind == ElementKind::record && is_short
                     ? record(element.type, change(element.type, element.bytes))
                     : old.substr(element.offset, element.size);
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string anchor_of(const std::string& archive) {
    for (const auto& entry : fs::directory_iterator(archive)) {
        if (entry.path().extension() == ".otf2") return entry.path().string();
    }
    throw std::runtime_error("no anchor in " + archive);
}

std::string text_of(const std::vector<u8>& bytes, std::size_t size) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace

void change_file(const std::string& path,
                 const std::function<std::string(const std::string&)>& change) {
    const std::string bytes = change(file_bytes(path));
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

void make_version(const std::string& archive, unsigned major, unsigned minor) {
    for (const auto& entry : fs::recursive_directory_iterator(archive)) {
        if (entry.path().extension() != ".def") continue;
        const bool global = entry.path().parent_path() == archive;
        rewrite(entry.path().string(), [&](u8 type, const std::vector<u8>& payload) {
            for (const Grown& grown : kGrown) {
                const bool later = std::pair(major, minor) < std::pair(grown.major, grown.minor);
                if (grown.type == type && later && (global || !grown.global_only)) {
                    return text_of(payload, end_of(grown.fields, payload));
                }
            }
            return text_of(payload, payload.size());
        });
    }
    change_file(anchor_of(archive), [&](std::string bytes) {
        constexpr std::size_t kMajorAt = 9;
        bytes[kMajorAt] = static_cast<char>(major);
        bytes[kMajorAt + 1] = static_cast<char>(minor);
        return bytes;
    });
}

void lengthen_definitions(const std::string& archive, unsigned type, const std::string& bytes) {
    const std::string path = fs::path(anchor_of(archive)).replace_extension(".def").string();
    rewrite(path, [&](u8 record_type, const std::vector<u8>& payload) {
        return text_of(payload, payload.size()) + (record_type == type ? bytes : "");
    });
}

void append_to_all_files(const std::string& archive, const std::string& bytes) {
    for (const auto& entry : fs::recursive_directory_iterator(archive)) {
        if (!entry.is_regular_file()) continue;
        change_file(entry.path().string(), [&](const std::string& old) { return old + bytes; });
    }
}

}  // namespace tracefold::testing
