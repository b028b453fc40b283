# Warnings for our own targets. They do not travel with carom::carom.
function(carom_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
    $<$<BOOL:${CAROM_WERROR}>:-Werror>)
endfunction()
