// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "model/structure.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tracefold {

/// The calls, without times, that several locations have in common: decoded once, repeated
/// iterations of loops stored once. The locations differ in the ranks of peers and in sizes of
/// collectives that depend on the own rank, which follow from the communicators.
class SharedProgram {
  public:
    /// Equal for locations that may share their calls. Cost: the folded size of its
    /// calls.
    static ContentHash key(TraceFile& file, u32 location);
    /// Reads the calls of a location, with at most `most_calls` per repeated iteration. Null if
    /// other locations cannot share them, or if they take more than `most_bytes`.
    static std::unique_ptr<SharedProgram> read(TraceFile& file, u32 location,
                                               std::size_t most_calls, u64 most_bytes);

    /// Whether the location has the same calls. Precondition: it has the same key.
    [[nodiscard]] bool fits(TraceFile& file, u32 location) const;

  private:
    friend class SharedCalls;

    struct Call {
        MpiFunction function;
        CallFamily family;
        bool by_records;
        bool depends_on_rank;
        bool has_requests;
        u32 region;
        std::size_t first_action;
        std::size_t actions;
    };
    /// Calls that follow each other, in each of some iterations.
    struct Segment {
        std::size_t first = 0;
        std::size_t calls = 0;
        u64 iterations = 1;
        u64 request_step = 0;     ///< per iteration
        bool is_offered = false;  ///< an outermost loop: the iterations may be skipped
    };
    /// An action's peer or sizes as numbers that are equal on all locations.
    using Code = std::array<u64, 2>;

    SharedProgram(TraceFile& file, u32 location);
    [[nodiscard]] bool find_encoding(TraceFile& file, u32 location);
    [[nodiscard]] bool add(const MpiCall& call);
    [[nodiscard]] bool encode(const Action& action, Code& code);
    [[nodiscard]] u64 bytes() const;

    const DefinitionIndex& definitions_;
    std::optional<u32> rank_;  ///< of the location whose calls were read
    PeerEncoding peers_ = PeerEncoding::relative;
    bool follows_rank_ = false;     ///< some peers are functions of the rank
    std::map<u64, u32> distances_;  ///< then: of communicators, the rank there less the world rank
    std::vector<Segment> segments_;
    std::vector<Call> calls_;
    std::vector<Action> actions_;
    std::vector<Code> codes_;  ///< by action
    MpiCallReader::UsedIds ids_;
};

/// Reads the calls of one of the locations that share a program, like an MpiCallReader.
class SharedCalls {
  public:
    /// `program` must outlive this object. Precondition: the location has this world rank.
    SharedCalls(const SharedProgram& program, u32 rank) : program_(&program), rank_(rank) {}

    bool next(MpiCall& call);
    [[nodiscard]] u64 calls() const { return count_; }
    [[nodiscard]] ComingIterations coming_iterations() const;
    void leave_out(u64 iterations);

  private:
    void end_iterations(u64 iterations);
    void adapt(Action& action, const SharedProgram::Code& code) const;

    const SharedProgram* program_;
    u32 rank_;
    u32 segment_ = 0;
    std::size_t place_ = 0;  ///< of the next call in the iteration
    u64 passed_ = 0;         ///< iterations of the segment
    u64 count_ = 0;
    std::vector<Action> actions_;  ///< of the last call, where they differ from the program's
};

}  // namespace tracefold
