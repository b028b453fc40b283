// A function somebody else owns: what a query calls for each thing found.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace [[gnu::visibility("default")]] carom {

template<class Signature>
class FunctionRef;

/// Refers to a callable for the time of one call: a lambda given as an argument is fine, one kept for later is not. Nothing is copied or allocated.
template<class R, class... Args>
class FunctionRef<R(Args...)> {
public:
  template<class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_invocable_r_v<R, F&, Args...>)
      // Implicit, so that a lambda may stand where the reference is asked for.
      FunctionRef(F&& function) // NOLINT(bugprone-forwarding-reference-overload)
      : target_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* target, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(target))(std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(target_, std::forward<Args>(args)...); }

private:
  void* target_;
  R (*call_)(void*, Args...);
};

} // namespace carom
