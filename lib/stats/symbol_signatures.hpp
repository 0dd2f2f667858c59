// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"
#include "query/listing_source.hpp"
#include "steps/location_steps.hpp"
#include "trace/trace_file.hpp"

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

}  // namespace tracefold
