// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/kit.hpp"

#include "archives/input_kind.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "common/check_report.hpp"
#include "common/output_format.hpp"
#include "common/text.hpp"
#include "replay/run.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

namespace tracefold {

extern const std::string_view kKitReadme;

namespace {

namespace fs = std::filesystem;

/// The sources beside the program, in the build tree as in an installation.
std::string read_sources() {
    const fs::path sources = program_folder().parent_path() / "share/tracefold/replay-kit.tar.gz";
    std::error_code unknown;
    if (!fs::exists(sources, unknown)) {
        throw Error(ErrorKind::unsupported,
                    "{}, the sources for kits, is missing; install all of tracefold",
                    sources.string());
    }
    return read_whole_file(sources);
}

/// A member of a gzip file (RFC 1952) of stored blocks (RFC 1951, 3.2.4).
class GzipMember {
  public:
    explicit GzipMember(AtomicFile& file) : file_(file) {
        file_.write(std::string_view("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10));
    }

    void write(std::string_view bytes) {
        constexpr std::size_t largest_block = 0xFFFF;
        for (std::size_t at = 0; at < bytes.size(); at += largest_block) {
            block(bytes.substr(at, largest_block), false);
        }
    }

    void finish() {
        block("", true);
        file_.write(number(~crc_, 4));
        file_.write(number(size_, 4));
    }

  private:
    static std::string number(u64 value, u32 bytes) {
        std::string text;
        for (u32 i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
        return text;
    }

    void block(std::string_view bytes, bool last) {
        file_.write(number(last ? 1 : 0, 1) + number(bytes.size(), 2) + number(~bytes.size(), 2));
        file_.write(bytes);
        size_ += bytes.size();
        for (const char byte : bytes)
            crc_ = table()[(crc_ ^ static_cast<u8>(byte)) & 0xFFU] ^ (crc_ >> 8U);
    }

    static const std::array<u32, 256>& table() {
        static const std::array<u32, 256> remainders = [] {
            constexpr u32 polynomial = 0xEDB88320;
            std::array<u32, 256> made{};
            for (u32 i = 0; i < made.size(); ++i) {
                u32 value = i;
                for (int bit = 0; bit < 8; ++bit)
                    value = (value >> 1U) ^ ((value & 1U) * polynomial);
                made[i] = value;
            }
            return made;
        }();
        return remainders;
    }

    AtomicFile& file_;
    u32 crc_ = ~u32{0};
    u64 size_ = 0;
};

constexpr std::size_t kTarBlock = 512;

/// The header of a file in a tar archive (POSIX.1-2017, pax, ustar interchange format).
std::string tar_header(const std::string& name, u64 size) {
    std::string header(kTarBlock, '\0');
    const auto put = [&header](std::size_t offset, const std::string& field) {
        header.replace(offset, field.size(), field);
    };
    put(0, "tracefold-kit/" + name);
    put(100, fmt::format("{:07o}", 0644));
    put(108, fmt::format("{:07o}", 0));
    put(116, fmt::format("{:07o}", 0));
    put(124, fmt::format("{:011o}", size));
    put(136, fmt::format("{:011o}", 0));
    put(148, std::string(8, ' '));
    put(156, "0");
    put(257, std::string("ustar\00000", 8));
    u32 sum = 0;
    for (const char byte : header) sum += static_cast<u8>(byte);
    put(148, fmt::format("{:06o}", sum) + '\0');
    return header;
}

std::string padding(u64 size) {
    return std::string((kTarBlock - size % kTarBlock) % kTarBlock, '\0');
}

void add_file(GzipMember& member, const std::string& name, std::string_view bytes) {
    member.write(tar_header(name, bytes.size()));
    member.write(bytes);
    member.write(padding(bytes.size()));
}

void add_trace(GzipMember& member, const InputFile& trace) {
    constexpr u64 piece = u64{1} << 20U;
    member.write(tar_header("run.tfold", trace.size()));
    for (u64 at = 0; at < trace.size(); at += piece) {
        member.write(trace.read_at(at, std::min(piece, trace.size() - at)));
    }
    member.write(padding(trace.size()));
}

using Words = std::vector<std::pair<std::string, std::string>>;

std::string filled(std::string_view text, const Words& words) {
    std::string result(text);
    for (const auto& [word, value] : words) {
        const std::string mark = "@" + word + "@";
        for (std::size_t at = result.find(mark); at != std::string::npos;
             at = result.find(mark, at + value.size())) {
            result.replace(at, mark.size(), value);
        }
    }
    return result;
}

}  // namespace

ExitCode write_kit(const ReplayArguments& arguments, bool force, Console& console) {
    const std::string& path = arguments.input.path;
    if (is_archive(path)) {
        throw Error(ErrorKind::unsupported,
                    "a kit holds a folded file; fold {} with trace_compress first", path);
    }
    const std::string sources = read_sources();
    AtomicFile output(arguments.kit, force);
    const std::unique_ptr<FoldedInput> opened = arguments.input.open(console);
    TraceFile& file = opened->file();
    const ExitCode checked = run_check(file, arguments.input, check_choice(arguments.options),
                                       CheckOutput::hindrances, console);
    if (checked != exit_ok) return checked;
    const std::string fingerprint = fingerprint_of(file, arguments.options);
    const std::string ranks = std::to_string(file.definitions().world_size());
    const Words words = {{"NAME", arguments.input.name()},
                         {"RANKS", ranks},
                         {"OPTIONS", arguments.study_options},
                         {"FINGERPRINT", fingerprint}};
    output.write(sources);
    GzipMember member(output);
    add_file(member, "README.md", filled(kKitReadme, words));
    add_file(member, "study",
             filled("RANKS=@RANKS@\nOPTIONS=\"@OPTIONS@\"\nFINGERPRINT=@FINGERPRINT@\n", words));
    add_trace(member, InputFile(path));
    member.write(std::string(2 * kTarBlock, '\0'));
    member.finish();
    const u64 size = output.size();
    output.commit();
    if (console.json()) {
        begin_document(console, "kit")
            .member("file", path)
            .member("kit", arguments.kit)
            .member("bytes", size)
            .member("ranks", file.definitions().world_size())
            .member("options", arguments.study_options)
            .member("fingerprint", fingerprint)
            .end_object();
    } else {
        console.text() << arguments.kit << ": " << format_size(size) << ", " << ranks
                       << " ranks, fingerprint " << fingerprint << '\n';
    }
    return exit_ok;
}

}  // namespace tracefold
