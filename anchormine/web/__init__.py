"""Web crawls: the records of crawl files, the pages in them, and where their links lead."""
