/// @file
/// Regular expressions are compiled once, and not in each source that uses them: that takes 1.5 s.
///
/// CoursePrecompile.cmake precompiles this header, and makes the source with the definitions from
/// it. The parts have names of libstdc++'s own, which are these in g++ 11 to 15; with another
/// library, each source instantiates what it needs.
#pragma once

#include <regex>
#include <string>

#if defined(__GLIBCXX__) && __GNUC__ >= 11 && __GNUC__ <= 15
extern template class std::regex_traits<char>;
extern template class std::basic_regex<char>;
extern template class std::match_results<std::string::const_iterator>;
extern template class std::regex_iterator<std::string::const_iterator>;

namespace std::__detail {
extern template class _Scanner<char>;
extern template class _NFA<std::regex_traits<char>>;
extern template class _StateSeq<std::regex_traits<char>>;
extern template class _Compiler<std::regex_traits<char>>;
extern template class _BracketMatcher<std::regex_traits<char>, false, false>;
extern template class _BracketMatcher<std::regex_traits<char>, false, true>;
extern template class _BracketMatcher<std::regex_traits<char>, true, false>;
extern template class _BracketMatcher<std::regex_traits<char>, true, true>;

using Iterator = std::string::const_iterator;
using Allocator = std::allocator<std::ssub_match>;
using Traits = std::regex_traits<char>;
extern template bool _Executor<Iterator, Allocator, Traits, false>::_M_search();
extern template bool _Executor<Iterator, Allocator, Traits, true>::_M_search();
extern template void _Executor<Iterator, Allocator, Traits, false>::_M_dfs(_Match_mode, _StateIdT);
extern template void _Executor<Iterator, Allocator, Traits, true>::_M_dfs(_Match_mode, _StateIdT);
}  // namespace std::__detail
#endif
