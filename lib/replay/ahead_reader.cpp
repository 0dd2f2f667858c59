// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/ahead_reader.hpp"

#include "comm/agree.hpp"
#include "core/error.hpp"
#include "io/bytes.hpp"

#include <algorithm>
#include <cstring>

namespace tracefold {

void AheadBatch::clear() {
    calls.clear();
    times.clear();
    coming = {};
    is_last = false;
    failure = nullptr;
}

std::string AheadBatch::to_bytes() const {
    ByteWriter out;
    out.put_u8(is_last ? 1 : 0);
    const std::optional<Error> error =
        failure ? failure_of([this] { std::rethrow_exception(failure); }) : std::nullopt;
    out.put_u8(error ? 1 : 0);
    if (error) {
        out.put_u8(static_cast<u8>(error->kind()));
        out.put_text(error->what());
    }
    out.put_varint(coming.count);
    out.put_varint(coming.calls);
    out.put_varint(coming.place);
    out.put_varint(calls.size());
    out.put_text(calls.bytes());
    out.put_bytes({reinterpret_cast<const char*>(times.data()), times.size() * sizeof(u64)});
    return out.take();
}

void AheadBatch::take(std::string_view bytes) {
    ByteReader in(bytes, "the calls of another process");
    clear();
    is_last = in.get_u8() != 0;
    if (in.get_u8() != 0) {
        const auto kind = static_cast<ErrorKind>(in.get_u8());
        failure = std::make_exception_ptr(Error(kind, std::string(in.get_text())));
    }
    coming = {in.get_varint(), in.get_varint(), in.get_varint()};
    const u64 size = in.get_varint();
    calls.assign(in.get_text(), size);
    const std::string_view rest = in.get_bytes(in.remaining());
    times.resize(rest.size() / sizeof(u64));
    std::memcpy(times.data(), rest.data(), times.size() * sizeof(u64));
}

OfferingReader& AheadReader::calls() {
    if (!calls_) calls_.emplace(file_, location_, times_, known_, limits_.offered);
    calls_->begin(begin_);
    return *calls_;
}

void AheadReader::fill(AheadBatch& batch) {
    batch.clear();
    try {
        if (left_out_ != 0) {
            fill_times(batch);
        } else if (!ended_) {
            fill_calls(batch);
        }
    } catch (...) {
        batch.failure = std::current_exception();
        batch.is_last = true;
    }
    ended_ = ended_ || batch.is_last;
    batch.is_last = ended_;
}

void AheadReader::fill_calls(AheadBatch& batch) {
    OfferingReader& from = calls();
    MpiCall call;
    while (batch.calls.size() < limits_.calls) {
        if (!from.next(call)) {
            batch.coming = from.coming();
            batch.is_last = batch.coming.count == 0;
            return;
        }
        batch.calls.add(call);
    }
}

void AheadReader::fill_times(AheadBatch& batch) {
    const std::size_t bytes = iteration_calls_ * 2 * sizeof(u64);
    const u64 iterations =
        std::clamp<u64>(limits_.calls * AheadLimits::kCallBytes / bytes, 1, left_out_);
    left_out_ -= iterations;
    batch.times.resize(iterations * iteration_calls_ * 2);
    for (u64 i = 0; i < iterations; ++i) {
        calls_->read_extents(batch.times.data() + i * iteration_calls_ * 2);
    }
}

void AheadReader::leave_out(u64 iterations) {
    iteration_calls_ = calls().coming().calls;
    calls_->leave_out(iterations);
    if (times_.kind != Times::skip) left_out_ = iterations;
}

}  // namespace tracefold
