// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/claim.hpp"

#include "core/error.hpp"
#include "io/file.hpp"
#include "io/temporary.hpp"

#include <algorithm>
#include <mutex>
#include <system_error>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

/// Paths that somebody holds on to.
class HeldPaths {
  public:
    std::shared_ptr<const fs::path> add(fs::path path) {
        auto held = std::make_shared<const fs::path>(std::move(path));
        const std::scoped_lock lock(mutex_);
        std::erase_if(paths_, [](const auto& one) { return one.expired(); });
        paths_.push_back(held);
        return held;
    }

    [[nodiscard]] std::vector<fs::path> all() const {
        std::vector<fs::path> paths;
        const std::scoped_lock lock(mutex_);
        for (const auto& one : paths_) {
            if (const auto held = one.lock()) paths.push_back(*held);
        }
        return paths;
    }

  private:
    mutable std::mutex mutex_;
    std::vector<std::weak_ptr<const fs::path>> paths_;
};

HeldPaths& inputs() {
    static HeldPaths paths;
    return paths;
}

HeldPaths& outputs() {
    static HeldPaths paths;
    return paths;
}

/// Without links and dots, also if nothing is there yet.
fs::path real_path(const fs::path& path) {
    std::error_code error;
    fs::path real = fs::weakly_canonical(path, error);
    if (error) real = fs::absolute(path).lexically_normal();
    return real.has_filename() ? real : real.parent_path();
}

/// Precondition: both are real.
bool is_in(const fs::path& inner, const fs::path& outer) {
    for (fs::path path = inner;; path = path.parent_path()) {
        if (path == outer || same_file(path, outer)) return true;
        if (path == path.parent_path()) return false;
    }
}

void refuse(const fs::path& output, const char* what, const fs::path& other) {
    throw Error(ErrorKind::usage, "the output {} {} {}; give another place", output.string(), what,
                other.string());
}

}  // namespace

InputClaim::InputClaim(const fs::path& input) {
    std::error_code ignored;
    if (fs::exists(input, ignored)) path_ = inputs().add(real_path(input));
}

void refuse_inputs(const fs::path& output) {
    std::error_code ignored;
    if (!fs::exists(output, ignored)) return;
    const fs::path real = real_path(output);
    for (const fs::path& input : inputs().all()) {
        if (same_file(real, input)) refuse(output, "is the input", input);
        if (is_in(real, input)) refuse(output, "is a part of the input", input);
        if (is_in(input, real)) refuse(output, "holds the input", input);
    }
}

OutputClaim::OutputClaim(const fs::path& output) {
    if (is_in_temporary(output)) return;
    refuse_inputs(output);
    fs::path real = real_path(output);
    for (const fs::path& other : outputs().all()) {
        if (is_in(real, other) || is_in(other, real)) {
            refuse(output, "would be mixed with the output", other);
        }
    }
    path_ = outputs().add(std::move(real));
}

}  // namespace tracefold
