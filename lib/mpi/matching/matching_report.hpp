// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/file_table.hpp"
#include "mpi/matching/collective_matching.hpp"
#include "mpi/matching/message_matching.hpp"
#include "mpi/matching_observer.hpp"
#include "mpi/replay_patch.hpp"
#include "mpi/window.hpp"

#include <map>
#include <vector>

namespace tracefold {

/// Cuts a part out of all programs: no call inside waits for a partner outside. A walk through all
/// programs finds the partners:
/// - A message is kept if its send and its receive are inside. Non-blocking receives that were
///   posted before the part and complete in it or after it are posted in advance.
/// - A probe that leaves its message in the queue is kept if the message's send is.
/// - A collective call is kept if all members are inside.
/// - Calls that make communicators and windows, and fences, move to the front on all members if
///   they precede the part on one member, with all that was made before them on any member.
/// - A collective call on a file is kept if all members are inside; files are opened in advance
///   like communicators. Any other call with a partner outside is left out on both sides.
class WindowCut final : public MatchingObserver {
  public:
    /// `windows` by walker; `file_members`: see FileCallsInCommon.
    WindowCut(std::vector<LocationWindow> windows,
              std::function<const CommunicatorView*(u32 walker, u64 handle)> file_members)
        : windows_(std::move(windows)),
          files_(std::move(file_members), [this](FileCallsInCommon::Role role, Places places) {
              cut_file_call(role, std::move(places));
          }) {}

    void ended(u32 walker, const MpiCall& call) override;
    void matched(CallPlace sender, CallPlace receiver) override;
    void probed(CallPlace sender, CallPlace probe) override;
    void completed(CallPlace receiver, CallPlace completion) override;
    /// A message without a receive.
    void unreceived(CallPlace sender);
    void matched_collective(const CollectiveInstances::Context& context,
                            const CollectiveInstances::Instance& instance) override;
    /// A communicator was made.
    void created(u64 comm, CallPlace place);

    /// Adds the cuts to `patches`. Call once, at the end.
    void finish(std::vector<ReplayPatch>& patches);

  private:
    enum class Side : u8 { before, inside, after };
    using Places = std::vector<CallPlace>;
    struct ByPlace {
        bool operator()(CallPlace a, CallPlace b) const {
            if (a.walker != b.walker) return a.walker < b.walker;
            return a.index != b.index ? a.index < b.index : a.action < b.action;
        }
    };

    [[nodiscard]] Side side(CallPlace place) const;
    void leave_out(CallPlace place) { left_out_.push_back(place); }
    void leave_out_inside(const Places& places);
    [[nodiscard]] bool is_cut(const Places& places) const;
    void make(Places places);
    void free(const Places& places);
    void cut_file_call(FileCallsInCommon::Role role, Places places);
    void cut_probes();
    [[nodiscard]] std::vector<u64> prepared() const;

    std::vector<LocationWindow> windows_;
    Places left_out_;
    std::map<CallPlace, CallPlace, ByPlace> early_;  ///< receives posted before, and their sends
    std::vector<std::pair<CallPlace, CallPlace>> probed_;  ///< sends inside, and their probes
    std::map<u64, Places> created_;                        ///< by communicator
    std::vector<Places> making_;  ///< instances that may have to be made in advance
    FileCallsInCommon files_;
};

/// Reports the state left at the end of a simulation.
class MatchingReport {
  public:
    /// All must outlive this object. `cut` (or null) cuts a part out of the program.
    MatchingReport(MatchingState& state, MessageMatching& messages, WindowCut* cut)
        : state_(state), messages_(messages), cut_(cut) {}

    /// Adds findings about requests, messages and communicators.
    void add_leftovers();
    /// True if communicators are in use that no call makes.
    [[nodiscard]] bool misses_communicators() const;
    /// The findings and patches. Call once.
    CheckResult result(CollectiveMatching& collectives);

  private:
    void add_requests(u32 rank);
    void add_request(const MatchingState::Request& request);
    void add_communicators();
    [[nodiscard]] std::vector<u64> unmade(u32 rank) const;
    void take_patches(CollectiveMatching& collectives, CheckResult& result);

    MatchingState& state_;
    MessageMatching& messages_;
    WindowCut* cut_;
};

}  // namespace tracefold
