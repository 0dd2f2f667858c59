// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/run.hpp"

namespace tracefold {

ExitCode run_replay(const ReplayArguments&, const ReplayStart&, bool, Console&) {
    throw Error(ErrorKind::unsupported,
                "this trace_replay was built without MPI (TRACEFOLD_WITH_MPI) and cannot replay");
}

}  // namespace tracefold
