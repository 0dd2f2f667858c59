// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Profiles of Cube: read, shown, combined with themselves and written again.
#include "base/file.hpp"
#include "fuzz/target.hpp"
#include "questions/profile/cube_table.hpp"
#include "support/test_directory.hpp"

namespace {

using namespace tracefold;

void take(std::string_view bytes) {
    static const TestDirectory folder;
    const std::string path = folder / "p.cubex";
    put_file(path, std::string(bytes));
    CubeProfile profile = read_cubex(path);
    remove_unsupported(profile);
    const TraceProfile table = cube_table(profile, {.by = ProfileGroups::location});
    require(table.names.size() == profile.nodes.size(), "a call path is missing");
    const CubeProfile twice = combine({profile, profile}, CubeOperation::max);
    require(twice.nodes.size() == profile.nodes.size(), "a call path does not match itself");
    write_cubex(twice, folder / "twice.cubex", true);
    require(read_cubex(folder / "twice.cubex").nodes.size() == twice.nodes.size(),
            "a call path is lost in a file");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, take);
}
