"""Web crawls: the files they are in, the pages they hold, their links and text."""
