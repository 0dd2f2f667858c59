// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "query/listing_source.hpp"

namespace tracefold::inline query {

ListingSource::ListingSource(TraceFile& file)
    : file_(file), names_(file.definitions()), counts_(file.index()), calls_(file, counts_) {
    drain(*file.global_definitions(), [this](const RecordBatch& batch) { names_.add(batch); });
    for (u32 location = 0; location < file.location_count(); ++location) {
        drain(*file.local_definitions(location),
              [&](const RecordBatch& batch) { local_ids_.add(location, batch); });
    }
}

}  // namespace tracefold::inline query
