#include "tools/conformance/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "emulator/rewriter/ptx_instructions.hpp"
#include "emulator/unsupported/unsupported.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace conformance {
namespace {

using Names = std::set<std::string>;

std::filesystem::path headers() { return tools::source_folder() / "emulator/include"; }

/// Returns the matches of group 1 of `pattern` in a file.
Names names_in(const std::filesystem::path& file, const tools::Pattern& pattern) {
  static const tools::Pattern comment("//[^\n]*");
  const std::string text = comment.replace(tools::read_file(file), "");
  Names names;
  for (const tools::Match& match : pattern.all(text)) names.insert(match.str(1));
  return names;
}

/// Returns the concatenated sources of tests and chapters.
const std::string& tested_text() {
  static const std::string all = [] {
    std::string text;
    for (const char* folder : {"tests", "chapters"})
      for (const auto& entry :
           std::filesystem::recursive_directory_iterator(tools::source_folder() / folder)) {
        const std::string type = entry.path().extension().string();
        if (type == ".cu" || type == ".cuh" || type == ".cpp" || type == ".hpp")
          text += tools::read_file(entry.path()) + '\n';
      }
    return text;
  }();
  return all;
}

/// Returns all words of those sources.
const Names& tested_words() {
  static const Names all = [] {
    const tools::Pattern word(R"([A-Za-z_]\w+)");
    Names words;
    for (const tools::Match& match : word.all(tested_text())) words.insert(match.str());
    return words;
  }();
  return all;
}

Area area(std::string title, const Names& supported, const Names& refused = {}) {
  Area result{std::move(title), {supported.begin(), supported.end()}, {}, {}};
  std::ranges::set_difference(supported, tested_words(), std::back_inserter(result.untested));
  std::ranges::set_difference(refused, supported, std::back_inserter(result.refused));
  return result;
}

/// Returns the names in features.txt that match `wanted`.
Names refused_names(const tools::Pattern& wanted) {
  Names names;
  for (const emu::UnsupportedSign& one : emu::unsupported_signs()) {
    const bool is_name = one.sign == emu::Sign::of_word || one.sign == emu::Sign::of_call;
    const std::string name(one.name);
    if (is_name && wanted.matches(name)) names.insert(name);
  }
  return names;
}

/// A group of functions whose names begin alike.
struct Group {
  const char* title;
  const char* names;  ///< pattern for the rest of the name after "cuda" or "cu"
};

const Group kGroups[] = {
    {"Graphs",
     "(Graph(?!ics)|UserObject|StreamBeginCapture|StreamEndCapture|StreamIsCapturing|StreamGetCap"
     "|StreamUpdateCap|ThreadExchangeStreamCap|DeviceGraphMem|DeviceSetGraph|DeviceGetGraph"
     ").*"},
    {"Modules, libraries and kernels",
     "(Module|Library|Kernel|Func|Link|GetProc|GetDriverEntry|Launch"
     "|Occupancy|GetFuncBySymbol|SetDoubleFor|GetKernel|GetExport).*"},
    {"Textures, surfaces and arrays",
     "(.*Texture|.*Surface|Tex|Surf|.*Array|.*Mipmapped|CreateChannelDesc|GetChannelDesc|TensorMap)"
     ".*"},
    {"Streams", "Stream.*|DeviceGetStreamPriorityRange|CtxGetStreamPriorityRange"},
    {"Events", "Event.*"},
    {"Other programs, devices and drawing",
     "(Ipc|.*Peer|.*P2P|Graphics|GL|Import|.*External|Egl|VDPAU|D3D|Multicast)."
     "*"},
    {"Memory", "(Mem|Malloc|Free|Host|Pointer|GetSymbol|.*MemPool).*"},
    {"Devices, contexts and errors", ".*"},
};

/// Returns the names that programs write: a macro turns `cuMemAlloc` into `cuMemAlloc_v2`.
Names without_versions(const Names& names) {
  const tools::Pattern version("_v\\d+$");
  Names plain;
  for (const std::string& name : names) plain.insert(version.replace(name, ""));
  return plain;
}

/// Returns the functions of an API whose names begin with `prefix`, in groups.
Section api(const std::string& title, const std::string& prefix,
            const std::vector<std::string>& files) {
  const tools::Pattern declared("\\b(" + prefix + "[A-Z]\\w+)\\s*\\(");
  Names supported, refused = refused_names(tools::Pattern(prefix + "[A-Z]\\w+"));
  for (const std::string& file : files)
    if (std::filesystem::exists(headers() / file))
      supported.merge(names_in(headers() / file, declared));
  supported = without_versions(supported);
  for (const std::string& name : refused) supported.erase(name);

  Section section{title, "emulator/include/" + files.front(), {}, {}};
  for (const Group& group : kGroups) {
    const tools::Pattern fits(prefix + "(?:" + group.names + ")");
    const auto take = [&](Names& from) {
      Names taken;
      for (const std::string& name : from)
        if (fits.matches(name)) taken.insert(name);
      for (const std::string& name : taken) from.erase(name);
      return taken;
    };
    const Names has = take(supported), lacks = take(refused);
    if (!has.empty() || !lacks.empty()) section.areas.push_back(area(group.title, has, lacks));
  }
  return section;
}

/// Returns the functions for device code. The emulator's internal names contain underscores.
Section device_functions() {
  const std::pair<const char*, std::vector<const char*>> kAreas[] = {
      {"Warps and barriers", {"device_warp.h"}},
      {"Atomics", {"device_atomics.h"}},
      {"nvcc's own atomics", {"device_nv_atomics.h"}},
      {"Integers", {"device_integers.h"}},
      {"Mathematics", {"device_math.h"}},
      {"Conversions", {"device_conversions.h"}},
      {"Several numbers in a word (SIMD)", {"device_simd.h"}},
      {"Loads, stores and address spaces", {"device_memory.h", "device_copies.h", "device_misc.h"}},
      {"Numbers of 16 bits",
       {"sixteen_bits_functions.inc", "half_conversions.h", "bfloat16_conversions.h"}},
  };
  const tools::Pattern declared(R"(\n[A-Za-z_][A-Za-z0-9_:<>&*, ]* [&*]?([A-Za-z_]\w*)\()");
  const tools::Pattern public_name(
      "__\\w+|atomic[A-Z]\\w*|[a-z0-9]+|cyl_bessel_\\w+|h2?\\w+_approx");
  Section section{"Device functions",
                  "emulator/include/emulator/device_math.h",
                  {},
                  " and the headers beside it"};
  for (const auto& [title, files] : kAreas) {
    Names names;
    for (const char* file : files)
      for (const std::string& name : names_in(headers() / "emulator" / file, declared))
        if (public_name.matches(name)) names.insert(name);
    section.areas.push_back(area(title, names));
  }
  return section;
}

/// Returns the supported PTX in inline assembly, without types and other modifiers.
Section ptx() {
  Names opcodes;
  for (const emulator_nvcc::PtxInstruction& one : emulator_nvcc::kPtxInstructions)
    opcodes.insert(std::string(one.opcode));
  Area all{"Instructions", {opcodes.begin(), opcodes.end()}, {}, {}};
  for (const std::string& opcode : all.supported)
    if (tested_text().find(opcode) == std::string::npos) all.untested.push_back(opcode);
  return {"PTX in inline assembly", "emulator/rewriter/ptx_instructions.hpp", {all}, {}};
}

/// Returns the calls of cuBLAS: the text before the equals sign of lines without indent.
Names calls_of_cublas() {
  const tools::Pattern word(R"([A-Z]\w+)");
  Names names;
  for (const std::string& line :
       tools::read_lines(tools::source_folder() / "emulator/cublas/calls.txt")) {
    if (line.empty() || line[0] == '#' || line[0] == ' ') continue;
    const std::string calls = line.substr(0, line.find('='));
    for (const tools::Match& match : word.all(calls)) names.insert("cublas" + match.str());
  }
  return names;
}

/// The calls in a library's headers that match.
Names calls_in(const std::string& folder, const std::string& pattern) {
  const tools::Pattern call(pattern);
  Names names;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(tools::source_folder() / folder))
    if (entry.is_regular_file()) names.merge(names_in(entry.path(), call));
  return names;
}

