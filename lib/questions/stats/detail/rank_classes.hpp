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

/// Criterion of similarity of locations.
enum class SignatureKind : u8 {
    events,     ///< number of records of each type
    calls,      ///< number of calls of each MPI function
    script,     ///< control flow without counts and arguments
    arguments,  ///< control flow, counts and arguments
    regions,    ///< number of visits of selected regions
};

/// "calls"
std::string_view signature_name(SignatureKind kind);

struct SignatureRequest {
    SignatureKind kind = SignatureKind::calls;
    /// For `regions`: selects names; empty function: all.
    std::function<bool(const std::string&)> matches;
};

/// Occurrences by key of a counting signature.
using SignatureCounts = std::map<u64, u64>;

/// Contributions of a file's symbols to signatures, cached: a symbol contributes the same
/// everywhere. The arguments must outlive this object.
class SymbolSignatures {
  public:
    SymbolSignatures(TraceFile& file, CallNames& names, const SignatureRequest& request)
        : file_(file), names_(names), request_(request) {}

    /// Adds `times` executions of a symbol, except completions: the caller knows their number.
    /// Precondition: counts().
    void add(u32 symbol, u64 times, SignatureCounts& counts);

    /// Whether the signature consists of counts and ignores order.
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

ContentHash hash_of(const SignatureCounts& counts);

/// The signature of a whole location, from the folded form. It does not depend on the computing
/// process. Cost: symbols of the location and their arguments. Throws Error(corrupt).
ContentHash location_signature(TraceFile& file, ExecutionCounts& counts, SymbolSignatures& symbols,
                               u32 location);

/// Signatures of groups of `per_column` consecutive iterations of a location; empty without
/// iterations (null). Scripts and arguments cover every call in order. Cost: unwinds the location
/// without times. Throws Error(corrupt).
std::vector<ContentHash> iteration_signatures(TraceFile& file, SymbolSignatures& symbols,
                                              u32 location, const LocationSteps* iterations,
                                              u64 per_column);

/// Serialises a sequence of signatures with run-length encoding, and back. Throws Error(corrupt).
std::string sequence_key(const std::vector<ContentHash>& sequence);
std::vector<ContentHash> sequence_of(std::string_view key);

struct ClassRequest {
    SignatureRequest signature;
    /// By location: false excludes it; empty: all.
    std::vector<bool> selected;
    /// Maximum number of columns of consecutive iterations; 0: ignore iterations.
    u32 columns = 0;
    u32 loop = 0;                 ///< as in SampleRequest
    FoundSteps* steps = nullptr;  ///< as in SampleRequest
};

/// Classes of similar locations.
struct RankClasses {
    /// Classes in one iteration, or some consecutive ones, of the chosen loop.
    struct Column {
        u64 locations = 0;  ///< with these iterations
        u64 classes = 0;
        u64 largest = 0;  ///< size of the largest class
        u64 changed = 0;  ///< locations whose signature differs from the preceding column
        u64 moved = 0;    ///< locations whose class has other members than in the preceding column

        bool operator==(const Column&) const = default;
    };

    std::vector<ParticipantList> classes;  ///< by first location
    u64 locations = 0;
    std::vector<Column> columns;
    u64 iterations = 0;  ///< maximum over locations
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

/// Groups locations by signature. Each process signs its block; participants are merged along a
/// tree. `classes` are complete on all processes, `columns` on process 0; both are independent of
/// the number of processes and the fan-out. Collective; throws the same Error on all processes:
/// corrupt. Memory: the classes and the distinct signature sequences. Cost: location_signature(),
/// with columns iteration_signatures(), for the block.
RankClasses collect_classes(Communicator& comm, TraceFile& file, const ClassRequest& request,
                            int fanout = 2);

/// Separates the rows of the classes: below the label of each class.
void keep_apart(const RankClasses& classes, u32 location_count, RowRequest& rows);

}  // namespace tracefold
