# The installable shared library: all modules below the command line in one file, with only the
# functions marked ASSAY_API visible, so that programs need neither LLVM headers nor its packages.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY ASSAY_MODULES)
get_property(libraries GLOBAL PROPERTY ASSAY_LIBRARIES)
list(REMOVE_ITEM modules assay_cli)
list(REMOVE_DUPLICATES libraries)

# Objects, not archives: the linker would drop public functions that no module calls.
add_library(assay SHARED)
add_library(assay::assay ALIAS assay)
foreach(module ${modules})
  target_sources(assay PRIVATE $<TARGET_OBJECTS:${module}>)
endforeach()
target_link_libraries(assay PRIVATE ${libraries} Threads::Threads)
set_target_properties(assay PROPERTIES LINKER_LANGUAGE CXX)
target_include_directories(assay INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(assay INTERFACE cxx_std_20)
set_target_properties(assay PROPERTIES VERSION ${PROJECT_VERSION}
                                       SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

install(TARGETS assay EXPORT assayTargets)
if(TARGET assay_cli_main)
  install(TARGETS assay_cli_main)
endif()
install(DIRECTORY include/assay include/mlx TYPE INCLUDE FILES_MATCHING PATTERN *.h PATTERN *.def)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/assay)
install(EXPORT assayTargets NAMESPACE assay:: DESTINATION ${package_folder})
configure_package_config_file(cmake/assayConfig.cmake.in ${PROJECT_BINARY_DIR}/assayConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/assayConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/assayConfig.cmake ${PROJECT_BINARY_DIR}/assayConfigVersion.cmake
        DESTINATION ${package_folder})
