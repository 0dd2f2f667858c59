// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/format/item_codec.hpp"
#include "model/structure.hpp"
#include "model/timing_model.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// The payload of a durations section (docs/reference/format.md, "Durations").
std::string encode_durations(const FoldedDurations& durations);

/// The inverse of encode_durations(), for the structure of read_structure(). Throws Error(corrupt),
/// also if symbols or elements do not match the structure.
FoldedDurations read_durations(FieldReader& in, const Structure& structure);

/// Durations for transfer between processes; not part of the file format.
std::string encode_partial_timings(const PartialTimings& partial);
PartialTimings decode_partial_timings(std::string_view bytes);

}  // namespace tracefold