Section libraries() {
  Section section{"Libraries", "emulator/unsupported/features.txt", {}, {}};
  section.areas.push_back(area("cuBLAS", calls_of_cublas()));
  section.areas.push_back(area("cuFFT",
                               calls_in("emulator/cufft/include", R"(\b(cufft[A-Z]\w*)\s*\()"),
                               refused_names(tools::Pattern("cufft[A-Z]\\w*"))));
  section.areas.push_back(area("cuRAND",
                               calls_in("emulator/curand/include", R"(\b(curand[A-Z_]\w*)\s*\()"),
                               refused_names(tools::Pattern("curand(?:[A-Z_]\\w*)?"))));
  section.areas.push_back(
      area("cuSPARSE", calls_in("emulator/cusparse/include", R"(\b(cusparse[A-Z]\w*)\s*\()"),
           refused_names(tools::Pattern("cusparse[A-Z]\\w*"))));
  section.areas.push_back(
      area("cuSOLVER", calls_in("emulator/cusolver/include", R"(\b(cusolver[A-Z]\w*)\s*\()"),
           refused_names(tools::Pattern("cusolver[A-Z]\\w*"))));
  section.areas.push_back(
      area("NVRTC", calls_in("emulator/nvrtc/include", R"(\b(nvrtc[A-Z]\w*)\s*\()")));
  Names missing;
  for (const emu::UnsupportedSign& one : emu::unsupported_signs())
    if (one.sign == emu::Sign::of_library || one.sign == emu::Sign::of_header)
      missing.insert(std::string(one.feature));
  section.areas.push_back(area("Others", {}, missing));
  return section;
}

