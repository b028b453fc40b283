// Whether a world is in the midst of a step. Internal to the world.
//
// A user's functions, the pair filter and the executor, are called from inside a step, where lists are walked that a change would pull away. So calls that change a world look here first, and refuse.
#pragma once

namespace [[gnu::visibility("default")]] carom {

class Busy {
public:
  Busy() = default;
  // It belongs to the world that steps: a copy of that is not in the midst of anything, and what is assigned does not end a step.
  Busy(const Busy&) {}
  Busy& operator=(const Busy&) { return *this; }
  ~Busy() = default;

  [[nodiscard]] explicit operator bool() const { return on_; }

  /// It is busy as long as this lives, and then as it was.
  class Scope {
  public:
    explicit Scope(Busy& busy) : busy_(busy), before_(busy.on_) { busy_.on_ = true; }
    ~Scope() { busy_.on_ = before_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

  private:
    Busy& busy_;
    bool before_;
  };

private:
  bool on_ = false;
};

} // namespace carom
