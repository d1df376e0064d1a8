"""The text of a CUDA file as the operators see it: what is code, which function a place belongs to, where brackets end."""
# SPDX-License-Identifier: Apache-2.0
import bisect
import collections
import re

Function = collections.namedtuple("Function", "name line begin end is_kernel")  # offsets of its body

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
HEAD = re.compile(r"\b__(global|device)__\b[^;{}=]*?\b([A-Za-z_]\w*)\s*\(")
CLOSES = {"(": ")", "[": "]", "{": "}"}


class Source:
    """`code` is `text` with blanks for comments, strings and the preprocessor's lines, so that offsets are the same."""

    def __init__(self, text):
        self.text = text
        self.code = NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
        self.starts = [0] + [at + 1 for at, char in enumerate(text) if char == "\n"]
        self.functions = list(self._functions())

    def line_of(self, at):
        return bisect.bisect_right(self.starts, at)

    def line_text(self, line):
        return self.text[self.starts[line - 1]:].split("\n", 1)[0].strip()

    def closing(self, at):
        """The offset of the bracket that closes the one at `at`, or None."""
        opens, closes, depth = self.code[at], CLOSES[self.code[at]], 0
        for place in range(at, len(self.code)):
            depth += (self.code[place] == opens) - (self.code[place] == closes)
            if depth == 0:
                return place
        return None

    def function_at(self, at):
        return next((function for function in self.functions if function.begin <= at < function.end), None)

    def _functions(self):
        for head in HEAD.finditer(self.code):
            if head.group(2) == "__launch_bounds__":
                name = re.compile(r"\s*\([^)]*\)[^(;{]*?\b(\w+)\s*\(").match(self.code, head.end() - 1)
                head_end, called = (name.end(), name.group(1)) if name else (head.end(), head.group(2))
            else:
                head_end, called = head.end(), head.group(2)
            closes = self.closing(head_end - 1)
            body = closes and re.compile(r"[\s\w]*\{").match(self.code, closes + 1)
            end = body and self.closing(body.end() - 1)
            if end:
                yield Function(called, self.line_of(head_end), body.end(), end, head.group(1) == "global")
