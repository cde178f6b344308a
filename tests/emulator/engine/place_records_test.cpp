#include "engine/program/place_records.hpp"

#include <doctest/doctest.h>

using namespace emu;

namespace {

const std::string kOne =
    "D /home/me\n"
    "H /opt/cuda/include\n"
    "F src/../a.cu\n"
    "R 3 9\n"
    "5:7 l in[i + 1]\n"
    "5:7 s out[i]\n"
    "6:2 a *p\n"
    "R 7 8\n"
    "F /opt/b.cuh\n"
    "R 1 2\n"
    "1:40 a x : y\n";
const std::string kTwo = "D /elsewhere\nH /usr/x/../include/\nF a.cu\nR 1 4\n5:7 a other\n";

}  // namespace

TEST_CASE("records are found by file, line, column and kind") {
  const PlaceRecords records(kOne + std::string(31, '\0') + kTwo + '\0');
  CHECK(records.expression("/home/me/a.cu", 5, 7, AccessKind::load) == "in[i + 1]");
  CHECK(records.expression("/home/me/a.cu", 5, 7, AccessKind::store) == "out[i]");
  CHECK(records.expression("/home/me/a.cu", 5, 7, AccessKind::atomic) == "out[i]");
  CHECK(records.expression("/home/you/../me/./a.cu", 6, 2, AccessKind::load) == "*p");
  CHECK(records.expression("/home/me/a.cu", 6, 2, AccessKind::store) == "*p");
  CHECK(records.expression("/opt/b.cuh", 1, 40, AccessKind::load) == "x : y");
  CHECK(records.expression("/elsewhere/a.cu", 5, 7, AccessKind::load) == "other");
  for (const auto& [line, column] : {std::pair{5, 8}, {6, 7}, {0, 0}, {99, 1}})
    CHECK(records.expression("/home/me/a.cu", line, column, AccessKind::load) == "");
  CHECK(records.expression("/a.cu", 5, 7, AccessKind::load) == "");
}

TEST_CASE("CUDA's headers are those below the folder that some object names") {
  const PlaceRecords records(kOne + '\0' + kTwo);
  CHECK(records.is_header("/opt/cuda/include/cuda_fp16.h"));
  CHECK(records.is_header("/opt/cuda/bin/../include/emulator/device.h"));
  CHECK(records.is_header("/usr/include/a.h"));
  CHECK_FALSE(records.is_header("/opt/cuda/include_mine/a.h"));
  CHECK_FALSE(records.is_header("/home/me/emulator/include/a.cuh"));
  const PlaceRecords unknown("D /x\nH \nF a.cu\n1:1 a p\n");
  CHECK_FALSE(unknown.is_header("/x/a.cu"));
  CHECK(unknown.is_header("/x/emulator/include/cuda_fp16.h"));
}

TEST_CASE("the smallest function around a line") {
  const PlaceRecords records(kOne + '\0' + kTwo);
  CHECK(records.function("/home/me/a.cu", 3) == LineRange{3, 9});
  CHECK(records.function("/home/me/a.cu", 9) == LineRange{3, 9});
  CHECK(records.function("/home/me/a.cu", 7) == LineRange{7, 8});  // a lambda inside
  CHECK(records.function("/home/me/a.cu", 10) == LineRange{10, 10});
  CHECK(records.function("/elsewhere/a.cu", 4) == LineRange{1, 4});
  CHECK(records.function("/unknown.cu", 4) == LineRange{4, 4});
}

TEST_CASE("what was compiled without records, or holds what is no record, has no expressions") {
  CHECK(PlaceRecords("").expression("/a.cu", 1, 1, AccessKind::load) == "");
  const PlaceRecords records("5:7 a early\nnonsense\nD /x\nF a.cu\n5 a no\n:: \n5:9 a \xff!\n");
  CHECK(records.expression("/x/a.cu", 5, 7, AccessKind::load) == "");
  // Made printable
  CHECK(records.expression("/x/a.cu", 5, 9, AccessKind::load) == "\xef\xbf\xbd!");
}
