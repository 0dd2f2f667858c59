// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/durations_io.hpp"

#include "context_mixing/section_coder.hpp"
#include "fold/column_families.hpp"
#include "fold/mean_columns.hpp"

namespace tracefold::inline trace {

StoredSection pack_timings(const TimingStore& timings, const Structure& structure,
                           const Packing& packing) {
    const Structure in_file = refold_families(structure);
    return pack_durations(fold_means(timings.finish(structure), in_file), in_file, packing);
}

FoldedDurations read_folded_durations(const ContainerReader& file, const Structure& structure) {
    const Section& section = file.section(SectionKind::durations);
    return unpack_durations(file.stored(section), section, file.describe(section), structure);
}

}  // namespace tracefold::inline trace
