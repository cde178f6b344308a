#include "engine/report/profile_printer.hpp"

namespace emu {

std::string ProfilePrinter::print(const std::vector<KernelProfile>& kernels) {
  begin();
  for (const KernelProfile& kernel : kernels) {
    begin_kernel(kernel);
    for (std::size_t index = 0; index < kernel.sources.size(); ++index) {
      const SourceProfile& source = kernel.sources[index];
      begin_source(kernel, index);
      int before = 0;
      for (const LineProfile& one : source.lines) {
        if (before != 0 && one.number > before + 1) gap();
        before = one.number;
        std::vector<WorstLine> worst;
        for (const WorstLine& mark : kernel.worst)
          if (mark.source == index && mark.line == one.number) worst.push_back(mark);
        line(one, worst);
      }
      end_source();
    }
    end_kernel();
  }
  return end(kernels.size());
}

}  // namespace emu
