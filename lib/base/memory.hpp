// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tracefold {

/// An allocator for large tables with random access. It requests huge pages of 2 MiB, which take
/// fewer page faults and TLB misses; the rest of a table has ordinary pages. Memory: a table is
/// aligned to 2 MiB, and touching one byte of a huge page makes all of it resident.
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
    void deallocate(T* memory, std::size_t /*count*/) {
        ::operator delete (memory, std::align_val_t{kPage});
    }

    bool operator==(const HugePageAllocator& /*other*/) const { return true; }

  private:
    static constexpr std::size_t kPage = std::size_t{1} << 21U;
};

}  // namespace tracefold

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tracefold {

/// Keeps freed memory in the process; call it at program start. Each location allocates similar
/// buffers, and memory returned to the system in between would fault in page by page. No effect
/// without glibc.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
    constexpr int kMebibyte = 1 << 20;
    mallopt(M_MMAP_THRESHOLD, 32 * kMebibyte);
    mallopt(M_TRIM_THRESHOLD, 64 * kMebibyte);
#endif
}

/// A sequence that is repeatedly appended to, read, and cleared. Unlike std::vector it appends
/// several elements at once without initialising them, so filling it costs little more than the
/// stores. Memory: at most twice the largest size so far.
template <class T>
class AppendBuffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    AppendBuffer() = default;
    AppendBuffer(const AppendBuffer& other) { append(other); }
    AppendBuffer(AppendBuffer&& other) noexcept { swap(other); }
    AppendBuffer& operator=(AppendBuffer other) noexcept {
        swap(other);
        return *this;
    }
    ~AppendBuffer() = default;

    /// Appends `count` uninitialised elements; the pointer is valid until the next append.
    T* extend(std::size_t count) {
        if (capacity_ - size_ < count) grow(count);
        T* const first = elements_.get() + size_;
        size_ += count;
        return first;
    }
    void push_back(const T& value) {
        const T copy = value;  // `value` may refer into this buffer, which extend() may move
        *extend(1) = copy;
    }
    void append(std::span<const T> values) {
        std::copy(values.begin(), values.end(), extend(values.size()));
    }
    /// Precondition: size <= size().
    void shrink(std::size_t size) { size_ = size; }
    void clear() { size_ = 0; }

    bool operator==(const AppendBuffer& other) const {
        return std::equal(begin(), end(), other.begin(), other.end());
    }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() { return elements_.get(); }
    [[nodiscard]] const T* data() const { return elements_.get(); }
    [[nodiscard]] T& operator[](std::size_t i) { return elements_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return elements_[i]; }
    [[nodiscard]] T& back() { return elements_[size_ - 1]; }
    [[nodiscard]] const T& back() const { return elements_[size_ - 1]; }
    [[nodiscard]] T* begin() { return elements_.get(); }
    [[nodiscard]] T* end() { return elements_.get() + size_; }
    [[nodiscard]] const T* begin() const { return elements_.get(); }
    [[nodiscard]] const T* end() const { return elements_.get() + size_; }

  private:
    void swap(AppendBuffer& other) noexcept {
        std::swap(elements_, other.elements_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    [[gnu::noinline, gnu::cold]] void grow(std::size_t count) {
        const std::size_t capacity = std::max({size_ + count, 2 * capacity_, std::size_t{16}});
        auto larger = std::make_unique_for_overwrite<T[]>(capacity);
        std::copy(begin(), end(), larger.get());
        elements_ = std::move(larger);
        capacity_ = capacity;
    }

    std::unique_ptr<T[]> elements_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace tracefold
