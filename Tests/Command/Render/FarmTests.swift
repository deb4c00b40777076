import Foundation
import TestSounds
import TestSupport
import Testing

/// tools/farm: a film by GNU parallel, whatever befalls its parts.
@Suite(.serialized, .blocking) struct FarmTests {
  private let folder: TemporaryFolder
  private let graph: String

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Wave.bytes(Sounds.lively(seconds: 1)), to: "song.wav")
    graph = try folder.write(FilmGraphs.flash(fps: "20", size: "96x54"), to: "graph.yaml")
  }

  private func farm(_ arguments: String...) throws -> Visgraph.Ending {
    let child = try Child([projectFolder.appending(path: "tools/farm").path, graph] + arguments)
    guard let code = child.exitCode(within: 60) else { throw Child.Failure(description: "the farm hangs") }
    return Visgraph.Ending(code: code, results: child.results, notes: child.notes)
  }

  private func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.file(name)) }

  @Test
  func `a film is complete after a part was killed and another failed twice, and no other file is left`()
    throws
  {
    // Part 1 is killed with one of its segments made; part 2 fails twice.
    let film = folder.file("film.mp4")
    let program = try folder.writeProgram(
      """
      #!/bin/sh
      case "$*" in
      *"--part 1/3")
        if mkdir "\(folder.path)/once" 2>/dev/null; then
          "\(Visgraph.path)" "$@" &
          until [ -e "\(film).parts/segment-00001.mp4" ]; do sleep 0.02; done
          kill -9 $!
          wait $!
          # An ffmpeg that was just started may make its file after the program has ended.
          while grep -aqs "\(film).parts/\\.segment-0000[12]-" /proc/[0-9]*/cmdline; do sleep 0.02; done
          # Where the part was made before, it counts as killed as well.
          exit 137
        fi
        ;;
      *"--part 2/3") mkdir "\(folder.path)/first" 2>/dev/null && exit 1; mkdir "\(folder.path)/second" 2>/dev/null && exit 1 ;;
      esac
      exec "\(Visgraph.path)" "$@"

      """, to: "program")
    let made = try farm("-o", film, "--parts", "3", "--segment", "0.5", "--for", "3", "--program", program)
    #expect(made.code == 0, "\(made.notes)")
    #expect(made.results.hasPrefix("wrote \(film): 6 segments, 60 pictures, 3 s\n3 parts in "))
    #expect(made.notes.contains("part 1/3: exit code 137; made then\n"), "\(made.notes)")
    #expect(made.notes.contains("part 2/3: exit code 1, exit code 1; made then\n"), "\(made.notes)")
    #expect(!isThere("film.mp4.parts") && !isThere("film.mp4.farm"))
    let whole = folder.file("whole.mp4")
    let one = try Visgraph.run(
      "render", graph, "-o", whole, "--part", "1/1", "--segment", "0.5", "--for", "3")
    #expect(one.code == 0, "\(one.notes)")
    #expect(try Visgraph.run("join", whole).code == 0)
    #expect(FileManager.default.contentsEqual(atPath: film, andPath: whole))
  }

  @Test func `a part that is never made is reported, and its log stays`() throws {
    let film = folder.file("film.mp4")
    let program = try folder.writeProgram("#!/bin/sh\necho no luck\nexit 1\n", to: "program")
    let made = try farm("-o", film, "--parts", "1", "--tries", "2", "--program", program)
    #expect(made.code == 1)
    #expect(
      made.notes.contains("part 1/1: exit code 1, exit code 1; not made: \(film).farm/part-1.log\n"),
      "\(made.notes)")
    #expect(made.notes.contains("0 of 1 parts are made; the same command makes the others"))
    let log = try String(contentsOfFile: film + ".farm/part-1.log", encoding: .utf8)
    #expect(log.components(separatedBy: "no luck\n").count == 3)
    #expect(!isThere("film.mp4"))
  }
}
