// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/simgrid_platform.hpp"

#include "exporters/text_file.hpp"

namespace tracefold::inline exporters {

u64 write_simgrid_platform(const std::filesystem::path& folder, u32 ranks,
                           const ExportOptions& options) {
    TextFile platform(folder / "platform.xml");
    platform
        << "<?xml version='1.0'?>\n"
           "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n"
           "  <config>\n"
           "    <!-- The option cfg=smpi/alltoallv:ring of smpirun. Without it all messages of an\n"
           "         MPI_Alltoallv are under way at once: minutes for one of 128 ranks. -->\n"
           "    <prop id=\"smpi/alltoallv\" value=\"ring\"/>\n"
           "    <!-- Sends of fewer bytes do not wait for their receive: the eager limit. -->\n"
           "    <prop id=\"smpi/send-is-detached-thresh\" value=\"65536\"/>\n"
           "    <!-- SimGrid multiplies latencies and bandwidths by factors measured on a cluster\n"
           "         with Gigabit Ethernet. For those below as they stand, add\n"
           "         <prop id=\"smpi/lat-factor\" value=\"0:1\"/> and\n"
           "         <prop id=\"smpi/bw-factor\" value=\"0:1\"/>. The speed of the host that\n"
           "         simulates (smpi/host-speed) does not matter. -->\n"
           "  </config>\n"
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

}  // namespace tracefold::inline exporters
