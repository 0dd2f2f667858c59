// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/simgrid_platform.hpp"

#include "exporters/text_file.hpp"

namespace tracefold {

u64 write_simgrid_platform(const std::filesystem::path& folder, u32 ranks,
                           const ExportOptions& options) {
    TextFile platform(folder / "platform.xml");
    platform
        << "<?xml version='1.0'?>\n"
           "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n"
           "  <!-- A switch that never blocks. With this speed computation takes as long as it "
           "was recorded;\n"
           "       a node of twice the speed has twice the number. Add for example\n"
           "       topology=\"FAT_TREE\" topo_parameters=\"2;8,8;1,4;1,1\". -->\n"
           "  <cluster id=\"cluster\" prefix=\"node-\" suffix=\"\" radical=\"0-"
        << ranks - 1 << "\" speed=\"" << options.flops_per_ns
        << "Gf\" bw=\"12.5GBps\" lat=\"1us\"/>\n"
           "</platform>\n";
    platform.commit();
    TextFile hosts(folder / "hostfile");
    for (u32 rank = 0; rank < ranks; ++rank) hosts << "node-" << rank << '\n';
    hosts.commit();
    return platform.size() + hosts.size();
}

}  // namespace tracefold
