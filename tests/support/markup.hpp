/// Is this markup well formed? A page that is can be read by any XML parser.

#pragma once

#include <string>

namespace test_support {

/// What is wrong with `text`, in one line; empty if it is well formed: every element closed in
/// order, attributes quoted and each once, `<` and `&` only where they mean something, ids unique.
/// Knows the entities of XML, a doctype, comments; no processing instructions, no CDATA.
std::string markup_fault(const std::string& text);

}  // namespace test_support
