// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/error.hpp"
#include "otf2/detail/collector.hpp"
#include "otf2/detail/error_capture.hpp"
#include "otf2/detail/unknown_records.hpp"

#include <string>
#include <utility>

namespace tracefold::otf2 {

/// Pulls the records of one file out of libotf2, batch by batch.
class BatchReader {
  public:
    explicit BatchReader(bool drop_unknown) : drop_unknown_(drop_unknown) {}

    /// The file that is read.
    struct Subject {
        std::string what;  ///< e.g. "events of location 3 in run/traces/3.evt", for errors
        std::string path;
        Stream stream = Stream::events;
        u64 chunk_size = 0;
        u64 expected = 0;  ///< number of records, for errors; 0: not known
        u64 size = 0;      ///< bytes; more records than that there cannot be
    };

    /// User data for libotf2's callbacks; the address stays the same.
    [[nodiscard]] void* user_data() { return &collector_; }

    /// Calls `read(count, &got)` until there is no more and passes the batches on. Returns the
    /// number of records in the file.
    template <class Sink, class Read>
    u64 read_all(const Subject& subject, std::size_t batch_size, const Sink& sink, Read read) {
        const ErrorCapture capture;
        collector_.unknown = 0;
        u64 records = 0;
        bool more = true;
        while (more) {
            collector_.batch.clear();
            u64 got = 0;
            const OTF2_ErrorCode code = read(batch_size, &got);
            if (collector_.failure) {
                std::rethrow_exception(std::exchange(collector_.failure, nullptr));
            }
            records += got;
            if (records > subject.size) {  // libotf2 decodes some damage without end
                throw damaged(subject, records, "more records than bytes");
            }
            if (!can_go_on(code)) fail(subject, records, capture, code);
            // Once a record is lost, the rest is read only to say how many are.
            const bool complete = collector_.unknown == 0 || drop_unknown_;
            if (complete && !collector_.batch.empty()) sink(std::as_const(collector_.batch));
            more = code != OTF2_SUCCESS || got == batch_size;
        }
        account_for_unknown(subject);
        return records;
    }

    [[nodiscard]] bool drops_unknown() const { return drop_unknown_; }
    [[nodiscard]] u64 unknown_records() const { return unknown_records_; }

    static DamageError damaged(const Subject& subject, u64 records, const std::string& reason) {
        std::string message = "cannot read " + subject.what +
                              ": the file is truncated or damaged (" + reason + ") after " +
                              std::to_string(records);
        if (subject.expected != 0) message += " of " + std::to_string(subject.expected);
        return {message + " records" + kDamageAdvice, records};
    }

  private:
    static bool can_go_on(OTF2_ErrorCode code) {
        // libotf2 has delivered a second mapping table of one type when it complains about it.
        return code == OTF2_SUCCESS || code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK ||
               code == OTF2_ERROR_DUPLICATE_MAPPING_TABLE;
    }

    [[noreturn]] static void fail(const Subject& subject, u64 records, const ErrorCapture& capture,
                                  OTF2_ErrorCode code) {
        if (capture.kind(code) == ErrorKind::corrupt) {
            throw damaged(subject, records, capture.reason(code));
        }
        throw Error(capture.kind(code),
                    "cannot read " + subject.what + ": " + capture.reason(code));
    }

    void account_for_unknown(const Subject& subject) {
        if (collector_.unknown != 0 && !drop_unknown_) {
            throw Error(ErrorKind::unsupported,
                        "the " + subject.what + " have " +
                            describe_unknown_records(subject.path, subject.stream,
                                                     subject.chunk_size, subject.what) +
                            ", or use --drop-unknown to go on without them");
        }
        unknown_records_ += collector_.unknown;
    }

    Collector collector_;
    bool drop_unknown_;
    u64 unknown_records_ = 0;
};

}  // namespace tracefold::otf2
