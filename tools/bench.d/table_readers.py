#!/usr/bin/env python3
"""Reads the tables of `visgraph measure` by the programs that they are for, and compares the results.

  python3 -m venv V && V/bin/pip install duckdb pandas pyarrow
  V/bin/python tools/bench.d/table_readers.py VISGRAPH FILES…

The tests of visgraph read Parquet by pyarrow and SQLite by Python's own module; this program adds DuckDB and pandas.
"""
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import duckdb
import pandas

program, *files = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
  tables = {name: str(pathlib.Path(folder, f"levels.{name}")) for name in ("parquet", "csv", "jsonl", "sqlite")}
  for table in tables.values():
    subprocess.run([program, "measure", *files, "-o", table], check=True)
  base = sqlite3.connect(tables["sqlite"])
  read = {
    "Parquet by pandas": pandas.read_parquet(tables["parquet"]),
    "Parquet by DuckDB": duckdb.sql(f"SELECT * FROM '{tables['parquet']}'").df(),
    "CSV by DuckDB": duckdb.sql(f"SELECT * FROM '{tables['csv']}'").df(),
    "JSON lines by DuckDB": duckdb.sql(f"SELECT * FROM read_json('{tables['jsonl']}')").df(),
    "SQLite by pandas": pandas.read_sql("SELECT * FROM levels", base),
  }
  first = read["Parquet by pandas"]
  for name, table in read.items():
    columns = [column for column in first if first[column].dtype.kind in "if"]
    same = list(table.columns) == list(first.columns) and list(table.path) == list(first.path)
    numbers = table[columns].astype(float).equals(first[columns].astype(float))
    print(f"{name}: {len(table)} rows, {'the same' if same and numbers else 'OTHER VALUES'}")
    if not (same and numbers):
      sys.exit(1)
