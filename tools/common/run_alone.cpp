// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/run_alone.hpp"

#include "common/environment.hpp"
#include "core/error.hpp"

#include <utility>

namespace tracefold {

void run_alone(ToolSpec& spec) {
    spec.run = [name = spec.name, work = std::move(spec.run)](Console& console,
                                                              const CommonOptions& common) {
        const Launch& launch = own_launch();
        if (launch.size <= 1) return work(console, common);
        if (launch.rank != 0) return exit_usage;
        throw Error(ErrorKind::usage,
                    "the launcher started {} processes, but {} works in one; start it without a "
                    "launcher, or with one process",
                    launch.size, name);
    };
}

}  // namespace tracefold
