// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/extrapolate.hpp"

#include "archives/compress.hpp"
#include "comm/serial.hpp"
#include "scaling/extrapolated_source.hpp"

#include <fmt/core.h>

namespace tracefold::inline scaling {

u64 fold_extrapolated(const ProgramModel& model, const CallTypes& kinds,
                      const std::vector<TrainingRun>& runs, const ExtrapolationOutput& output) {
    const std::size_t approximate = model.approximations().size();
    const std::string about =
        approximate == 0 ? "" : fmt::format("; {} numbers are approximate", approximate);
    ExtrapolatedSource source(
        model, kinds, runs.back(),
        fmt::format("{} ranks, from runs of {}; process grid {}{}", model.grid.participants(),
                    sizes_text(runs), to_text(model.rule), about));
    CompressOptions options;
    options.output = output.path;
    options.producer = output.producer;
    options.timing = model.has_times ? TimingLevel::histogram : TimingLevel::none;
    options.verify = false;
    options.level = output.level;
    options.force = output.force;
    SerialCommunicator process;
    return compress(process, options, source).file_bytes;
}

}  // namespace tracefold::inline scaling
