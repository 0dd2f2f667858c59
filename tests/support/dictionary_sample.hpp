// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "file/container.hpp"
#include "file/structure_codec.hpp"
#include "model/dictionary.hpp"

#include <string>

namespace tracefold {

/// The content of the built-in dictionary's last sample of such sections; its durations are those
/// of its structure.
inline std::string dictionary_sample(SectionKind kind) {
    ByteReader in(Dictionary::built_in().sections(), "samples");
    std::string content;
    while (in.remaining() != 0) {
        const auto sample_kind = static_cast<SectionKind>(in.get_varint());
        const std::string_view bytes = in.get_bytes(in.get_varint());
        if (sample_kind == kind) content = bytes;
    }
    return content;
}

inline Structure sample_structure() {
    return decode_structure(dictionary_sample(SectionKind::structure), "a sample");
}

}  // namespace tracefold
