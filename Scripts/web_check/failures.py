"""The failures that were found."""


class Failures(list):
    def expect(self, holds, words):
        """Records a failure if the condition is false, and continues. Returns the condition."""
        if not holds:
            self.append(words)
            print("  ✘", words, flush=True)
        return bool(holds)
