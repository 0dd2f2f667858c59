// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Stands in for libFuzzer: runs a target on every file of folders that are there, and on copies
// with one or two bytes changed, always the same ones: TARGET COPIES FOLDER...
#include "fuzz/target.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace {

void run(const std::string& bytes) {
    const void* const data = bytes.data();
    LLVMFuzzerTestOneInput(static_cast<const std::uint8_t*>(data), bytes.size());
}

void run_changed(const std::string& bytes, int copies) {
    run(bytes);
    if (bytes.empty()) return;
    std::mt19937_64 random(bytes.size());
    for (int i = 0; i < copies; ++i) {
        std::string changed = bytes;
        for (int k = 0; k <= i % 2; ++k) {
            changed[random() % changed.size()] = static_cast<char>(random());
        }
        if (i % 8 == 0) changed.resize(random() % changed.size());
        run(changed);
    }
}

std::size_t run_folder(const std::filesystem::path& folder, int copies) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path(), std::ios::binary);
        run_changed({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()},
                    copies);
        ++files;
    }
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    std::size_t files = 0;
    for (int i = 2; i < argc; ++i) {
        if (std::filesystem::exists(argv[i])) files += run_folder(argv[i], std::stoi(argv[1]));
    }
    std::cout << files << " seeds\n";
    return files == 0 ? 1 : 0;
}
