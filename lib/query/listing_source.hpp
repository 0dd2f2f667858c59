// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/execution_counts.hpp"
#include "names/definition_names.hpp"
#include "query/call_names.hpp"
#include "query/local_ids.hpp"

namespace tracefold::inline query {

/// All look-ups that a listing of a file needs. Cost of construction: all global definitions and
/// the mapping tables of all locations. The file must outlive it.
class ListingSource {
  public:
    explicit ListingSource(TraceFile& file);

    [[nodiscard]] const Structure& structure() const { return file_.structure(); }
    [[nodiscard]] const DefinitionIndex& definitions() const { return file_.definitions(); }
    [[nodiscard]] const DefinitionNames& names() const { return names_; }
    [[nodiscard]] const LocalIds& local_ids() const { return local_ids_; }
    StructureIndex& index() { return file_.index(); }
    ExecutionCounts& counts() { return counts_; }
    CallNames& calls() { return calls_; }

  private:
    TraceFile& file_;
    DefinitionNames names_;
    LocalIds local_ids_;
    ExecutionCounts counts_;
    CallNames calls_;
};

}  // namespace tracefold::inline query
