// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/zstd_frame.hpp"

#include "base/bytes.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <memory>
#include <new>

#define ZSTD_STATIC_LINKING_ONLY  // for ZSTD_estimateCDictSize
#include <zstd.h>
#include <zstd_errors.h>

namespace tracefold {

namespace {

template <class T, class Free>
std::shared_ptr<const T> owned(T* made, const Free& free) {
    if (made == nullptr) throw std::bad_alloc();
    return {made, free};
}

constexpr int kMaxWindowLog = 27;
constexpr int kLongMatchingLevel = 19;
constexpr std::size_t kLongMatchingSize = std::size_t{8} << 20U;
constexpr std::size_t kLargeInput = std::size_t{128} << 10U;
constexpr std::size_t kSmallContent = std::size_t{64} << 10U;
constexpr std::size_t kOutputStep = std::size_t{256} << 10U;

// The densest zstd block repeats one byte 128 Ki times in four bytes.
constexpr u64 kMaxBytesPerBlock = u64{128} << 10U;
constexpr u64 kMinBlockBytes = 4;

using Compressor = std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)>;
struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using Decompressor = std::unique_ptr<ZSTD_DCtx, FreeDecompressor>;

std::size_t check_result(std::size_t result) {
    if (ZSTD_isError(result) == 0) {
        return result;
    }
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) {
        throw std::bad_alloc();
    }
    throw Error(ErrorKind::internal, std::string("zstd failed: ") + ZSTD_getErrorName(result));
}

/// Larger inputs compress better with tables of their own size.
void use(ZSTD_CCtx* context, std::size_t input_size, int level, const ZstdDictionary& dictionary) {
    const std::string_view bytes = dictionary.bytes();
    check_result(input_size < kLargeInput
                     ? ZSTD_CCtx_refCDict(context, &dictionary.compressor(level))
                     : ZSTD_CCtx_loadDictionary(context, bytes.data(), bytes.size()));
}

Compressor make_compressor(std::size_t input_size, int level, const ZstdDictionary* dictionary) {
    Compressor context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    const auto set = [&](ZSTD_cParameter parameter, int value) {
        check_result(ZSTD_CCtx_setParameter(context.get(), parameter, value));
    };
    set(ZSTD_c_compressionLevel, level);
    set(ZSTD_c_checksumFlag, dictionary == nullptr ? 1 : 0);
    set(ZSTD_c_contentSizeFlag, 1);
    set(ZSTD_c_dictIDFlag, 0);
    if (level >= kLongMatchingLevel && input_size > kLongMatchingSize) {
        set(ZSTD_c_enableLongDistanceMatching, 1);
        set(ZSTD_c_windowLog, kMaxWindowLog);
    }
    if (dictionary != nullptr) use(context.get(), input_size, level, *dictionary);
    return context;
}

Decompressor make_decompressor(const ZstdDictionary* dictionary) {
    Decompressor context(ZSTD_createDCtx());
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
    if (dictionary != nullptr) {
        check_result(ZSTD_DCtx_refDDict(context.get(), &dictionary->decompressor()));
    }
    return context;
}

/// The context of this thread: creating one takes as long as reading a small frame.
ZSTD_DCtx* small_decompressor() {
    thread_local const Decompressor context = make_decompressor(nullptr);
    check_result(ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_only));
    return context.get();
}

[[noreturn]] void fail(std::string_view name, const std::string& what) {
    throw Error(ErrorKind::corrupt, "{} is damaged: {}", name, what);
}

