// Blocks come in sizes that are powers of two, so that a list that has grown finds what others of its size have left, whatever their types.
#include "carom/math/scratch.h"

#include <bit>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CAROM_SEES_MEMORY
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define CAROM_SEES_MEMORY
#endif

namespace carom {
namespace {

constexpr std::size_t least_bits = 6; // 64 bytes: the lists of a query hold more than one number

thread_local ScratchPool* current = nullptr;

std::size_t bits_of(std::size_t bytes) {
  return std::max<std::size_t>(
      least_bits, static_cast<std::size_t>(std::bit_width(std::max<std::size_t>(bytes, 1) - 1)));
}

/// Where a tool looks for what is used after it was given back, it must see that it was.
#ifdef CAROM_SEES_MEMORY
constexpr bool keeps = false;
#else
constexpr bool keeps = true;
#endif

} // namespace

void* ScratchPool::take(std::size_t bytes) {
  const std::size_t bits = bits_of(bytes);
  if (bits >= classes) throw std::bad_alloc();
  if (current != nullptr && current->free_[bits] != nullptr) {
    Block* const block = current->free_[bits];
    current->free_[bits] = block->next;
    return block;
  }
  return ::operator new (std::size_t{1} << bits);
}

void ScratchPool::give(void* block, std::size_t bytes) noexcept {
  if (!keeps || current == nullptr) return ::operator delete(block);
  Block*& first = current->free_[bits_of(bytes)];
  first = ::new (block) Block{first};
}

ScratchPool::~ScratchPool() {
  for (Block* block : free_)
    while (block != nullptr) ::operator delete(std::exchange(block, block->next));
}

ScratchScope::ScratchScope(ScratchPool& pool) noexcept : before_(std::exchange(current, &pool)) {}
ScratchScope::~ScratchScope() { current = before_; }

} // namespace carom
