# Warnings for our own targets. They do not travel with carom::carom.
function(carom_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
    # g++ 12 sees overlapping copies inside its own std::string's operator+ (GCC bug 105329).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<BOOL:${CAROM_WERROR}>:-Werror>)
endfunction()
