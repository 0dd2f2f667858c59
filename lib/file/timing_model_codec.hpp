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

/// The inverse, for the durations of this structure as read_structure() gives it. Throws
/// Error(corrupt), also when they speak of other symbols or elements than the structure's.
FoldedDurations read_durations(FieldReader& in, const Structure& structure);

/// Durations as processes send them to each other; not part of the file format.
std::string encode_partial_timings(const PartialTimings& partial);
PartialTimings decode_partial_timings(std::string_view bytes);

}  // namespace tracefold
