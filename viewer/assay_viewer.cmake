# assay_embed_viewer(<module> <function>): bundles the viewer with Vite and compiles the page into the
# library assay_<module>, readable as assay_embed's files are.
function(assay_embed_viewer module function)
  set(viewer ${PROJECT_SOURCE_DIR}/viewer)
  find_program(ASSAY_NODE node nodejs REQUIRED)
  if(NOT EXISTS ${viewer}/node_modules/vite/package.json)
    message(FATAL_ERROR "The viewer's packages are missing; run 'make deps', which installs them")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${viewer}/src/* ${viewer}/tools/bundle.mjs)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/viewer)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${ASSAY_NODE} ${viewer}/tools/bundle.mjs ${folder}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DMODULE=${module} -DFUNCTION=${function}
            -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${sources} ${viewer}/package-lock.json ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    COMMENT "Bundling the viewer"
    VERBATIM)
  target_sources(assay_${module} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# viewer_types: what Vite does not look at. viewer_test: the page in Chromium, shown by `program`.
function(assay_add_viewer_tests program)
  set(viewer ${PROJECT_SOURCE_DIR}/viewer)
  add_test(NAME viewer_types COMMAND ${ASSAY_NODE} node_modules/typescript/bin/tsc --noEmit
           WORKING_DIRECTORY ${viewer})
  assay_set_up_test(viewer_types none)
  add_test(NAME viewer_test COMMAND ${ASSAY_NODE} --test tests/data.test.mjs tests/viewer.test.mjs
           WORKING_DIRECTORY ${viewer})
  assay_set_up_test(viewer_test browser)
  set_property(TEST viewer_test APPEND PROPERTY ENVIRONMENT ASSAY_PROGRAM=$<TARGET_FILE:${program}>)
  if(ASSAY_SANITIZE)
    # Not LD_PRELOAD: Node and Chromium would not take it.
    set_property(TEST viewer_test APPEND PROPERTY ENVIRONMENT
                 ASSAY_PRELOAD=${ASSAY_SANITIZER_RUNTIME})
  endif()
  if(ASSAY_SANITIZE STREQUAL "address")
    # See assay_set_up_python_test.
    set_property(TEST viewer_test PROPERTY ENVIRONMENT_MODIFICATION
                 ASAN_OPTIONS=string_append::detect_leaks=0)
  endif()
endfunction()
