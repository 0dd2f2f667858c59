// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/chrome_events.hpp"
#include "model/definition_index.hpp"
#include "names/participant_names.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// The tracks that viewers draw: one for each location, of its process. Processes are the ranks,
/// and after them the location groups that are of no rank; streams of accelerators and metrics are
/// tracks of the process that they belong to.
class ChromeTracks {
  public:
    /// The definitions must outlive this object. Cost: one pass over the locations.
    explicit ChromeTracks(const DefinitionIndex& definitions);

    /// "pid":3,"tid":0. Streams whose kernels overlap have further rows, from 1 on.
    [[nodiscard]] std::string place(u32 location, u32 row = 0) const;
    /// Tells the counters of a process apart: ,"id":1; nothing on its first track.
    [[nodiscard]] std::string counter_id(u32 location) const;
    /// Names processes and tracks.
    void write_names(ChromeEvents& events) const;
    /// Names a further row of a location.
    void write_name(u32 location, u32 row, ChromeEvents& events) const;

  private:
    struct Track {
        u32 process;
        u32 number;
    };

    [[nodiscard]] std::string process_name(u32 location) const;

    const DefinitionIndex& definitions_;
    ParticipantNames names_;
    std::vector<Track> tracks_;  ///< by location
    u32 most_ = 0;               ///< tracks of a process, at most
};

}  // namespace tracefold
