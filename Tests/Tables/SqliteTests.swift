import Tables
import TestSupport
import Testing

/// Databases, read by another program with SQLite.
@Suite(.blocking) struct SqliteTests {
  @Test func `Python reads every value, and a missing one as None`() throws {
    let program = """
      import sqlite3, sys
      base = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
      print(*[f"{column[1]}:{column[2]}" for column in base.execute("PRAGMA table_info(levels)")], sep="\\t")
      for row in base.execute("SELECT * FROM levels"):
        print(*[repr(value) for value in row], sep="\\t")
      """
    let rows = try PythonReader.rows(
      of: try TableTextTests.bytes(.sqlite, TableTextTests.rows), by: program)
    #expect(
      rows == [
        ["path:TEXT", "channels:INTEGER", "loudness_lufs:REAL"], ["'a.wav'", "2", "-23.0"],
        [#"'b, "c"\n.wav'"#, "None", "-0.125"], ["''", "-1", "None"], ["None", "None", "1e-07"],
      ])
  }

  @Test func `the same rows are the same bytes`() throws {
    let bytes = try TableTextTests.bytes(.sqlite, TableTextTests.rows)
    #expect(try TableTextTests.bytes(.sqlite, TableTextTests.rows) == bytes)
  }
}
