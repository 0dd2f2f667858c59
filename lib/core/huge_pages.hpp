// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tracefold {

/// An allocator for tables of megabytes that are read and written all over the place. It asks the
/// system for huge pages, of which two megabytes come at once, and which the processor finds
/// faster; the rest of a table has ordinary pages. Memory: a table begins at a multiple of two
/// megabytes, and its huge pages are there as soon as one byte of each is.
template <class T>
struct HugePageAllocator {
    using value_type = T;

    HugePageAllocator() = default;
    template <class U>
    explicit HugePageAllocator(const HugePageAllocator<U>& /*other*/) {}

    T* allocate(std::size_t count) {
        const std::size_t size = count * sizeof(T);
        void* const memory = ::operator new (size, std::align_val_t{kPage});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (size >= kPage) (void)::madvise(memory, size / kPage * kPage, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        ::operator delete (memory, count * sizeof(T), std::align_val_t{kPage});
    }

    bool operator==(const HugePageAllocator& /*other*/) const { return true; }

  private:
    static constexpr std::size_t kPage = std::size_t{1} << 21U;
};

}  // namespace tracefold
