// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/dumpi_file.hpp"

#include "core/error.hpp"

#include <numeric>

namespace tracefold {

namespace {

constexpr std::string_view kMagic{
    "\xff\xaa\xdd"
    "DUMPI",
    8};
constexpr u64 kSecond = 1'000'000'000;
constexpr std::size_t kBuffer = 1U << 16U;

constexpr u8 kDumpiVersion[] = {13, 0, 0};
constexpr u64 kFooterMagic = 0xf007fee7;
constexpr u16 kEndOfStream = 293;

// What a record has: a thread, times, statuses.
constexpr u8 kThread = 0x40;
constexpr u8 kWallTime = 0x08;
constexpr u8 kStatuses = 0x03;

/// Bytes of the datatypes that every file knows, by number.
constexpr u32 kTypeBytes[] = {0, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
                              8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};

}  // namespace

DumpiFile::DumpiFile(const std::filesystem::path& path, bool has_times)
    : file_(path), has_times_(has_times), buffer_(kMagic) {
    // Both clocks count from 0.
    put<u32>(0);
    put<u32>(0);
}

void DumpiFile::begin(DumpiFunction function, u64 begin_ns, u64 end_ns) {
    if (buffer_.size() >= kBuffer) {
        file_.write(buffer_);
        buffer_.clear();
    }
    ++counts_[static_cast<std::size_t>(function)];
    put(static_cast<u16>(function));
    put(static_cast<u8>(kThread | kStatuses | (has_times_ ? kWallTime : 0)));
    put<u16>(0);
    if (!has_times_) return;
    put_time(begin_ns);
    last_end_ = buffer_.size();
    put_time(end_ns);
}

void DumpiFile::end_last_at(u64 end_ns) {
    if (!has_times_) return;
    const std::size_t length = buffer_.size();
    put_time(end_ns);
    const std::string time = buffer_.substr(length);
    buffer_.resize(length);
    buffer_.replace(last_end_, time.size(), time);
}

void DumpiFile::put_time(u64 nanoseconds) {
    const u64 seconds = nanoseconds / kSecond;
    if (seconds > 0xffff) {
        throw Error(ErrorKind::unsupported,
                    "the trace is longer than the 18 hours that DUMPI has times for");
    }
    put(static_cast<u16>(seconds));
    put(static_cast<u32>(nanoseconds % kSecond));
}

u64 DumpiFile::calls() const { return std::accumulate(counts_.begin(), counts_.end(), u64{0}); }

void DumpiFile::put_ints(std::span<const u32> values) {
    put_int(values.size());
    for (const u32 value : values) put(value);
}

void DumpiFile::put_text(std::string_view text) {
    put(static_cast<u16>(text.size()));
    buffer_ += text;
}

void DumpiFile::commit(const std::string& host) {
    put(kEndOfStream);
    const u64 header = size();
    for (const u8 part : kDumpiVersion) put(part);
    put<u64>(0);  // the same trace has the same date
    put_text(host);
    put_text("<none>");
    put_ints({});  // no position in a mesh, and no mesh
    put_ints({});
    const u64 footer = size();
    put(kFooterMagic);
    for (const u32 count : counts_) put(count);
    for (std::size_t i = 0; i <= kFunctions; ++i) put<u32>(0);  // calls that were ignored
    const u64 keys = size();
    put<u32>(0);
    const u64 sizes = size();
    put_ints(kTypeBytes);
    buffer_ += kMagic;
    // No addresses of callers and no counters.
    for (const u64 offset : {sizes, u64{0}, u64{0}, header, u64{kMagic.size()}, footer, keys}) {
        put(offset);
    }
    file_.write(buffer_);
    buffer_.clear();
    file_.commit();
}

}  // namespace tracefold
