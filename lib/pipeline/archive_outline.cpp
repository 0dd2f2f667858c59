// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/archive_outline.hpp"

#include "model/definition_index.hpp"

#include <algorithm>

namespace tracefold {

ArchiveOutline outline_archive(const std::string& path, const ArchiveReaderOptions& options) {
    ArchiveReader reader(path, options);
    DefinitionIndex definitions;
    reader.read_global_definitions([&](const RecordBatch& batch) { definitions.add(batch); });
    definitions.finish();
    ArchiveOutline outline;
    outline.ranks = definitions.world_size();
    outline.has_threads = std::ranges::any_of(
        definitions.locations(), [&definitions](const LocationDefinition& location) {
            const std::optional<u32> rank = definitions.world_rank(location);
            return rank && location.id != definitions.world()[*rank];
        });
    return outline;
}

}  // namespace tracefold
