"""Re-judging recorded rounds to see what a change of rules would change.

`replay` reads rounds line by line, judges each as it was and as it would be, and tallies the differences; `report`
writes them as one HTML page. Memory does not grow with the number of rounds.
"""

from mjsettle.line_files import SourceError
from mjsettle.replay.compare import Change, Difference, Tally
from mjsettle.replay.report import html_report
from mjsettle.replay.run import Fanout, replay
from mjsettle.replay.sources import Recorded, Rounds

__all__ = ["Change", "Difference", "Fanout", "Recorded", "Rounds", "SourceError", "Tally", "html_report", "replay"]
