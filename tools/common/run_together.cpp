// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/run_together.hpp"

#include "common/environment.hpp"

#include <memory>

namespace tracefold {

namespace {

/// To MPI all processes that another library's launcher started are the first one.
bool is_one_of_many_alone(const Launch& launch, const Communicator& comm) {
    return comm.size() == 1 && launch.size > 1 && launch.rank != 0;
}

}  // namespace

void run_together(Communicator& comm, ToolSpec& spec,
                  std::function<ExitCode(Console&, const CommonOptions&)> work) {
    const auto agreed = std::make_shared<bool>(false);
    spec.rank = comm.rank();
    spec.run = [&comm, agreed, work = std::move(work)](Console& console,
                                                       const CommonOptions& common) {
        const Launch& launch = own_launch();
        try {
            refuse_foreign_launcher(launch, comm.size());
            return work(console, common);
        } catch (const Error& error) {
            *agreed = true;
            if (comm.rank() != 0 || is_one_of_many_alone(launch, comm))
                return exit_code(error.kind());
            throw;
        }
    };
    spec.on_failure = [&comm, agreed](ExitCode code) {
        if (!*agreed) comm.abort(code);
    };
}

}  // namespace tracefold
