// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/temporary.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace tracefold {

/// As long as one exists, no output of this process replaces that file, a folder that it lies in,
/// or, if it is a folder, anything in it. What does not exist is nobody's. Any thread may make one.
class InputClaim {
  public:
    explicit InputClaim(const std::filesystem::path& input);

  private:
    std::shared_ptr<const std::filesystem::path> path_;
};

/// Throws Error(usage) if an output there would replace an input of this process. Files are
/// compared by device and inode, so links are seen through.
void refuse_inputs(const std::filesystem::path& output);

/// As long as one exists, no other output of this process goes to the same place, into it, or
/// around it. The parts of an output that is not complete need none and get none.
class OutputClaim {
  public:
    /// Throws Error(usage) if the place belongs to an input or to another output.
    explicit OutputClaim(const std::filesystem::path& output);

  private:
    std::shared_ptr<const std::filesystem::path> path_;
};

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

/// Moves a file or folder to a place where nothing is; an empty folder counts as nothing for a
/// folder. False, and nothing moved, if something is there. Throws Error(io).
bool place_new(const std::filesystem::path& made, const std::filesystem::path& place);

/// Exchanges what was made and what is at the place, in one step where the file system can do that
/// (renameat2), else as exchange_by_renames(). Throws Error(io), and then both are as before.
void exchange(const std::filesystem::path& made, const std::filesystem::path& place);

/// The same by renaming both, with "MADE.old" in between. A file is never missing from its place if
/// the file system has hard links; a folder is missing for a moment.
void exchange_by_renames(const std::filesystem::path& made, const std::filesystem::path& place);

}  // namespace tracefold
