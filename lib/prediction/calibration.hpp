// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/network.hpp"
#include "prediction/placement.hpp"
#include "trace/trace_file.hpp"

#include <map>

namespace tracefold {

/// The fastest messages of each size, from the beginning of the send to the end of the call that
/// received it. Only those count whose receiver waited before they were sent; of several in a call,
/// the one that was sent last.
struct TransferSamples {
    std::map<u64, double> fastest;  ///< seconds, by bytes
    u64 count = 0;
    double overhead = 0;  ///< seconds of the shortest call that sends a small message

    void add(u64 bytes, double seconds);
};

/// The line below all samples that is nearest to them: latency and two overheads at 0 bytes, and
/// the time per byte as its slope, which is 0 if all messages have one size. Precondition: there
/// are samples.
LinkParameters fit_link(const TransferSamples& samples);

/// The network that the trace was recorded on, as far as its messages show it; both classes of
/// links are alike where only one was used. Throws Error: unsupported if the file does not keep the
/// time of every record, or no message tells; corrupt. Cost: that of check_replay(). Memory: what
/// is outstanding, and the sizes of messages.
Network measure_network(TraceFile& file, const Placement& placement);

}  // namespace tracefold
