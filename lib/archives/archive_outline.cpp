// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/archive_outline.hpp"

#include "model/definition_index.hpp"

namespace tracefold {

ArchiveOutline outline_archive(const std::string& path, const ArchiveReaderOptions& options) {
    ArchiveReader reader(path, options);
    DefinitionIndex definitions;
    reader.read_global_definitions([&](const RecordBatch& batch) { definitions.add(batch); });
    definitions.finish();
    ArchiveOutline outline;
    outline.ranks = definitions.world_size();
    for (u32 rank = 0; rank < outline.ranks; ++rank) {
        if (definitions.locations_of_rank(rank).size() > 1) outline.has_threads = true;
    }
    return outline;
}

}  // namespace tracefold
