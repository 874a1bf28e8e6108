# assay_embed(<module> <function> FOLDER dir): compiles all files below `dir` into the library
# assay_<module>, readable through `std::span<const base::EmbeddedFile> assay::<module>::<function>()`
# (declare it in a header of the module). Paths are relative to `dir`.
function(assay_embed module function)
  cmake_parse_arguments(arg "" "FOLDER" "" ${ARGN})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DMODULE=${module} -DFUNCTION=${function}
            -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    COMMENT "Embedding ${arg_FOLDER} into assay_${module}"
    VERBATIM)
  target_sources(assay_${module} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
