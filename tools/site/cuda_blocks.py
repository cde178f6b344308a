"""Pieces of CUDA C++ for Pygments: `pygmentize -x -l cuda_blocks.py:CudaBlocks`.

Pygments knows CUDA's words, but takes the rest for C. Form feeds stand between the pieces.
"""

from pygments.lexers import CppLexer, CudaLexer
from pygments.token import Error, Keyword, Name, Operator, Punctuation, Text, Whitespace

KINDS = [
    (CudaLexer.function_qualifiers | CudaLexer.variable_qualifiers
     | {'__grid_constant__', '__launch_bounds__'}, Keyword),
    (CudaLexer.vector_types, Keyword.Type),
    ({'if', 'else', 'for', 'while', 'do', 'switch', 'case', 'default', 'break', 'continue',
      'return'}, Keyword.Pseudo),
    (CudaLexer.variables, Name.Builtin),
]
PLAIN = (Error, Operator, Punctuation, Whitespace)  # no colour of their own
BETWEEN = '\f'


class CudaBlocks(CppLexer):
    """Each piece begins afresh, whatever the one before it has left open."""

    def get_tokens_unprocessed(self, text, stack=('root',)):
        at = 0
        for number, piece in enumerate(text.split(BETWEEN)):
            if number > 0:
                yield at - 1, Text, BETWEEN
            for index, token, value in CppLexer.get_tokens_unprocessed(self, piece, stack):
                kinds = [kind for words, kind in KINDS if value in words]
                token = kinds[0] if kinds else Text if token in PLAIN else token
                yield at + index, token, value
            at += len(piece) + 1
