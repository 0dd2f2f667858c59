// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"
#include "model/record_batch.hpp"
#include "support/definition_builder.hpp"

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::testing {

/// An MPI program that makes and uses communicators, written down call by call for all ranks at
/// once and recorded as Score-P 8 does: local ids of communicators count them on each rank.
class CommunicatorProgram {
  public:
    using Comm = std::size_t;
    using Members = std::vector<u64>;
    using Shape = std::vector<std::pair<u32, bool>>;
    static constexpr Comm kWorld = 0;
    static constexpr Comm kSelf = 1;

    explicit CommunicatorProgram(u32 ranks);

    /// A call of all of PARENT, which makes a communicator for each of PARTS; who is in none of
    /// them gets none. Those of one rank are its own.
    std::vector<Comm> make(const std::string& function, Comm parent,
                           const std::vector<Members>& parts);
    Comm dup(Comm parent) { return make("MPI_Comm_dup", parent, {members(parent)}).front(); }
    /// MPI_Cart_create or MPI_Cart_sub; all parts have one shape.
    std::vector<Comm> cart(const std::string& function, Comm parent,
                           const std::vector<Members>& parts, const Shape& shape);
    /// A call of the members only.
    Comm create_group(Comm parent, const Members& members);
    Comm intercomm(Comm local, Comm remote);
    Comm merge(Comm inter);

    /// One that exists without a call. `remote` is the other side, if it has one.
    Comm existing(const Members& members, const Members& remote = {});

    void barrier(Comm comm);
    /// Everyone sends to the next one; between two sides to the process of the same rank.
    void exchange(Comm comm);
    void free(Comm comm);
    /// A message between ranks of the world.
    void message(u64 from, u64 to);

    [[nodiscard]] Members members(Comm comm) const { return comms_[comm].members; }
    /// Ends the program and writes the archive.
    void write(const std::string& directory);

  private:
    struct Definition {
        Members members;
        Members remote;
        Comm parent = kWorld;
        Shape shape;
        bool is_part = false;
        u64 id = ~u64{0};
    };

    Comm define(const Members& members, Comm parent);
    [[nodiscard]] Members all_members(Comm comm) const;
    u64 local(u64 rank, Comm comm);
    void event(u64 rank, EventType type, std::initializer_list<u64> values);
    void enter(u64 rank, const std::string& function);
    void leave(u64 rank);
    void create(u64 rank, const std::string& function, Comm made, Comm named);
    void start_and_end(const std::string& function, EventType record, u64 operation);
    void number_definitions();

    u64 ranks_;
    DefinitionBuilder definitions_;
    std::vector<Definition> comms_;
    std::vector<std::vector<Comm>> known_;  ///< by rank, in order of creation
    std::vector<RecordBatch> events_;
    std::vector<u64> open_;  ///< by rank: region that it is in
    std::map<std::string, u64> regions_;
    u64 time_ = 1000;
};

}  // namespace tracefold::testing
