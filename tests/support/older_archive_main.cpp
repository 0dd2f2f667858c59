// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// older_archive ARCHIVE DIRECTORY [inter]: a copy of an archive as Score-P 7 would have written it;
// with definitions of intercommunicators, if they are asked for.
#include "base/error.hpp"
#include "support/older_archive.hpp"

#include <filesystem>
#include <iostream>
#include <string_view>

int main(int argc, char** argv) {
    const bool inter = argc == 4 && argv[3] == std::string_view("inter");
    if (argc != 3 && !inter) {
        std::cerr << "usage: older_archive ARCHIVE DIRECTORY [inter]\n";
        return 2;
    }
    try {
        std::filesystem::create_directories(argv[2]);
        tracefold::ArchiveReader reader(argv[1]);
        tracefold::testing::copy_as_older(reader, argv[2], inter);
    } catch (const tracefold::Error& error) {
        std::cerr << "older_archive: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
