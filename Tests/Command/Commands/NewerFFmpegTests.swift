import TestSupport
import Testing

/// Versions of FFmpeg that the program finds and cannot use.
@Suite(.blocking) struct NewerFFmpegTests {
  /// Libraries without a function, in place of those of all known versions.
  private func libraries(_ more: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let code = try folder.write("", to: "empty.c")
    for name in (57...61).map({ "libavutil.so.\($0)" }) + more {
      let compiler = try Child(["clang", "-shared", "-fPIC", "-nostdlib", "-o", folder.file(name), code])
      try #require(compiler.exitCode() == 0, "\(compiler.notes)")
    }
    return folder
  }

  private func reason(_ folder: TemporaryFolder) throws -> String {
    let sound = try folder.write(
      "\0\0\0\u{18}ftypM4A \0\0\0\0M4A mp42" + String(repeating: "\0", count: 4000), to: "a.m4a")
    let graph = try folder.write(
      "visgraph: 1\nnodes: { a: { type: file-source, path: \(sound) }, m: { type: meter } }\nwires: [a -> m]\n",
      to: "graph.yaml")
    return try Visgraph.runProgram("check", graph, variables: ["LD_LIBRARY_PATH": folder.file("")]).notes
  }

  @Test func `a newer libavutil alone is no newer FFmpeg`() throws {
    let notes = try reason(try libraries("libavutil.so.62"))
    #expect(notes.contains("needs a decoder that is not there"), "\(notes)")
    #expect(!notes.contains("is newer than what is known"), "\(notes)")
  }

  @Test func `a newer libavformat is named`() throws {
    let notes = try reason(try libraries("libavformat.so.64"))
    #expect(notes.contains("libavformat.so.64 is newer than what is known, 59 to 63"), "\(notes)")
  }
}
