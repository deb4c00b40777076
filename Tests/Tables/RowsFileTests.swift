import Foundation
import Tables
import TestSupport
import Testing

/// Rows that remain when the program that makes them has ended.
@Suite struct RowsFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("rows") }

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ identity: String = "a graph", restarts: Bool = false
  ) throws(RowsFile.Fault) -> RowsFile {
    try RowsFile(path, columns: TableTextTests.columns, identity: identity, restarts: restarts)
  }

  private static func key(_ name: String, _ version: String = "1") -> RowsFile.Key {
    RowsFile.Key(name: name, version: version)
  }

  /// Writes four rows, and a newer version of the last.
  private func fill() throws {
    let rows = try open()
    for (number, row) in TableTextTests.rows.enumerated() { try rows.add(row, of: Self.key("\(number)")) }
    try rows.add([.text("new"), .missing, .missing], of: Self.key("3", "2"))
  }

  @Test func `added rows are there when the file is opened again, the newest of each`() throws {
    try fill()
    let rows = try open()
    #expect(rows.count == 4)
    #expect(try rows.row(of: "0") == [.text("a.wav"), .integer(2), .number(-23)])
    #expect(try rows.row(of: "1") == TableTextTests.rows[1])
    #expect(try rows.row(of: "2") == [.text(""), .integer(-1), .missing])
    #expect(try rows.row(of: "3") == [.text("new"), .missing, .missing])
    #expect(try rows.row(of: "4") == nil)
    #expect(rows.has(Self.key("3", "2")) && !rows.has(Self.key("3")) && !rows.has(Self.key("4")))
  }

  @Test func `in a file cut at any byte all whole lines before the cut count, and rows added then are whole`()
    throws
  {
    try fill()
    let bytes = try Array(Data(contentsOf: URL(filePath: path)))
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    #expect(ends.count == 6)
    for cut in stride(from: 1, to: bytes.count, by: 3) {
      try Data(bytes[..<cut]).write(to: URL(filePath: path))
      let whole = ends.count { $0 <= cut }
      let rows = try open()
      #expect(rows.count == min(4, max(0, whole - 1)), "\(cut)")
      try rows.add([.text("more"), .integer(7), .missing], of: Self.key("more"))
    }
    let rows = try open()
    #expect(try rows.row(of: "more") == [.text("more"), .integer(7), .missing])
  }

  @Test func `a line changed on the disk counts as not written, and the lines after it count`() throws {
    try fill()
    var bytes = try Array(Data(contentsOf: URL(filePath: path)))
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    bytes[ends[1] - 3] ^= 1
    try Data(bytes).write(to: URL(filePath: path))
    let rows = try open()
    #expect(rows.count == 3)
    #expect(try rows.row(of: "0") == nil)
    #expect(try rows.row(of: "1") == TableTextTests.rows[1])
  }

  @Test func `a row that was written and cannot be read any more is a fault, not a missing row`() throws {
    try fill()
    let rows = try open()
    #expect(truncate(path, 0) == 0)
    #expect(throws: RowsFile.Fault.system("the row of 0 cannot be read any more")) { try rows.row(of: "0") }
    #expect(try rows.row(of: "4") == nil)
  }

  @Test func `rows of another measurement are refused, or removed on request`() throws {
    try fill()
    #expect(throws: RowsFile.Fault.other("rows of another graph")) { try open("another") }
    #expect(throws: RowsFile.Fault.other("rows of other columns")) {
      try RowsFile(path, columns: [TableColumn("path", .text)], identity: "a graph")
    }
    let another = try open("another", restarts: true)
    #expect(another.count == 0)
    try "hello\n".write(toFile: folder.file("text"), atomically: false, encoding: .utf8)
    #expect(throws: RowsFile.Fault.other("something else than rows")) {
      try RowsFile(folder.file("text"), columns: TableTextTests.columns, identity: "a graph")
    }
  }

  @Test
  func `a file counts how often a row was begun without an end, until the row is written or its key changes`()
    throws
  {
    let first = try open()
    _ = try first.noteAttempt(Self.key("c"))
    try first.withdrawAttempt(Self.key("c"))
    let before = try (0..<2).map { _ in try first.noteAttempt(Self.key("a")) }
    #expect(before == [0, 1])
    try first.add(TableTextTests.rows[0], of: Self.key("b"))
    _ = try first.noteAttempt(Self.key("b", "2"))
    try first.add(TableTextTests.rows[0], of: Self.key("b", "2"))
    withExtendedLifetime(first) {}
  }

  @Test func `the count is there when the file is opened again`() throws {
    do {
      let rows = try open()
      for name in ["a", "a", "a", "b"] { _ = try rows.noteAttempt(Self.key(name)) }
      try rows.add(TableTextTests.rows[0], of: Self.key("b"))
    }
    let rows = try open()
    let counts = [
      try rows.noteAttempt(Self.key("a")), try rows.noteAttempt(Self.key("a", "2")),
      try rows.noteAttempt(Self.key("b")),
    ]
    #expect(counts == [3, 0, 0] && rows.count == 1)
  }

  @Test func `a file of another program is not changed`() throws {
    for text in ["hello", "hello\nworld", "hello\n"] {
      let path = try folder.write(text, to: "theirs")
      #expect(throws: RowsFile.Fault.other("something else than rows")) {
        try RowsFile(path, columns: TableTextTests.columns, identity: "a graph")
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test func `rows of more than one piece of the file are read whole`() throws {
    // Lines of 1,009 bytes or so: their ends fall on no end of a piece of 1 MiB.
    let text = String(repeating: "x", count: 990)
    do {
      let rows = try open()
      for number in 0..<2500 {
        try rows.add([.text(text), .integer(Int64(number)), .missing], of: Self.key("\(number)"))
      }
    }
    let rows = try open()
    #expect(rows.count == 2500)
    for number in [0, 1030, 1031, 1032, 2060, 2061, 2062, 2499] {
      #expect(try rows.row(of: "\(number)") == [.text(text), .integer(Int64(number)), .missing])
    }
  }

  @Test func `a large file of another program is refused without being read to its end`() throws {
    let path = try folder.write("", to: "large")
    #expect(truncate(path, 15 << 30) == 0)
    #expect(throws: RowsFile.Fault.other("something else than rows")) {
      try RowsFile(path, columns: TableTextTests.columns, identity: "a graph")
    }
  }

  @Test func `only one program at a time has the file open`() throws {
    let rows = try open()
    #expect(throws: RowsFile.Fault.taken) { try open() }
    withExtendedLifetime(rows) {}
  }
}
