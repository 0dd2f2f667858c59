// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/detail/record_scanner.hpp"

#include <string>
#include <vector>

namespace tracefold::testing {

/// An element of a file with bytes of its own.
struct ScannedElement : otf2::RawElement {
    std::vector<u8> bytes;  ///< the payload
};

/// All elements of a file. `chunk_size`: see RecordScanner.
inline std::vector<ScannedElement> scan(const std::string& path, otf2::RawFileKind kind,
                                        u64 chunk_size) {
    otf2::RecordScanner scanner(path, kind, chunk_size, path);
    std::vector<ScannedElement> elements;
    otf2::RawElement element;
    while (scanner.next(element)) {
        elements.push_back({element, {element.payload.begin(), element.payload.end()}});
        elements.back().payload = {};
    }
    return elements;
}

/// The types of all records, in the order of the file.
inline std::vector<u8> record_types(const std::vector<ScannedElement>& elements) {
    std::vector<u8> types;
    for (const ScannedElement& element : elements) {
        if (element.kind == otf2::ElementKind::record) types.push_back(element.type);
    }
    return types;
}

}  // namespace tracefold::testing
