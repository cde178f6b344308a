#include "tools/coursework/exercises/kernel_source.hpp"

#include <algorithm>

#include "tools/coursework/exercises/kernel_signature.hpp"

namespace coursework {

std::string kernel_headers(const Exercise& exercise) {
  const auto names = [&](const char* type) {
    return std::ranges::any_of(exercise.kernels, [&](const std::string& signature) {
      return signature.find(type) != std::string::npos;
    });
  };
  return std::string(names("__nv_bfloat16") ? "#include <cuda_bf16.h>\n" : "") +
         (names("__half") ? "#include <cuda_fp16.h>\n" : "");
}

std::string kernel_declarations(const Exercise& exercise) {
  std::string text;
  for (const std::string& signature : exercise.kernels) text += signature + ";\n";
  return text;
}

std::string kernel_entries(const Exercise& exercise, const std::string& scope) {
  std::string text;
  for (const std::string& signature : exercise.kernels) {
    const std::string name = read_signature(signature).name;
    text += "      kernel(\"" + name + "\", &" + scope + "::" + name + "),\n";
  }
  return text;
}

std::string kernel_source(const Exercise& exercise) {
  return "// The kernels of exercise " + exercise.id + ", written by write_kernels.\n" +
         kernel_headers(exercise) + "#include \"tools/coursework/runner/kernels.hpp\"\n\n" +
         kernel_declarations(exercise) +
         "\nnamespace coursework {\n\n"
         "const std::vector<Kernel>& kernels() {\n"
         "  static const std::vector<Kernel> all = {\n" +
         kernel_entries(exercise) +
         "  };\n"
         "  return all;\n"
         "}\n\n"
         "}  // namespace coursework\n";
}

}  // namespace coursework
