#include "tools/coursework/grade/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace coursework {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL has no SHA-256");
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += kDigits[digest[i] / 16];
    text += kDigits[digest[i] % 16];
  }
  return text;
}

std::string sha256_of_all(const std::vector<std::string>& texts) {
  std::string digests;
  for (const std::string& one : texts) digests += sha256(one);
  return sha256(digests);
}

}  // namespace coursework
