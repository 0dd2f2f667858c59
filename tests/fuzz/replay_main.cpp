// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Stands in for libFuzzer: runs a target on every file of the folders (or files) given, and on
// copies with one or two bytes changed, always the same ones.
#include "fuzz/target.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace {

constexpr int kChangedCopies = 200;

void run(const std::string& bytes) {
    const void* const data = bytes.data();
    LLVMFuzzerTestOneInput(static_cast<const std::uint8_t*>(data), bytes.size());
}

void run_changed(const std::string& bytes) {
    run(bytes);
    if (bytes.empty()) return;
    std::mt19937_64 random(bytes.size());
    for (int i = 0; i < kChangedCopies; ++i) {
        std::string changed = bytes;
        for (int k = 0; k <= i % 2; ++k) {
            changed[random() % changed.size()] = static_cast<char>(random());
        }
        if (i % 8 == 0) changed.resize(random() % changed.size());
        run(changed);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t files = 0;
    const std::vector<std::string> folders(argv + 1, argv + argc);
    for (const std::string& folder : folders) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::ifstream file(entry.path(), std::ios::binary);
            run_changed({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
            ++files;
        }
    }
    std::cout << files << " seeds\n";
    return files == 0 ? 1 : 0;
}
