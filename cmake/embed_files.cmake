# Build step of assay_embed: writes a source file with the text of every file below FOLDER.
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)

set(entries "")
foreach(file IN LISTS files)
  if(file MATCHES "(~|\\.swp|\\.orig)$")
    continue()
  endif()
  file(READ ${FOLDER}/${file} text)
  string(APPEND entries "    {\"${file}\", R\"assay_embed(${text})assay_embed\"},\n")
endforeach()

file(WRITE ${OUTPUT} "// Generated from the files in a source folder; see cmake/assay_embed.cmake.
#include \"base/embedded_file.h\"

#include <span>

namespace assay::${MODULE} {

static constexpr base::EmbeddedFile kFiles[] = {
${entries}};

std::span<const base::EmbeddedFile> ${FUNCTION}() { return kFiles; }

}  // namespace assay::${MODULE}
")
