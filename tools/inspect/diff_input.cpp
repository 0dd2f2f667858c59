// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/diff_input.hpp"

#include "comm/serial.hpp"
#include "core/error.hpp"
#include "pipeline/compress.hpp"

#include <cstdlib>

namespace tracefold {

namespace {

bool is_archive(const std::string& path) {
    return std::filesystem::is_directory(path) ||
           std::filesystem::path(path).extension() == ".otf2";
}

std::filesystem::path make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tracefold-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw Error(ErrorKind::io, "cannot create a folder for temporary files: " + name);
    }
    return name;
}

void fold(const std::string& archive, const std::string& output) {
    CompressOptions options;
    options.archive = archive;
    options.output = output;
    options.verify = false;
    options.level = 1;
    SerialCommunicator comm;
    compress(comm, options);
}

}  // namespace

DiffInput::DiffInput(const std::string& path) {
    if (!is_archive(path)) {
        file_ = std::make_unique<TraceFile>(path);
        return;
    }
    folder_ = make_folder();
    const std::string folded = (folder_ / "archive.tfold").string();
    try {
        fold(path, folded);
        file_ = std::make_unique<TraceFile>(folded);
    } catch (...) {
        std::filesystem::remove_all(folder_);
        throw;
    }
}

DiffInput::~DiffInput() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace tracefold
