#include "engine/report/profile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "engine/report/profile_printer.hpp"
#include "engine/report/report_formats.hpp"
#include "support/markup.hpp"
#include "tools/support/subprocess.hpp"

using namespace emu;

namespace {

Counters loads(std::uint64_t requests, std::uint64_t sectors, std::uint64_t ideal,
               std::uint64_t lanes = 32) {
  Counters counters;
  counters.global_load = {requests, sectors, requests, 32 * ideal};
  counters.sectors_ideal.global_load = ideal;
  counters.warp_instructions = requests;
  counters.lane_instructions = lanes * requests;
  return counters;
}

Counters shared_stores(std::uint64_t requests, std::uint64_t wavefronts, std::uint64_t ideal) {
  Counters counters;
  counters.shared_store = {requests, wavefronts, ideal};
  counters.warp_instructions = requests;
  counters.lane_instructions = 32 * requests;
  return counters;
}

LineProfile line_of(int number, std::vector<InstructionProfile> instructions,
                    std::string text = "  y = in[i];") {
  LineProfile line;
  line.number = number;
  line.text = std::move(text);
  line.instructions = std::move(instructions);
  for (const InstructionProfile& one : line.instructions) line.counters += one.counters;
  return line;
}

KernelProfile kernel_of(std::vector<LineProfile> lines) {
  KernelProfile kernel;
  kernel.kernel = "copy<float>";
  kernel.signature = "void copy<float>(int, float const*)";
  kernel.launches = 1;
  for (const LineProfile& line : lines) kernel.counters += line.counters;
  kernel.sources.push_back({"/somewhere/a & b.cu", true, std::move(lines)});
  kernel.worst = worst_lines(kernel);
  return kernel;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string printed(std::string_view format, const std::vector<KernelProfile>& kernels) {
  const auto formats = profile_formats();
  return std::ranges::find(formats, format, &ReportFormat<ProfilePrinter>::name)
      ->make()
      ->print(kernels);
}

}  // namespace

TEST_CASE("the line that wastes most sectors, and the access in it that does") {
  const KernelProfile kernel = kernel_of(
      {line_of(3, {{9, "in[i]", loads(100, 500, 400)}}),
       line_of(4, {{9, "A[row * k]", loads(100, 3200, 400)}, {30, "B[p]", loads(100, 100, 100)}}),
       line_of(5, {{9, "in[2 * i]", loads(200, 1600, 800)}})});
  REQUIRE(kernel.worst.size() == 1);
  CHECK(kernel.worst[0].waste == Waste::sectors);
  CHECK(kernel.worst[0].line == 4);
  CHECK(kernel.worst[0].reason == "global load A[row * k]: 32 sectors per request; 4 would do");
}

TEST_CASE("wavefronts are another unit than sectors: a line of their own") {
  const KernelProfile kernel = kernel_of({line_of(3, {{9, "in[i]", loads(100, 500, 400)}}),
                                          line_of(4, {{9, "", shared_stores(1000, 4500, 1000)}})});
  REQUIRE(kernel.worst.size() == 2);
  CHECK(kernel.worst[0].line == 3);
  CHECK(kernel.worst[1].waste == Waste::wavefronts);
  CHECK(kernel.worst[1].line == 4);
  CHECK(kernel.worst[1].reason == "shared store: 4.5 wavefronts per request; 1 would do");
}

TEST_CASE("nothing wasted, or hardly anything: no worst line") {
  CHECK(kernel_of({line_of(3, {{9, "in[i]", loads(1000, 4000, 4000)}})}).worst.empty());
  CHECK(kernel_of({line_of(3, {{9, "in[i]", loads(1000, 4039, 4000)}})}).worst.empty());
  CHECK(kernel_of({line_of(3, {{9, "in[i]", loads(1000, 4041, 4000)}})}).worst.size() == 1);
  CHECK(kernel_of({line_of(3, {})}).worst.empty());
}

TEST_CASE("idle lanes are marked where one line has most of what the kernel could use") {
  const auto one_lane = loads(100, 100, 100, 1);
  const KernelProfile alone = kernel_of({line_of(3, {{9, "in[p]", one_lane}})});
  REQUIRE(alone.worst.size() == 1);
  CHECK(alone.worst[0].waste == Waste::lanes);
  CHECK(alone.worst[0].reason == "global load in[p]: 1 of 32 lanes active");
  // One lane writes what all have computed: not marked.
  CHECK(kernel_of({line_of(3, {{9, "in[i]", loads(100, 400, 400)}}),
                   line_of(4, {{9, "sums[0]", one_lane}})})
            .worst.empty());
}

TEST_CASE("idle lanes are marked where both sides of a branch are half empty") {
  // Both sides use whole sectors: no bytes are wasted.
  const auto side = [](std::uint64_t lanes) { return loads(100, 200, 200, lanes); };
  const LineProfile all = line_of(5, {{9, "out[i]", loads(4, 16, 16)}});
  const KernelProfile kernel =
      kernel_of({line_of(3, {{9, "a[i]", side(16)}}), line_of(4, {{9, "b[i]", side(16)}}), all});
  REQUIRE(kernel.worst.size() == 1);
  CHECK(kernel.worst[0].waste == Waste::lanes);
  CHECK(kernel.worst[0].line == 3);
  CHECK(kernel.worst[0].reason == "global load a[i]: 16 of 32 lanes active");
  // More than half of the lanes, or a line that costs the kernel little.
  CHECK(kernel_of({line_of(3, {{9, "a[i]", side(17)}}), line_of(4, {{9, "b[i]", side(17)}}), all})
            .worst.empty());
  CHECK(kernel_of({line_of(3, {{9, "a[i]", side(16)}}),
                   line_of(4, {{9, "b[i]", loads(400, 1600, 1600)}})})
            .worst.empty());
}

TEST_CASE("the lanes are told beside another waste if some sit out") {
  const KernelProfile kernel =
      kernel_of({line_of(3, {{9, "in[2 * i]", loads(100, 400, 200, 16)}})});
  REQUIRE(kernel.worst.size() == 1);
  CHECK(kernel.worst[0].reason ==
        "global load in[2 * i]: 4 sectors per request; 2 would do (16 of 32 lanes active)");
}

TEST_CASE("constant memory costs an address or several, and one would do") {
  Counters counters;
  counters.warp_instructions = 5;
  counters.lane_instructions = 5 * 32;
  counters.constant_load = {.requests = 5, .addresses = 20};
  const std::vector<AccessRow> rows = access_rows(counters);
  REQUIRE(rows.size() == 1);
  CHECK(std::string(rows[0].access) == "constant load");
  CHECK(rows[0].requests == 5);
  CHECK(cost_per_request(rows[0]) == "4 addresses");
  CHECK(ideal_per_request(rows[0]) == "1");
  CHECK(rows[0].efficiency_pct == 25.0);
  const KernelProfile kernel = kernel_of({line_of(3, {{9, "table[which[i]]", counters}})});
  REQUIRE(kernel.worst.size() == 1);
  CHECK(kernel.worst[0].reason ==
        "constant load table[which[i]]: 4 addresses per request; 1 would do");

  counters.constant_load.addresses = 5;
  CHECK(cost_per_request(access_rows(counters)[0]) == "1 address");
  CHECK(kernel_of({line_of(3, {{9, "table[0]", counters}})}).worst.empty());
}

TEST_CASE("numbers are short") {
  CHECK(short_number(32.0) == "32");
  CHECK(short_number(2.5) == "2.5");
  CHECK(short_number(16.517) == "16.52");
  CHECK(short_number(100.0) == "100");
}

TEST_CASE("HTML is well formed whatever a source holds, and marks lines to link to") {
  const KernelProfile kernel = kernel_of({line_of(3, {}, "if (a < b && c > d) puts(\"&\");"),
                                          line_of(7, {{9, "in[a < b]", loads(100, 3200, 400)}})});
  const std::string page = printed("html", {kernel, kernel});
  CHECK(test_support::markup_fault(page) == "");
  CHECK(contains(page, "<code>if (a &lt; b &amp;&amp; c &gt; d) puts(&quot;&amp;&quot;);</code>"));
  CHECK(contains(page, "<section class=\"profile\" id=\"profile-copy-float\""));
  CHECK(contains(page, "<section class=\"profile\" id=\"profile-copy-float-2\""));  // an overload
  CHECK(contains(page, "<tr id=\"profile-copy-float-7\" class=\"profile-counted profile-worst\">"));
  CHECK(contains(page, "<a href=\"#profile-copy-float-7\">line 7</a>"));
  CHECK(contains(page, "<tr class=\"profile-gap\">"));
  CHECK(contains(page, "<caption>a &amp; b.cu</caption>"));
  CHECK(test_support::markup_fault(printed("html", {})) == "");
  // Each section is self-contained.
  const std::size_t begin = page.find("<section"), end = page.find("</section>") + 10;
  CHECK(test_support::markup_fault(page.substr(begin, end - begin)) == "");
}

TEST_CASE("text: source as it is, figures within 120 columns, one marked line") {
  const std::string long_name(80, 'x');
  const KernelProfile kernel =
      kernel_of({line_of(3, {{9, long_name, loads(123456789012, 123456789012 * 32, 123456789012)}}),
                 line_of(9, {}, "}")});
  const std::vector<std::string> lines = tools::lines_of(printed("text", {kernel}));
  CHECK(lines[0] == "void copy<float>(int, float const*): 1 launch");
  CHECK(std::count_if(lines.begin(), lines.end(),
                      [](const std::string& line) { return line.starts_with(">"); }) == 1);
  CHECK(std::count(lines.begin(), lines.end(), ">   3    y = in[i];") == 1);
  CHECK(std::count(lines.begin(), lines.end(), "   ...") == 1);
  CHECK(std::count(lines.begin(), lines.end(), "    9  }") == 1);
  for (const std::string& line : lines)
    if (line.starts_with("      |")) CHECK(line.size() <= 120);
  CHECK(printed("text", {}) == "no kernel was launched\n");
  CHECK(contains(printed("text", {kernel_of({line_of(3, {})})}), "no worst line"));
}
