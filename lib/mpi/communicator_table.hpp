// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "model/definition_index.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The shape of a Cartesian communicator.
struct CartShape {
    std::vector<u32> sizes;
    std::vector<u8> periodic;  ///< 1 or 0 for each dimension
    bool is_part = false;      ///< made by MPI_Cart_sub

    bool operator==(const CartShape&) const = default;
};

/// A communicator from the view of one process; ranks are world ranks, in communicator order.
struct CommunicatorView {
    u64 id = kNone;
    u64 parent = kNone;            ///< kNone: none, or not recorded
    std::span<const u64> members;  ///< of the own side
    std::span<const u64> remote;   ///< of the other side; empty unless `inter`
    const CartShape* cart = nullptr;
    bool inter = false;
    bool self_like = false;  ///< one process; the definition represents one object per process

    /// The ranks that messages address: of an intercommunicator the other side.
    [[nodiscard]] std::span<const u64> peers() const { return inter ? remote : members; }
    /// Members of both sides.
    [[nodiscard]] std::size_t member_count() const { return members.size() + remote.size(); }
    [[nodiscard]] std::vector<u64> all_members() const;
    /// The member that represents all members.
    [[nodiscard]] u32 first_member() const {
        const u64 front = members.front();
        return static_cast<u32>(inter ? std::min(front, remote.front()) : front);
    }
    /// The rank of a member of the own side.
    [[nodiscard]] u32 rank_of(u32 world_rank) const;
};

/// The communicators of the definitions, shared by all processes. Memory: linear in the members of
/// all communicators. Throws Error(corrupt) for members that are not ranks, or duplicate members.
class CommunicatorSet {
  public:
    /// Cost: one pass over the definitions of the file, which must outlive the set.
    explicit CommunicatorSet(TraceFile& file);
    /// `index` has all definitions and must outlive the set; pass the same records to add().
    explicit CommunicatorSet(const DefinitionIndex& index);
    CommunicatorSet(const CommunicatorSet&) = delete;
    CommunicatorSet& operator=(const CommunicatorSet&) = delete;
    void add(const RecordBatch& batch);
    void finish();

  private:
    friend class CommunicatorTable;

    void add_communicator(u64 id);
    void add_topology(std::span<const u64> fields);
    void check_group(u64 id, std::span<const u64> ranks);
    void add_members(std::span<const u64> members, u32 number);
    [[nodiscard]] bool is_self_group(u64 group) const;
    [[nodiscard]] std::span<const u64> ranks_of_group(u64 group) const;

    const DefinitionIndex& index_;
    std::vector<u64> all_ranks_;  ///< 0, 1, ..., for groups of the whole world
    /// In definition order; `members` is empty for `self_like` ones.
    std::vector<CommunicatorView> views_;
    std::vector<u32> everywhere_;                ///< indices of views that exist on all processes
    std::vector<std::vector<u32>> of_rank_;      ///< the other views, by member
    std::vector<u32> carts_;                     ///< made by MPI_Cart_create
    std::unordered_map<u64, CartShape> shapes_;  ///< by communicator
    std::unordered_map<u64, std::pair<u32, u8>> dimensions_;
    std::vector<u64> last_group_;  ///< last group checked, by member
    u64 groups_ = 0;
    u64 world_ = kNone;
    u64 self_ = kNone;
    u64 id_limit_ = 0;
};

/// The communicators of one process: those that it is a member of, and Cartesian ones that excluded
/// it, since it took part in their creation. Memory and cost: linear in them.
class CommunicatorTable {
  public:
    /// Precondition: world_rank is below the world size.
    CommunicatorTable(std::shared_ptr<const CommunicatorSet> all, u32 world_rank);
    /// Builds its own CommunicatorSet.
    CommunicatorTable(TraceFile& file, u32 world_rank);

    /// Null if this process is not a member.
    [[nodiscard]] const CommunicatorView* find(u64 comm) const;
    /// All communicators of this process, in definition order: the same order on all members.
    [[nodiscard]] const std::vector<u64>& own() const { return own_; }
    /// Ids; kNone if there is none.
    [[nodiscard]] u64 world() const { return all_->world_; }
    [[nodiscard]] u64 self() const { return all_->self_; }
    [[nodiscard]] bool is_predefined(u64 comm) const { return comm == world() || comm == self(); }
    [[nodiscard]] u32 world_rank() const { return me_; }
    [[nodiscard]] u32 world_size() const { return all_->index_.world_size(); }
    /// One more than the largest id of any communicator.
    [[nodiscard]] u64 id_limit() const { return all_->id_limit_; }

    /// Cartesian communicators made from `parent` without this process, in order of creation.
    [[nodiscard]] std::span<const CommunicatorView> carts_without_me(u64 parent) const;

    /// kNone if the window is not defined.
    [[nodiscard]] u64 communicator_of_window(u64 window) const {
        return all_->index_.window_communicator(window);
    }

    /// World ranks of a group; empty if it is not an MPI group.
    [[nodiscard]] std::span<const u64> ranks_of_group(u64 group) const;

  private:
    void keep(CommunicatorView view);

    std::shared_ptr<const CommunicatorSet> all_;
    u32 me_;
    std::unordered_map<u64, CommunicatorView> views_;
    std::vector<u64> own_;
    std::unordered_map<u64, std::vector<CommunicatorView>> carts_without_me_;  ///< by parent
};

std::vector<CommunicatorTable> communicator_tables(TraceFile& file);

/// True if the shape gives every process its place in the parent: MPI_Cart_create then makes the
/// communicator without reordering. Precondition: it has a shape.
bool is_cart_order(const CommunicatorView& cart, const CommunicatorView& parent);

/// True if the process is a member of any intercommunicator.
bool has_intercommunicators(const CommunicatorTable& table);

}  // namespace tracefold
