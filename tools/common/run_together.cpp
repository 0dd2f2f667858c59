// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/run_together.hpp"

#include <memory>

namespace tracefold {

void run_together(Communicator& comm, ToolSpec& spec,
                  std::function<ExitCode(Console&, const CommonOptions&)> work) {
    const auto agreed = std::make_shared<bool>(false);
    spec.rank = comm.rank();
    spec.run = [&comm, agreed, work = std::move(work)](Console& console,
                                                       const CommonOptions& common) {
        try {
            return work(console, common);
        } catch (const Error& error) {
            *agreed = true;
            if (comm.rank() != 0) return exit_code(error.kind());
            throw;
        }
    };
    spec.on_failure = [&comm, agreed](ExitCode code) {
        if (!*agreed) comm.abort(code);
    };
}

}  // namespace tracefold
