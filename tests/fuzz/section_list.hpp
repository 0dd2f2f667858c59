// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/container.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tracefold {

/// Sections as a fuzzer likes them: without compression, checksums and offsets.
struct PlainSection {
    u8 kind = 0;
    u8 index = 0;
    std::string content;
};

inline constexpr std::size_t kPlainHead = 4;  ///< kind, index, two bytes of size

inline std::string put_sections(const std::vector<PlainSection>& sections) {
    std::string bytes;
    for (const PlainSection& section : sections) {
        bytes.push_back(static_cast<char>(section.kind));
        bytes.push_back(static_cast<char>(section.index));
        bytes.push_back(static_cast<char>(section.content.size() & 0xFFU));
        bytes.push_back(static_cast<char>(section.content.size() >> 8U & 0xFFU));
        bytes += section.content;
    }
    return bytes;
}

/// Sections from any bytes: a size that is too large means all that is left.
inline std::vector<PlainSection> get_sections(std::string_view bytes) {
    std::vector<PlainSection> sections;
    while (bytes.size() >= kPlainHead) {
        const auto byte = [bytes](std::size_t i) { return static_cast<u8>(bytes[i]); };
        const std::size_t size = byte(2) | static_cast<std::size_t>(byte(3)) << 8U;
        const PlainSection section{byte(0), byte(1), std::string(bytes.substr(kPlainHead, size))};
        bytes.remove_prefix(kPlainHead + section.content.size());
        sections.push_back(section);
    }
    return sections;
}

}  // namespace tracefold
