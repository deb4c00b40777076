import Glibc
import TestSounds
import TestSupport
import Testing

@testable import visgraph

/// Who could play it is found out by asking, not by looking for files.
@Suite(.blocking) struct SoundServersTests {
  @Test func `a server is found by its answer, not by the files that it left`() throws {
    let folder = try TemporaryFolder()
    let variables = ["XDG_RUNTIME_DIR": folder.path, "PATH": folder.path]
    #expect(SoundServers.found(variables) == SoundServers())
    #expect(SoundServers.found(["PATH": folder.path]) == SoundServers())
    mkdir(folder.file("pulse"), 0o700)
    let (pipeWire, pulse) = (
      try Self.listen(folder.file("pipewire-0")), try Self.listen(folder.file("pulse/native"))
    )
    _ = try folder.write("", to: "pw-jack")
    chmod(folder.file("pw-jack"), 0o755)
    #expect(
      SoundServers.found(variables)
        == SoundServers(hasPipeWire: true, hasPulseAudio: true, hasPwJack: true))
    close(pipeWire)
    #expect(SoundServers.found(variables) == SoundServers(hasPulseAudio: true, hasPwJack: true))
    close(pulse)
  }

  @Test(arguments: ["run", "play"])
  func `a run that nothing listens to says so once, and what to do`(command: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Wave.bytes(Sounds.lively(seconds: 1)), to: "song.wav")
    let graph = try folder.write(
      "visgraph: 1\nnodes: { song: { type: file-source, path: song.wav }, out: { type: jack-output } }\nwires: [song -> out]\n",
      to: "graph.yaml")
    let pipeWire = try Self.listen(folder.file("pipewire-0"))
    defer { close(pipeWire) }
    let ending = try Visgraph.runProgram(
      command, command == "run" ? graph : folder.file("song.wav"), "--server", "nobody-\(getpid())", "--for",
      "3",
      variables: ["XDG_RUNTIME_DIR": folder.path])
    #expect(ending.code == 0, "\(ending.notes)")
    let lines = ending.notes.split(separator: "\n").filter { $0.contains("it is not heard") }
    #expect(lines.count == 1, "\(ending.notes)")
    #expect(
      lines.first?.contains(
        "out: it is not heard: no JACK server answers; PipeWire runs: quit and start it as `pw-jack visgraph "
          + "\(command) …`"
      )
        == true, "\(ending.notes)")
  }

  /// A socket at a path, where a server answers.
  private static func listen(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let isThere = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isThere, Glibc.listen(descriptor, 4) == 0 else { throw Child.Failure(description: "no socket") }
    return descriptor
  }
}
