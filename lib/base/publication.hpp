// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/temporary.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace tracefold {

/// Protects an input: during its lifetime, no output of this process replaces the file, a folder
/// above it, or the content of a folder. Missing paths are not protected. Thread-safe.
class InputClaim {
  public:
    explicit InputClaim(const std::filesystem::path& input);

  private:
    std::shared_ptr<const std::filesystem::path> path_;
};

/// The inputs that another program replaced before their claims ended, since the last call.
std::set<std::filesystem::path> replaced_inputs();

/// Throws Error(usage) if an output at this path would replace an input of this process. Compares
/// device and inode, which also detects links.
void refuse_inputs(const std::filesystem::path& output);

/// Reserves the target of an output: during its lifetime, no other output of this process goes to
/// the same path, into it, or around it. Outputs in the temporary folder of another output are
/// exempt.
class OutputClaim {
  public:
    /// Throws Error(usage) if the path is an input, overlaps another output, or is "-": what can be
    /// written to standard output does not get here.
    explicit OutputClaim(const std::filesystem::path& output);

  private:
    std::shared_ptr<const std::filesystem::path> path_;
};

/// A complete output and the check of the path that it replaces.
struct CompleteOutput {
    OutputClaim claim;
    Temporary made;
    std::filesystem::path place;
    /// Throws Error if the path exists and may not be replaced; called with its location.
    std::function<void(const std::filesystem::path& found)> check_replaced;
};

/// A transaction over outputs: complete outputs wait for publish(), and are removed without it, so
/// they appear together and only if the whole run succeeded. One at a time.
class Publication {
  public:
    Publication();
    Publication(const Publication&) = delete;
    Publication& operator=(const Publication&) = delete;
    ~Publication();

    /// Moves all outputs to their targets, or none: a failure restores the replaced ones. Throws
    /// Error(io) and exceptions of the outputs.
    void publish();

    /// True once publish() has moved an output: the run can no longer be cancelled.
    static bool is_done();

  private:
    friend void place_output(CompleteOutput output);

    std::vector<CompleteOutput> waiting_;
};

/// Moves an output to its target: together with the others of the current Publication, or at once
/// if there is none or the output is part of an incomplete one. Throws as publish().
void place_output(CompleteOutput output);

/// Moves a file or folder to a free path; an empty folder counts as free for a folder. Returns
/// false and moves nothing if the path is taken. Throws Error(io).
bool place_new(const std::filesystem::path& made, const std::filesystem::path& place);

/// Exchanges the new output and the existing one: atomically where the file system supports it
/// (renameat2), else by exchange_by_renames(). Throws Error(io), and then both are unchanged.
void exchange(const std::filesystem::path& made, const std::filesystem::path& place);

/// Exchanges both with renames, by way of "MADE.old". A file is never missing from its path if the
/// file system has hard links; a folder is missing for a moment.
void exchange_by_renames(const std::filesystem::path& made, const std::filesystem::path& place);

}  // namespace tracefold
