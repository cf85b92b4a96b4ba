"""Text from the start of a dump, for learning how its language abbreviates."""

from collections.abc import Iterator

from anchormine.hypertext.page_limits import PageLimits
from anchormine.text.sentences import sentence_model
from anchormine.transforms.dump_plan import DumpPlan
from anchormine.transforms.dump_range import read_elements
from anchormine.wiki.dump_page import DumpPage, read_dump_page
from anchormine.wiki.page_reader import PageReader
from anchormine.wiki.revisions import PageXmlError, parse_page
from anchormine.wiki.site import Site

_PAGES = 2000


def sample_text(plan: DumpPlan, file: int, site: Site) -> Iterator[str]:
    """Yields the texts of the first articles of one file, as far as the plan's ranges go.

    A limit leaves ranges out, and so may teach a language's splitter less.

    Args:
        plan: of the dump.
        file: number of the file in the plan.
        site: its wiki.
    """
    reader = PageReader(PageLimits(characters=200_000, seconds=5.0))
    model = sentence_model(site.language)
    pages = 0
    try:
        for part in (part for part in plan.ranges if part.file == file):
            for element in read_elements(part._replace(max_pages=_PAGES), []):
                if pages == _PAGES:
                    return
                pages += 1
                try:
                    page = parse_page(element.xml)
                except PageXmlError:
                    continue
                read = read_dump_page(DumpPage(file, 0, pages, "", page, None, ""), site, model, reader)
                if read.content:
                    yield read.content.text
    finally:
        reader.close()