// Checks before allocating: no skippable or legacy frame, and a plausible size.
void check_header(std::string_view frame, u64 expected_size, std::string_view name) {
    if (frame.size() < sizeof(u32) ||
        ByteReader(frame, std::string(name)).get_u32le() != ZSTD_MAGICNUMBER) {
        fail(name, "it is not a zstd frame");
    }
    const u64 declared = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (declared == ZSTD_CONTENTSIZE_ERROR) {
        fail(name, "its zstd frame header is not valid");
    }
    const bool differs = declared != ZSTD_CONTENTSIZE_UNKNOWN && declared != expected_size;
    if (differs || expected_size / kMaxBytesPerBlock > frame.size() / kMinBlockBytes) {
        fail(name, fmt::format("its zstd frame of {} bytes does not hold the expected {} bytes",
                               frame.size(), expected_size));
    }
}

// Decodes the next piece and appends it to `output`. Returns false once the frame is complete.
bool decode_step(ZSTD_DCtx* context, ZSTD_inBuffer& input, std::string& output, u64 expected_size,
                 std::string_view name) {
    const std::size_t before = output.size();
    // One byte beyond the expected end detects excess output.
    const u64 room = std::min<u64>(kOutputStep, expected_size - before + 1);
    output.resize(before + static_cast<std::size_t>(room));
    ZSTD_outBuffer piece{output.data() + before, static_cast<std::size_t>(room), 0};
    const std::size_t consumed_before = input.pos;
    const std::size_t result = ZSTD_decompressStream(context, &piece, &input);
    if (ZSTD_isError(result) != 0) {
        if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) {
            throw std::bad_alloc();
        }
        fail(name, ZSTD_getErrorName(result));
    }
    output.resize(before + piece.pos);
    if (output.size() > expected_size) {
        fail(name, fmt::format("it holds more than the expected {} bytes", expected_size));
    }
    if (result != 0 && piece.pos == 0 && input.pos == consumed_before) {
        fail(name, "its zstd frame is truncated");
    }
    return result != 0;
}

}  // namespace

const ZSTD_CDict_s& ZstdDictionary::compressor(int level) const {
    const std::scoped_lock lock(mutex_);
    auto& known = by_level_[level];
    if (!known) {
        // libzstd 1.5.4 uses the memory of a dictionary without checking the allocation.
        const std::string room(ZSTD_estimateCDictSize(bytes_.size(), level), '\0');
        static_cast<void>(*static_cast<const volatile char*>(room.data()));
    }
    if (!known) {
        known = owned(ZSTD_createCDict(bytes_.data(), bytes_.size(), level), ZSTD_freeCDict);
    }
    return *known;
}

const ZSTD_DDict_s& ZstdDictionary::decompressor() const {
    const std::scoped_lock lock(mutex_);
    if (!decompressor_) {
        decompressor_ = owned(ZSTD_createDDict(bytes_.data(), bytes_.size()), ZSTD_freeDDict);
    }
    return *decompressor_;
}

std::string zstd_version() { return ZSTD_versionString(); }

std::string zstd_compress(std::string_view bytes, int level, const ZstdDictionary* dictionary) {
    const Compressor context = make_compressor(bytes.size(), level, dictionary);
    std::string frame(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = check_result(
        ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size()));
    frame.resize(size);
    frame.shrink_to_fit();
    return frame;
}

std::string zstd_decompress(std::string_view frame, u64 expected_size, std::string_view name,
                            const ZstdDictionary* dictionary) {
    check_header(frame, expected_size, name);
    const bool is_small = dictionary == nullptr && expected_size <= kSmallContent;
    const Decompressor own = is_small ? nullptr : make_decompressor(dictionary);
    ZSTD_DCtx* const context = is_small ? small_decompressor() : own.get();
    ZSTD_inBuffer input{frame.data(), frame.size(), 0};
    std::string output;
    while (decode_step(context, input, output, expected_size, name)) {
    }
    if (input.pos != input.size) {
        fail(name, std::to_string(input.size - input.pos) + " bytes follow its zstd frame");
    }
    if (output.size() != expected_size) {
        fail(name, fmt::format("it holds {} bytes instead of the expected {}", output.size(),
                               expected_size));
    }
    return output;
}

}  // namespace tracefold
