import Glibc
import System
import Testing
import TestSupport

@testable import Rendering

@Suite(.waiting) struct FFmpegProcessTests {
  private static let endless = ProcessWatchdog(path: nil, seconds: 5, isStopping: { false })

  @Test func `a process counts as stuck only if one watch sees it twice without CPU time`() throws {
    let pipe = try ChildPipe()
    defer { close(pipe.writing) }
    // It writes a word and then waits for its stdin to end, like a stuck ffmpeg.
    let encoder = try FFmpegProcess(
      ["sh", "-c", "echo no >&2; read word"], pictures: pipe.reading, sound: nil, watchdog: Self.endless)
    close(pipe.reading)
    let (first, second) = (encoder.watch(), encoder.watch())
    #expect(poll(within: 20) { first() })
    #expect(!second(), "it has not looked before")
    #expect(poll(within: 20) { second() })
    encoder.end()
    let end = encoder.wait()
    #expect(end.ending == .itself(.signal(SIGKILL)) && end.lines == ["no"])
  }

  @Test func `a child has no writing end of its own pipes: they end when ours are closed`() throws {
    let (pictures, sound) = (try ChildPipe(), try ChildPipe())
    let encoder = try FFmpegProcess(
      ["sh", "-c", "timeout 60 cat; echo $?; timeout 60 cat <&3; echo $?"], pictures: pictures.reading,
      sound: sound.reading, listensToResults: true, watchdog: Self.endless)
    for end in [pictures.reading, pictures.writing, sound.reading, sound.writing] { close(end) }
    #expect(encoder.wait().lines == ["0", "0"])
  }
}
