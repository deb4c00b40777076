import Tables
import TestSupport
import Testing

/// Parquet files, read by the reference implementation (pyarrow).
@Suite(.blocking) struct ParquetTests {
  /// The schema, the number of row groups, and each value with its row.
  static let program = """
    import sys
    import pyarrow.parquet
    file = pyarrow.parquet.ParquetFile(sys.argv[1])
    print(*[f"{field.name}:{field.type}" for field in file.schema_arrow], file.num_row_groups, file.metadata.num_rows, sep="\\t")
    for row in file.read().to_pylist():
      print(*[repr(value) for value in row.values()], sep="\\t")
    """

  @Test func `pyarrow reads every value, and a missing one as null`() throws {
    let bytes = try TableTextTests.bytes(.parquet, TableTextTests.rows)
    let rows = try PythonReader.rows(of: bytes, by: Self.program)
    #expect(
      rows == [
        ["path:string", "channels:int64", "loudness_lufs:double", "1", "4"], ["'a.wav'", "2", "-23.0"],
        [#"'b, "c"\n.wav'"#, "None", "-0.125"], ["''", "-1", "None"], ["None", "None", "1e-07"],
      ])
  }

  @Test func `a table without rows can be read`() throws {
    let rows = try PythonReader.rows(of: try TableTextTests.bytes(.parquet, []), by: Self.program)
    #expect(rows == [["path:string", "channels:int64", "loudness_lufs:double", "0", "0"]])
  }

  @Test func `more rows than a group holds are all there, in their order, with gaps in each column`()
    throws
  {
    let count = 40_000
    var rows: [[TableValue]] = []
    for row in 0..<count {
      let text = TableValue.text("ä\(row)")
      let integer = TableValue.integer(Int64(row) << 33)
      let number = TableValue.number(Double(row) / 3)
      rows.append([
        row % 7 == 0 ? .missing : text, row % 5 == 0 ? .missing : integer, row % 3 == 0 ? .missing : number,
      ])
    }
    let program = """
      import sys
      import pyarrow.parquet
      table = pyarrow.parquet.read_table(sys.argv[1]).to_pydict()
      n = \(count)
      assert table["path"] == [None if i % 7 == 0 else f"ä{i}" for i in range(n)]
      assert table["channels"] == [None if i % 5 == 0 else i << 33 for i in range(n)]
      assert table["loudness_lufs"] == [None if i % 3 == 0 else i / 3 for i in range(n)]
      print(pyarrow.parquet.ParquetFile(sys.argv[1]).num_row_groups)
      """
    #expect(try PythonReader.rows(of: try TableTextTests.bytes(.parquet, rows), by: program) == [["3"]])
  }

  @Test func `the header of a page has exactly these bytes in Thrift's compact protocol`() throws {
    let bytes = try TableTextTests.bytes(.parquet, [[.text("a"), .missing, .missing]])
    // DATA_PAGE, twice 11 bytes, 1 value, PLAIN, RLE, RLE; definition levels: 2 bytes, a run of 8, the first one set;
    // the text.
    let page: [UInt8] = [
      0x15, 0, 0x15, 22, 0x15, 22, 0x2C, 0x15, 2, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0, 2, 0, 0, 0, 3, 1, 1, 0, 0,
      0,
      0x61,
    ]
    #expect(Array(bytes[4..<(4 + page.count)]) == page)
    #expect(bytes.starts(with: Array("PAR1".utf8)) && bytes.suffix(4).elementsEqual("PAR1".utf8))
  }
}
