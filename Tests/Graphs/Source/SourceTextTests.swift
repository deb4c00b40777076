import Glibc
import Testing

@testable import Graphs

@Suite struct SourceTextTests {
  private func diagnosticText(ofPath path: String) -> String {
    DiagnosticText.text(Checker(testCatalogue).check(path: path))
  }

  @Test func `a path that is no readable file is refused, with its name`() throws {
    var template = Array("/tmp/graphs-XXXXXX\0".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { _ = rmdir(folder) }
    #expect(
      diagnosticText(ofPath: folder).contains("\(folder): error: \"\(folder)\" is a folder, not a graph file")
    )
    #expect(
      diagnosticText(ofPath: "\(folder)/no.yaml")
        == "\(folder)/no.yaml: error: there is no file \"\(folder)/no.yaml\" [file-not-found]\n")
    #expect(
      diagnosticText(ofPath: "/dev/null").hasSuffix(
        "is a device or a pipe, not a graph file [file-not-regular]\n"))
    let pipe = "\(folder)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(diagnosticText(ofPath: pipe).hasSuffix("[file-not-regular]\n"))
    unlink(pipe)
    let large = "\(folder)/large.yaml"
    let file = open(large, O_CREAT | O_WRONLY, 0o600)
    #expect(ftruncate(file, 100 << 20) == 0)
    close(file)
    #expect(
      diagnosticText(ofPath: large).hasSuffix(
        "is larger than 4 MB, the limit of a graph file [file-too-large]\n"))
    for (most, limit) in [(2 << 20, "2 MB"), (1000, "1000 bytes")] {
      guard case .failure(let fault) = SourceText.read(path: large, as: "a list", most: most) else {
        Issue.record("a file above \(limit) is read")
        continue
      }
      #expect(fault.message == "the file \"\(large)\" is larger than \(limit), the limit of a list")
    }
    unlink(large)
  }

  @Test func `the folder and the title come from the path`() {
    #expect(SourceText(path: "a/b/song.yaml", text: "").folder == "a/b")
    #expect(SourceText(path: "song.yaml", text: "").folder == ".")
    #expect(SourceText(path: "/song.yaml", text: "").folder == "/")
    #expect(SourceText(path: "a/b.c/song.x.yaml", text: "").title == "song.x")
    #expect(SourceText(path: ".hidden", text: "").title == ".hidden")
  }

  @Test func `a byte that is not UTF-8 is reported at its place`() {
    let bytes = Array("visgraph: 1\nname: \"é日".utf8) + [0xFF, 0x22]
    let text = DiagnosticText.text(Checker(testCatalogue).check(bytes: bytes))
    #expect(
      text == """
        graph.yaml:2:10: error: the byte 0xFF is not UTF-8 here [file-not-utf8]
           2 | name: "é日�"
             |           ^
             = save the file as UTF-8

        """)
  }
}
