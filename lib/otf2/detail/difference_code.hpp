// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/detail/record_scanner.hpp"

#include <array>
#include <string>

namespace tracefold::otf2 {

/// What follows a run of elements that are as expected. The numbers are part of the file format.
enum class DifferenceCode : u8 {
    end,       ///< the rest of the rewritten file, if any, is left out
    altered,   ///< a record with another end: an Alteration
    replaced,  ///< other bytes in place of the element
    inserted,  ///< bytes before the next element
    skipped,   ///< so many elements are left out
};

/// How a record of the original differs from the rewritten one of the same type.
struct Alteration {
    u8 head = 0;        ///< bytes of type and length in the original; 0: as many as rewritten
    u64 cut = 0;        ///< bytes that its end lacks
    std::string added;  ///< bytes at its end

    [[nodiscard]] bool changes() const { return head != 0 || cut != 0 || !added.empty(); }
    bool operator==(const Alteration&) const = default;
};

/// What the next element of each type is expected to be like: as the last one was.
class ExpectedAlterations {
  public:
    const Alteration& of(const RawElement& element) const { return all_[key(element)]; }
    void learn(const RawElement& element, const Alteration& alteration) {
        // A long end is that of one record, not of a type.
        constexpr std::size_t kLongEnd = 16;
        if (alteration.added.size() <= kLongEnd) all_[key(element)] = alteration;
    }

  private:
    static constexpr std::size_t kTypes = 256;

    static std::size_t key(const RawElement& element) {
        return static_cast<std::size_t>(element.kind) * kTypes + element.type;
    }

    std::array<Alteration, (static_cast<std::size_t>(ElementKind::damage) + 1) * kTypes> all_;
};

/// Bytes before the payload of a record or an attribute list.
inline u8 head_size(const RawElement& element) {
    return static_cast<u8>(element.size - element.payload.size());
}

inline bool has_payload(const RawElement& element) {
    return element.kind == ElementKind::record || element.kind == ElementKind::attribute_list;
}

}  // namespace tracefold::otf2
