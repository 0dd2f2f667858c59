// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/matching/inferred_collectives.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/window.hpp"

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace tracefold {

/// Changes to the calls of one location that cannot be issued as recorded, by the number of the
/// call on its location. All lists are sorted.
struct ReplayPatch {
    struct Receive {
        u64 index = 0;
        u64 request = kNoRequest;  ///< selects one of several that the call posts
        Envelope envelope;         ///< comm kNone: no message, left out

        static void each_field(auto& self, auto& visit) {
            visit(self.index, self.request, self.envelope);
        }
        bool operator==(const Receive&) const = default;
    };

    /// A completion that names a request that another thread posted.
    struct Rename {
        u64 index = 0;
        u64 from = kNoRequest;
        u64 to = kNoRequest;

        static void each_field(auto& self, auto& visit) { visit(self.index, self.from, self.to); }
        bool operator==(const Rename&) const = default;
    };

    /// One action of a call.
    struct Part {
        u64 index = 0;
        u32 action = 0;

        static void each_field(auto& self, auto& visit) { visit(self.index, self.action); }
        auto operator<=>(const Part&) const = default;
    };

    /// The size of the message that a receive gets, which differs from the recorded one.
    struct Size {
        u64 index = 0;
        u32 action = 0;
        u64 bytes = 0;

        static void each_field(auto& self, auto& visit) {
            visit(self.index, self.action, self.bytes);
        }
        auto operator<=>(const Size&) const = default;
    };

    /// A call without a record that makes a communicator.
    struct Creation {
        u64 index = 0;
        u64 made = kNone;    ///< kNone: this process gets none
        u64 parent = kNone;  ///< as in a record: `made` itself if its parent is unknown

        static void each_field(auto& self, auto& visit) {
            visit(self.index, self.made, self.parent);
        }
        bool operator==(const Creation&) const = default;
    };

    /// A call without a record that frees a communicator.
    struct Free {
        u64 index = 0;
        u64 comm = kNone;

        static void each_field(auto& self, auto& visit) { visit(self.index, self.comm); }
        bool operator==(const Free&) const = default;
    };

    u32 location = 0;
    /// Requests that the recorder left out are inferred; `drops`: see PairedRequests.
    bool pairs = false;
    bool drops = false;
    std::vector<Creation> creations;
    std::vector<Free> frees;
    /// On the rank's first location: communicators that no call makes, which exist from the start.
    std::vector<u64> early_communicators;
    std::vector<Rename> renames;
    std::vector<Receive> receives;  ///< of receiving calls without a record
    std::vector<Size> sizes;        ///< with SizeSource::sender
    std::vector<Part> left_out;     ///< messages and collectives without partners
    std::vector<Part> unposted;     ///< completions of receives that were never posted
    std::vector<Part> early;        ///< receives posted before the window that complete later
    std::vector<u64> unreceived;    ///< calls whose message has no receive
    std::string collectives;        ///< calls without a record (InferredCollectives)
    LocationWindow window;          ///< the replayed part of the program
    u64 prepared = 0;  ///< calls before this one make communicators and windows in advance

    static void each_field(auto& self, auto& visit) {
        visit(self.location, self.pairs, self.drops, self.creations, self.frees,
              self.early_communicators, self.renames, self.receives, self.sizes, self.left_out,
              self.unposted, self.early, self.unreceived, self.collectives, self.window,
              self.prepared);
    }
    [[nodiscard]] bool has_window() const { return window.is_part; }
    /// Entries of all lists except `early`.
    [[nodiscard]] std::size_t size() const {
        return creations.size() + frees.size() + early_communicators.size() + renames.size() +
               receives.size() + sizes.size() + left_out.size() + unposted.size() +
               unreceived.size();
    }
    [[nodiscard]] bool empty() const {
        return size() == 0 && !pairs && collectives.empty() && !has_window();
    }
};

/// The patch of a location (index); null if there is none.
const ReplayPatch* find_patch(const std::vector<ReplayPatch>& patches, u32 location);

/// Serialises the patches of many locations for other processes, and back. Throws Error(corrupt).
std::string pack_patches(const std::vector<ReplayPatch>& patches);
std::vector<ReplayPatch> unpack_patches(std::string_view bytes);

/// Applies the patch of a location to its calls in order.
class PatchCursor {
  public:
    /// `patch` must outlive the cursor. Throws Error(corrupt).
    explicit PatchCursor(const ReplayPatch& patch)
        : patch_(&patch), collectives_(patch.collectives) {}

    /// Sets the patch effect of the call and completes its actions. Call for every call in order.
    /// Cost: O(1) per unchanged call.
    void apply(MpiCall& call, std::vector<Action>& actions);
    /// False if apply() will change no further call.
    [[nodiscard]] bool has_more() const;

  private:
    void create(MpiCall& call, std::vector<Action>& actions);
    void free(MpiCall& call, std::vector<Action>& actions);
    void rename(std::vector<Action>& actions);
    void receive(MpiCall& call, std::vector<Action>& actions);
    void resize(u64 index, std::vector<Action>& actions);
    void leave_out(MpiCall& call, std::vector<Action>& actions);
    void cut(MpiCall& call, std::vector<Action>& actions);
    void keep_early(MpiCall& call, std::vector<Action>& actions);
    void keep_posted(MpiCall& call, std::vector<Action>& actions);

    const ReplayPatch* patch_;
    InferredCollectives::Cursor collectives_;
    std::size_t creation_ = 0;
    std::size_t free_ = 0;
    std::size_t rename_ = 0;
    std::size_t receive_ = 0;
    std::size_t size_ = 0;
    std::size_t left_out_ = 0;
    std::size_t unposted_ = 0;
    std::size_t early_ = 0;
    std::unordered_set<u64> posted_;  ///< with a window: requests of the replay
    std::unordered_set<u64> taken_;   ///< with a window: messages taken by probes
    std::size_t unreceived_ = 0;
};

}  // namespace tracefold
