// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The decoder of archives beside libotf2: a file of events or local definitions in the place of one
// of a sound archive is accepted by both, with the same records, or refused by both. The first byte
// says which kind of file.
#include "base/file.hpp"
#include "fuzz/target.hpp"
#include "otf2/archive_reader.hpp"
#include "otf2/library.hpp"
#include "support/flat_record.hpp"
#include "support/otf2_all_records.hpp"
#include "support/test_directory.hpp"

#include <vector>

namespace {

using namespace tracefold;
using tracefold::testing::FlatRecord;

/// What reading a file gave. Records before an error count for nothing.
struct Outcome {
    bool accepted = false;
    std::vector<FlatRecord> records;
};

class Readers {
  public:
    Readers() : reader_(written(), {true}) {
        reader_.read_global_definitions([](const RecordBatch&) {});
    }

    void compare(std::string_view bytes, bool definitions) {
        const std::string path = folder_ / (definitions ? "a/all/0.def" : "a/all/0.evt");
        put_file(path, std::string(bytes));
        const u64 unknown = reader_.unknown_records();
        const Outcome direct = outcome(definitions, [&](const auto& sink) {
            definitions ? reader_.read_local_definitions(0, sink) : reader_.read_events(0, sink);
        });
        const Outcome by_libotf2 = outcome(definitions, [&](const auto& sink) {
            definitions ? reader_.read_local_definitions_by_libotf2(0, sink)
                        : reader_.read_events_by_libotf2(0, sink);
        });
        // Records of later releases, which the decoder knows and this libotf2 does not.
        if (reader_.unknown_records() != unknown) return;
        require(direct.accepted == by_libotf2.accepted,
                direct.accepted ? "libotf2 alone refuses" : "libotf2 alone accepts");
        require(direct.records == by_libotf2.records, "libotf2 reads other records");
    }

  private:
    std::string written() {
        const std::string archive = folder_ / "a";
        write_archive(tracefold::testing::make_all_records(), archive);
        return archive;
    }

    template <class Read>
    static Outcome outcome(bool definitions, const Read& read) {
        Outcome outcome;
        try {
            read([&](const RecordBatch& batch) { flatten(batch, definitions, outcome.records); });
            outcome.accepted = true;
        } catch (const Error& error) {
            require(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::unsupported,
                    error.what());
            outcome.records.clear();
        }
        return outcome;
    }

    TestDirectory folder_;
    ArchiveReader reader_;
};

void compare(std::string_view bytes) {
    static Readers readers;
    const bool definitions = take_byte(bytes) % 2 != 0;
    readers.compare(bytes, definitions);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, compare);
}
