// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_index.hpp"
#include "fold/structure_store.hpp"
#include "model/structure.hpp"
#include "mpi_calls/definition_codec.hpp"
#include "trace/record_source.hpp"

#include <memory>
#include <string>

namespace tracefold {

/// The global definitions in folded form: a structure with one location, and the strings'
/// characters.
struct FoldedDefinitions {
    Structure structure;
    std::string text;
};

/// Folds definitions while they are read. `read` passes all batches to its argument, in order;
/// `events` gives the numbers of events that were read; `dictionary` is that of the file.
FoldedDefinitions fold_definitions(const std::function<void(const BatchSink&)>& read,
                                   EventCounts events, const Dictionary& dictionary);

/// Folds the local definitions of a location into the store. `read` passes all batches to its
/// argument, in order. Returns the number of records.
u64 fold_local_definitions(StructureStore& store, u32 location,
                           const std::function<void(const BatchSink&)>& read);

/// The definitions of one location, or the global ones, of a folded structure as records. At most
/// `expected` records: more are an Error(corrupt). The arguments must outlive the source.
std::unique_ptr<RecordSource> definition_source(StructureIndex& index, Stream stream, u32 location,
                                                const std::string& text, u64 expected,
                                                const Dictionary& dictionary,
                                                EventCounts events = {});

}  // namespace tracefold
