// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/claim.hpp"
#include "io/temporary.hpp"

#include <filesystem>
#include <functional>
#include <vector>

namespace tracefold {

/// An output that is complete, and what it may replace.
struct CompleteOutput {
    OutputClaim claim;
    Temporary made;
    std::filesystem::path place;
    /// Throws Error if something is at the place that may not be replaced; given where it is.
    std::function<void(const std::filesystem::path& found)> check_replaced;
};

/// As long as one exists, outputs that are complete wait for publish(), and are removed without it.
/// So they get their places together, and only if nothing else of a run has failed. One at a time.
class Publication {
  public:
    Publication();
    Publication(const Publication&) = delete;
    Publication& operator=(const Publication&) = delete;
    ~Publication();

    /// Puts all into place, or none: what was replaced already comes back. Throws Error(io), and
    /// what the outputs throw.
    void publish();

    /// True once publish() has put something into place: then a run cannot be taken back.
    static bool is_done();

  private:
    friend void place_output(CompleteOutput output);

    std::vector<CompleteOutput> waiting_;
};

/// Puts an output into place: with the others of the Publication if there is one, else at once, as
/// well as parts of an output that is not complete itself. Throws as publish().
void place_output(CompleteOutput output);

}  // namespace tracefold
