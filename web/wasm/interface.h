// What the sources of the WebAssembly interface share.
//
// JavaScript sees plain functions of numbers. Whatever is longer than a few numbers goes through one buffer of doubles: the caller writes its
// arguments there and finds the answer there. Shapes and worlds are known by small numbers, handles. web/src/carom wraps all this.
#pragma once

#include "carom/math/pose.h"
#include "carom/math/result.h"
#include "carom/shape/shape.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#define CAROM_EXPORT extern "C" __attribute__((used, visibility("default")))

namespace carom::web {

/// At least so many doubles. What was there stays.
double* buffer(std::size_t count = 0);

/// What the caller wrote: a file, a scene.
std::string& text();

/// Keeps the sentence for the caller, and is -1.
int fail(std::string message);

/// Things by handles. A handle that is free is given again.
template<class T>
class Handles {
public:
  int add(T thing) {
    for (std::size_t i = 0; i < things_.size(); ++i) {
      if (things_[i]) continue;
      things_[i].emplace(std::move(thing));
      return static_cast<int>(i);
    }
    things_.emplace_back(std::move(thing));
    return static_cast<int>(things_.size()) - 1;
  }
  T* find(int handle) {
    const auto i = static_cast<std::size_t>(handle);
    return i < things_.size() && things_[i] ? &*things_[i] : nullptr;
  }
  void remove(int handle) {
    const auto i = static_cast<std::size_t>(handle);
    if (i < things_.size()) things_[i].reset();
  }

private:
  std::vector<std::optional<T>> things_;
};

Handles<Shape>& shapes();
inline const char* const no_shape = "There is no such shape.";
/// The handle of what was made; or -1, and its sentence is kept.
int keep(Result<Shape> made);

/// Three numbers, and seven: x y z, qx qy qz qw.
inline Vec3 vec3_at(const double* p) { return {p[0], p[1], p[2]}; }
inline Pose pose_at(const double* p) { return {{p[3], p[4], p[5], p[6]}, vec3_at(p)}; }
std::vector<Vec3> points_at(const double* p, int count);

/// Writes numbers one after the other.
class Writer {
public:
  explicit Writer(double* to) : to_(to) {}
  Writer& operator<<(double x) {
    *to_++ = x;
    return *this;
  }
  Writer& operator<<(bool yes) { return *this << (yes ? 1.0 : 0.0); }
  Writer& operator<<(int x) { return *this << static_cast<double>(x); }
  /// The lower half, then the upper one: a double has 53 bits.
  Writer& operator<<(std::uint64_t x) {
    return *this << static_cast<double>(x & 0xffffffffU) << static_cast<double>(x >> 32);
  }
  Writer& operator<<(const Vec3& v) { return *this << v.x << v.y << v.z; }
  Writer& operator<<(const Pose& p) {
    return *this << p.position << p.rotation.x << p.rotation.y << p.rotation.z << p.rotation.w;
  }

private:
  double* to_;
};

/// Room for a list of so many numbers. Where it is will be the first number of the buffer; it is there until the next list.
Writer list_of(std::size_t numbers);

} // namespace carom::web
