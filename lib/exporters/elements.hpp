// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/error.hpp"
#include "core/types.hpp"

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace tracefold {

/// An element of a message: a datatype of a format, and how wide it is.
struct ElementType {
    u64 bytes = 1;
    u32 type = 0;
};

/// Bytes as formats take them whose counts are C ints, so that long messages need wider elements.
struct Elements {
    u64 count = 0;
    u32 type = 0;

    static constexpr u64 kLargestCount = std::numeric_limits<int>::max();

    /// Of the first of `types`, in rising width, that is wide enough; rounded up. Throws
    /// Error(unsupported), which names the `reader`.
    static Elements of(u64 bytes, std::span<const ElementType> types, std::string_view reader) {
        for (const ElementType& type : types) {
            const u64 count = bytes / type.bytes + (bytes % type.bytes != 0 ? 1 : 0);
            if (count <= kLargestCount) return {count, type.type};
        }
        throw Error(ErrorKind::unsupported, "a message of " + std::to_string(bytes) +
                                                " bytes is longer than " + std::string(reader) +
                                                " can be told");
    }
};

}  // namespace tracefold
