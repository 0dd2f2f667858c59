// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/hash.hpp"
#include "file/call_names.hpp"
#include "file/trace_file.hpp"
#include "model/participants.hpp"
#include "mpi/program_steps.hpp"
#include "questions/stats/row_tree.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// What makes locations alike.
enum class SignatureKind : u8 {
    events,     ///< how many records of each type they have
    calls,      ///< how often they call each function of MPI
    script,     ///< their control flow, without counts and arguments
    arguments,  ///< control flow, counts and arguments
    regions,    ///< how often they enter each region of certain names
};

/// "calls"
std::string_view signature_name(SignatureKind kind);

struct SignatureRequest {
    SignatureKind kind = SignatureKind::calls;
    /// Of `regions`: which names count; all if there is no function.
    std::function<bool(const std::string&)> matches;
};

/// How often things occur that a signature counts.
using SignatureCounts = std::map<u64, u64>;

/// What the symbols of a file's events add to signatures: worked out when first asked for, since a
/// symbol is the same thing wherever it stands. Everything must outlive it.
class SymbolSignatures {
  public:
    SymbolSignatures(TraceFile& file, CallNames& names, const SignatureRequest& request)
        : file_(file), names_(names), request_(request) {}

    /// Adds what `times` executions of a symbol come to. Completions are counted by the caller, who
    /// knows how many there are. Only of kinds that count.
    void add(u32 symbol, u64 times, SignatureCounts& counts);

    /// True if the kind of signature is numbers of things, not their order.
    [[nodiscard]] bool counts() const {
        return request_.kind != SignatureKind::script && request_.kind != SignatureKind::arguments;
    }
    [[nodiscard]] SignatureKind kind() const { return request_.kind; }

  private:
    const std::vector<u64>& keys(u32 symbol);
    [[nodiscard]] std::vector<u64> find_keys(u32 symbol);

    TraceFile& file_;
    CallNames& names_;
    SignatureRequest request_;
    std::map<u32, std::vector<u64>> known_;
};

/// A content address of counts.
ContentHash hash_of(const SignatureCounts& counts);

/// The signature of all that a location does, from the folded form. Equal signatures are equal
/// whatever process works them out. Cost: symbols of the location and their arguments. Throws
/// Error(corrupt).
ContentHash location_signature(TraceFile& file, ExecutionCounts& counts, SymbolSignatures& symbols,
                               u32 location);

/// The signatures of a location in consecutive groups of `per_column` iterations; empty without
/// any (null). Here scripts and arguments are those of every call in order.
/// Cost: unwinds the location, without times. Throws Error(corrupt).
std::vector<ContentHash> iteration_signatures(TraceFile& file, SymbolSignatures& symbols,
                                              u32 location, const LocationSteps* iterations,
                                              u64 per_column);

/// A sequence of signatures as bytes, runs of equal ones once; and back. Throws Error(corrupt).
std::string sequence_key(const std::vector<ContentHash>& sequence);
std::vector<ContentHash> sequence_of(std::string_view key);

struct ClassRequest {
    SignatureRequest signature;
    /// Locations to leave out are false; all are wanted if it is empty.
    std::vector<bool> selected;
    /// At most so many columns of consecutive iterations; 0: iterations are not looked at.
    u32 columns = 0;
    u32 loop = 0;                 ///< as in SampleRequest
    FoundSteps* steps = nullptr;  ///< as in SampleRequest
};

/// Locations that are alike.
struct RankClasses {
    /// What one iteration, or some consecutive ones, of the chosen loop come to.
    struct Column {
        u64 locations = 0;  ///< that run them
        u64 classes = 0;
        u64 largest = 0;  ///< locations of the largest class
        u64 changed = 0;  ///< locations whose signature is not that of the column before
        u64 moved = 0;  ///< locations that share their class with others than in the column before

        bool operator==(const Column&) const = default;
    };

    std::vector<ParticipantList> classes;  ///< by first location
    u64 locations = 0;
    std::vector<Column> columns;
    u64 iterations = 0;  ///< of the location that has most
    u64 per_column = 1;  ///< iterations

    /// Locations per class.
    [[nodiscard]] double reduction() const {
        return classes.empty()
                   ? 0
                   : static_cast<double>(locations) / static_cast<double>(classes.size());
    }
    /// "class 3"
    static std::string label(std::size_t number) { return "class " + std::to_string(number); }
};

/// Groups locations by their signatures. Each process signs its block; participants are united
/// along a tree. `classes` are complete on all processes, `columns` on process 0; both are the same
/// for every number of processes and every fan-out. Collective; throws the same Error on all
/// processes: corrupt. Memory: the classes; the different sequences of signatures of locations.
/// Cost: that of location_signature(), with columns that of iteration_signatures() for the block.
RankClasses collect_classes(Communicator& comm, TraceFile& file, const ClassRequest& request,
                            int fanout = 2);

/// Keeps the rows of every class apart: below its label.
void keep_apart(const RankClasses& classes, u32 location_count, RowRequest& rows);

}  // namespace tracefold
