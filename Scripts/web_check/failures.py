"""What was found to be wrong."""


class Failures(list):
    def expect(self, holds, words):
        """Notes what is wrong where something does not hold, and goes on; returns whether it holds."""
        if not holds:
            self.append(words)
            print("  ✘", words, flush=True)
        return bool(holds)
