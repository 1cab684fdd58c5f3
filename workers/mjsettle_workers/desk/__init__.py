"""The settlement desk: pages for support (why these points?) and for rule authors (what does this hand bring?).

An optional part of the workers, with the packages of the extra ``desk``. It reads the result store and files, judges
with the installed rule sets, and changes nothing anywhere.
"""

from mjsettle_workers.desk.app import create_app
from mjsettle_workers.desk.sources import FileSource, Settlement, Source, StoreSource

__all__ = ["FileSource", "Settlement", "Source", "StoreSource", "create_app"]
