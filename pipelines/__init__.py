"""The programs: flags, and one chain of named steps each."""
