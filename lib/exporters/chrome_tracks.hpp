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

    /// "pid":3,"tid":0
    [[nodiscard]] std::string place(u32 location) const;
    /// Tells the counters of a process apart: ,"id":1; nothing on its first track.
    [[nodiscard]] std::string counter_id(u32 location) const;
    /// Names processes and tracks.
    void write_names(ChromeEvents& events) const;

  private:
    struct Track {
        u32 process;
        u32 number;
    };

    [[nodiscard]] std::string process_name(u32 location) const;

    const DefinitionIndex& definitions_;
    ParticipantNames names_;
    std::vector<Track> tracks_;  ///< by location
};

}  // namespace tracefold
