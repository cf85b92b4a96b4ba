"""What a record is: the columns of every table of a dataset folder, as pyarrow schemas and frozen records."""
