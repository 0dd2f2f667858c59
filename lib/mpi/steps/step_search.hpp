// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/steps/operations.hpp"
#include "mpi/steps/quiescent_cuts.hpp"
#include "mpi/steps/repeated_steps.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// The begins of the steps of all ranks, and the end of the last one. Each cut lies between the
/// least and the greatest quiescent cut at which the reference rank can begin the step. In this
/// range a rank begins its step with the same operations as the first one, if possible, otherwise
/// the usual number of operations after the previous step. If a message would then be sent in one
/// step and received in another, the least cuts are used. Preconditions: as many of both, at least
/// three; each least cut is nowhere behind its greatest cut. Cost: operations, and steps x width of
/// the ranges, divided among `threads`.
std::vector<Cut> align_steps(const Operations& all, const Counterparts& counterparts,
                             const std::vector<Cut>& least, const std::vector<Cut>& greatest,
                             u32 threads = 1);

/// Finds the steps of all ranks: from one quiescent cut to another (quiescent_cuts.hpp), the
/// reference rank repeats the same messages (repeated_steps.hpp), and every other rank sends about
/// as much in each step. The rank that sends most is the reference.
class StepSearch {
  public:
    /// `threads` share the parallel parts.
    explicit StepSearch(Operations all, u32 threads = 1);

    /// The shortest steps that are alike on all ranks, as deeds of the reference rank. If most of
    /// them begin with incomplete requests, requests are ignored, in later functions too; if there
    /// are none, communicators used one after the other are alike if they have the same members,
    /// and steps then have nearly all deeds. Cost:
    /// linear in the operations, a few times.
    std::optional<RepeatedSteps> find();
    /// Whether find() met a repetition of the reference rank, alike on all ranks or not.
    [[nodiscard]] bool repeats() const { return repeats_; }
    /// The numbers of steps of the parts of the program that find() met, if there are several
    /// (find_phases()).
    [[nodiscard]] const std::vector<u64>& phases() const { return phases_; }
    /// Steps of equal groups of collectives within these (equal_groups()); nullopt if none.
    [[nodiscard]] std::optional<RepeatedSteps> groups_in(const RepeatedSteps& steps) const {
        std::vector<u32> begins = equal_groups(deeds_, steps);
        if (begins.empty()) return std::nullopt;
        return RepeatedSteps{std::move(begins), steps.end, steps.occurrences};
    }

    /// The exact repetition within most of these steps on all ranks, with two thirds of their
    /// messages, such as the iterations of a solver; by step. Nullopt if there is none. Cost:
    /// linear in the operations, a few times.
    [[nodiscard]] std::optional<std::vector<RepeatedSteps>> find_within(
        const RepeatedSteps& steps) const;

    /// The cuts between steps in which ranks change their roles, as the owner of a panel who sends
    /// it to all others: what the ranks do repeats, but for which rank does what. Empty if none.
    /// Cost: linear in the operations. Memory: at most 16 bytes per operation.
    [[nodiscard]] std::vector<Cut> cuts_by_role() const;

    /// The begins of the steps on all ranks, and the end of the last one (align_steps()).
    [[nodiscard]] std::vector<Cut> cuts(const RepeatedSteps& steps);
    /// The deeds of the reference rank at which steps between cuts begin.
    [[nodiscard]] RepeatedSteps steps_between(const std::vector<Cut>& cuts) const;
    /// Whether both ends of all messages, and all parts of collectives, are in the same step. Cost:
    /// linear in the operations.
    [[nodiscard]] bool are_consistent(const std::vector<Cut>& cuts) const;
    /// The number of operations of the reference rank before a deed of these steps, or their end.
    [[nodiscard]] u32 place(u32 deed) const;

    [[nodiscard]] const Operations& operations() const { return all_; }
    [[nodiscard]] u32 reference() const { return reference_; }

  private:
    class CutWalk;
    class Sending;
    struct Sent;

    [[nodiscard]] u32 busiest() const;
    void find_cuts();
    void read_deeds();
    [[nodiscard]] CutSequence walk_cuts(Direction direction) const;
    [[nodiscard]] u32 cut_before(u32 place) const;
    void find_leads(const RepeatedSteps& steps);
    [[nodiscard]] std::span<const Operation> between_deeds(u32 deed) const;
    [[nodiscard]] u32 cut_of(u32 deed) const;
    [[nodiscard]] std::optional<RepeatedSteps> find_alike();
    [[nodiscard]] std::optional<RepeatedSteps> find_even();
    [[nodiscard]] bool begin_quiescent(const RepeatedSteps& steps) const;
    [[nodiscard]] Sent sent_in(const std::vector<RepeatedSteps>& all) const;
    [[nodiscard]] std::vector<Cut> least_cuts(const RepeatedSteps& steps) const;
    [[nodiscard]] std::vector<Cut> greatest_cuts(const RepeatedSteps& steps);
    [[nodiscard]] u32 place_of_cut(u32 deed) const;

    Operations all_;
    u32 threads_;
    Counterparts counterparts_;
    u32 reference_;
    RestPlaces rests_;
    CutSequence cuts_;
    std::optional<CutSequence> backward_;
    std::vector<Deed> deeds_;  ///< of the reference rank
    std::vector<u32> places_;  ///< by deed
    bool repeats_ = false;
    std::vector<u64> phases_;
    std::vector<u32> leads_;  ///< by deed: operations before it that begin its step; empty: none
};

}  // namespace tracefold
