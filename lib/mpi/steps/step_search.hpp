// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/steps/operations.hpp"
#include "mpi/steps/quiescent_cuts.hpp"
#include "mpi/steps/repeated_steps.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Where the steps of all ranks begin, and at last where they end. Each cut lies between the least
/// and the greatest quiescent cut at which the reference rank can begin the step. Within that, a
/// rank begins its step with the operations that it begins the first one with, if it can, else as
/// many operations after the step before as usual. If a message were then sent in one step and
/// received in another, the least cuts are taken. Preconditions: as many of both, at least three;
/// the least is nowhere behind the greatest. Cost: operations, and steps x width of the ranges;
/// `threads` share it out.
std::vector<Cut> align_steps(const Operations& all, const Counterparts& counterparts,
                             const std::vector<Cut>& least, const std::vector<Cut>& greatest,
                             u32 threads = 1);

/// Finds the steps of all ranks: stretches in which a reference rank sends the same again and again
/// (repeated_steps.hpp), from one quiescent cut to another (quiescent_cuts.hpp), in which every
/// other rank sends about as much in each as well. The rank that sends most is the reference.
class StepSearch {
  public:
    /// `threads` share out what can be done side by side.
    explicit StepSearch(Operations all, u32 threads = 1);

    /// The shortest steps that are alike on all ranks, as the reference rank has them. Where most
    /// do not begin with all requests completed, requests are overlooked, in what follows too.
    /// Cost: linear in the operations, a few times.
    std::optional<RepeatedSteps> find();

    /// What repeats itself exactly, on all ranks, in most of these steps, with two thirds of what
    /// they send, such as the iterations of a solver; by step. Nothing if there is no such thing.
    /// Cost: as above.
    [[nodiscard]] std::optional<std::vector<RepeatedSteps>> find_within(
        const RepeatedSteps& steps) const;

    /// Where the steps of all ranks begin, and at last where they end (align_steps()).
    [[nodiscard]] std::vector<Cut> cuts(const RepeatedSteps& steps);
    /// How many operations of the reference rank are before a deed of these steps, or their end.
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
    [[nodiscard]] u32 cut_of(u32 deed) const;
    [[nodiscard]] std::optional<RepeatedSteps> find_even() const;
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
};

}  // namespace tracefold
