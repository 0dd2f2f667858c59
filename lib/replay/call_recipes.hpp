// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "model/symbol.hpp"
#include "mpi_calls/mapping_tables.hpp"
#include "trace/trace_file.hpp"

#include <vector>

namespace tracefold {

/// What one record of a symbol is for a replay.
struct ElementRecipe {
    enum class Kind : u8 {
        nothing,  ///< of no concern: metrics, parameters, threads, the beginning of a collective
        enter,
        leave,
        traffic,      ///< a record of MPI
        metric,       ///< which may tell the size of a collective without a record
        completions,  ///< a run of completions
    };

    Kind kind = Kind::nothing;
    bool is_mpi = false;   ///< enter, leave: of an MPI function
    MpiFunctionInfo info;  ///< enter, leave: which one
    u32 region = kNone;    ///< enter, leave: global id
    u32 offset = kNone;    ///< traffic: index of the attribute "Offset"
};

/// What a symbol is for a replay.
struct CallRecipe {
    /// One MPI call from Enter to Leave, nothing nested.
    bool is_call = false;
    /// No element is of any concern.
    bool is_nothing = true;
    std::vector<ElementRecipe> elements;
};

/// The recipes of the symbols that one location executes, worked out when first asked for.
class CallRecipes {
  public:
    /// Both must outlive this object.
    CallRecipes(TraceFile& file, const MappingTables& tables);

    const CallRecipe& operator[](u32 symbol) {
        return known_[symbol] ? recipes_[symbol] : work_out(symbol);
    }

  private:
    const CallRecipe& work_out(u32 symbol);
    [[nodiscard]] ElementRecipe of_element(const Element& element) const;
    void add_region(const Element& element, ElementRecipe& recipe) const;

    TraceFile& file_;
    const MappingTables& tables_;
    std::vector<CallRecipe> recipes_;
    std::vector<bool> known_;
};

}  // namespace tracefold