/// Returns features that are supported except for some values, which only the code knows.
Section partly() {
  std::map<std::string, Names> by_feature;
  for (const emu::UnsupportedSign& one : emu::unsupported_signs())
    if (one.sign == emu::Sign::of_code)
      by_feature[std::string(one.feature)].insert(std::string(one.name));
  Section section{"Refused when the program runs", "emulator/unsupported/features.txt", {}, {}};
  for (const auto& [feature, names] : by_feature)
    section.areas.push_back({feature, {}, {}, {names.begin(), names.end()}});
  return section;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const char* const quote = name.find(' ') == std::string::npos ? "`" : "";  // words are not code
    text += (text.empty() ? "" : ", ") + (quote + name) + quote;
  }
  return text;
}

/// Wraps Markdown at 100 characters.
std::string wrapped(const std::string& text, const std::string& indent = "") {
  constexpr std::size_t kMost = 100;
  std::string lines, line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (line.size() > indent.size() && line.size() + 1 + word.size() > kMost) {
      lines += line + '\n';
      line = indent;
    }
    line += (line.empty() || line == indent ? "" : " ") + word;
    begin = end + 1;
  }
  return lines + line + '\n';
}

/// Returns features that are only refused, as a list.
std::string bullets(const Section& one) {
  std::string text;
  for (const Area& area : one.areas)
    text += wrapped("- " + area.title + ": " + list_of(area.refused), "  ");
  return text + '\n';
}

std::string details(const Area& one) {
  std::string text = fmt::format("<details>\n<summary>{}</summary>\n\n", one.title);
  if (!one.supported.empty()) text += wrapped("Supported: " + list_of(one.supported)) + '\n';
  if (!one.untested.empty()) text += wrapped("Not in a test: " + list_of(one.untested)) + '\n';
  if (!one.refused.empty()) text += wrapped("Refused: " + list_of(one.refused)) + '\n';
  return text + "</details>\n\n";
}

std::string section_text(const Section& one) {
  std::string text = fmt::format("## {}\n\nFrom `{}`{}.\n\n", one.title, one.source, one.beside);
  const auto has_any = [](const Area& area) { return !area.supported.empty(); };
  if (std::ranges::none_of(one.areas, has_any)) return text + bullets(one);
  text += "<!--worked-->\n| | supported | in a test | refused |\n|---|---|---|---|\n";
  for (const Area& area : one.areas)
    text += fmt::format("| {} | {} | {} | {} |\n", area.title, area.supported.size(),
                        area.supported.size() - area.untested.size(), area.refused.size());
  text += '\n';
  for (const Area& area : one.areas) text += details(area);
  return text;
}

}  // namespace

std::vector<Section> sections() {
  return {api("The runtime API", "cuda",
              {"cuda_runtime_api.h", "cuda_runtime.h", "driver_functions.h", "cuda_profiler_api.h",
               "emulator/unsupported_api.h"}),
          api("The driver API", "cu", {"cuda.h"}),
          device_functions(),
          ptx(),
          libraries(),
          partly()};
}

std::string page(const std::vector<Section>& all) {
  std::string text =
      "# What of CUDA the emulator has\n\n"
      "*Written by `build/emulator/bin/update_conformance`, from the emulator's own headers and "
      "tables.*\n\n" +
      wrapped(
          "A name that is *supported* does what it does on a device; [the emulator's "
          "manual](../emulator/README.md) says where an answer may differ. A name that is "
          "*refused* "
          "stops the build with one line that names it. *In a test* means that a test or a "
          "chapter of this repository uses the name. What stands in no list does not exist here, "
          "and "
          "g++ says so.") +
      '\n';
  for (const Section& one : all) text += section_text(one);
  text.pop_back();
  return text;
}

}  // namespace conformance
