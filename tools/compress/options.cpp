// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/common_options.hpp"
#include "common/trace_input.hpp"
#include "compress/compress.hpp"
#include "core/error.hpp"
#include "format/delta_grid.hpp"

#include <cmath>
#include <filesystem>

namespace tracefold {

void add_options(CLI::App& app, CompressArguments& arguments) {
    app.add_option("ARCHIVE", arguments.archive, "OTF2 archive (anchor file or folder)")
        ->type_name("")
        ->required();
    app.add_option("-o,--output", arguments.output,
                   "File to write (default: the archive's name with .tfold)")
        ->type_name("FILE");
    add_choice<TimingLevel>(app, "--timing", arguments.timing,
                            {{"none", TimingLevel::none},
                             {"histogram", TimingLevel::histogram},
                             {"quantized", TimingLevel::quantized},
                             {"exact", TimingLevel::exact}},
                            "What to keep of the time of events");
    app.add_option("--time-error", arguments.time_error,
                   "Relative error of every difference of --timing quantized (default: 0.01)")
        ->type_name("R")
        ->check(CLI::Range(1e-6 * DeltaPrecision::kMinError, 1e-6 * DeltaPrecision::kMaxError));
    app.add_flag_function(
        "--verify,!--no-verify", [&arguments](std::int64_t count) { arguments.verify = count > 0; },
        "Regenerate every record from the file and compare it with the archive before the file is "
        "put into place (default with exact and quantized timing)");
    app.add_flag_function(
        "--exact-bytes,!--no-exact-bytes",
        [&arguments](std::int64_t count) { arguments.exact_bytes = count > 0; },
        "Keep what is needed to give every file back byte by byte, whichever release of OTF2 wrote "
        "it (default with exact timing and verification)");
    app.add_option("--level", arguments.level, "Effort of zstd")
        ->type_name("N")
        ->check(CLI::Range(1, 22))
        ->capture_default_str();
    app.add_flag(
        "--portable", arguments.portable,
        "Compress by zstd alone, so that the specification is enough to read the file, even "
        "decades from now; the file is larger");
    add_threads_option(app, arguments.threads, "read and fold",
                       "one per core where there are events enough, one under mpirun");
    add_drop_unknown_option(app, arguments.drop_unknown);
    app.add_flag("--rescue", arguments.rescue,
                 "Keep what is complete of a damaged archive: files that end early, missing files");
    app.add_flag("--with-extra-files", arguments.with_extra_files,
                 "Carry the other files of the folder along (scorep.cfg, profiles, ...)");
    app.add_flag("--estimate", arguments.estimate,
                 "Write nothing; fold some locations and tell how large the file would become at "
                 "each level of --timing")
        ->excludes("--output")
        ->excludes("--rescue")
        ->excludes("--timing")
        ->excludes("--portable")
        ->excludes("--verify");
}

u32 CompressArguments::time_error_ppm() const {
    if (!time_error) return 10'000;
    if (timing != TimingLevel::quantized && !estimate) {
        throw Error(ErrorKind::usage, "--time-error goes with --timing quantized only");
    }
    return static_cast<u32>(std::lround(*time_error * 1e6));
}

std::string default_output(const std::string& archive) {
    namespace fs = std::filesystem;
    fs::path path = fs::path(archive).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (path.filename() == "." || path.filename() == "..")
        path = fs::absolute(path).lexically_normal();
    if (path.extension() == ".otf2") path.replace_extension();
    return path.string() + ".tfold";
}

}  // namespace tracefold
