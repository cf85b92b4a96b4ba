"""What it takes to read the wikitext of each language: names, words, and where a link ends."""

from anchormine.wiki.languages.facts import (
    LanguageFacts,
    language_facts,
    namespace_key,
    wikipedia_languages,
)

__all__ = ["LanguageFacts", "language_facts", "namespace_key", "wikipedia_languages"]
