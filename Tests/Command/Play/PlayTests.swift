import Foundation
import Glibc
import TestSounds
import TestSupport
import Testing

/// `visgraph play` without a terminal.
@Suite(.blocking) struct PlayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A WAV file of a quiet tone.
  private func sound(_ name: String, seconds: Double = 0.3, channels: Int = 1) throws {
    let count = Int(seconds * 48_000)
    let all = (1...channels).map { channel in
      Sounds.sine(0.05 * Double(channel), level: 0.1, count: count)
    }
    try folder.write(Wave.bytes(all), to: name)
  }

  @Test func `files, folders and lists are played in order, and then the program ends`() throws {
    try sound("10 b.wav")
    try sound("2 a.wav", channels: 2)
    let list = try folder.write(
      "#EXTM3U\n#EXTINF:1,Named\n2 a.wav\ngone.wav\nhttp://example.org/x.mp3\n", to: "l.m3u")
    let ending = try Visgraph.run("play", folder.path, list, "--host", "clock", "--control", "off")
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(ending.results == "")
    let notes = ending.notes
    #expect(notes.contains("\(list):4: there is no file or folder '\(folder.path)/gone.wav': check the list"))
    #expect(notes.contains("\(list):5: 'http://example.org/x.mp3' lies in a network"))
    let reported = notes.split(separator: "\n").filter {
      $0.contains(" plays ") || $0.contains("all has been")
    }
    #expect(
      reported == [
        "visgraph: plays 1 of 3: 2 a, 0:00 (\(folder.path)/2 a.wav)",
        "visgraph: plays 2 of 3: 10 b, 0:00 (\(folder.path)/10 b.wav)",
        "visgraph: plays 3 of 3: Named, 0:00 (\(folder.path)/2 a.wav)", "visgraph: all has been played",
      ], "\(notes)")
  }

  @Test func `a file that cannot be played is named, and the others are played`() throws {
    try sound("a.wav")
    let bad = try folder.write("no sound", to: "bad.wav")
    let ending = try Visgraph.run("play", bad, folder.file("a.wav"), "--host", "clock", "--control", "off")
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(ending.notes.contains("'\(bad)' is not an audio file that can be decoded"))
    #expect(ending.notes.contains("a, 0:00 (\(folder.path)/a.wav)"))
  }

  @Test func `a name on the command line that is not UTF-8 leads to its file, and is shown escaped`() throws {
    try sound("a.wav")
    let name = #"$(printf 'caf\351.wav')"#
    let child = try Child([
      "sh", "-c",
      #"cd "$1" && mv a.wav "\#(name)" && exec "$2" play "\#(name)" "$(printf 'ni\351.wav')" --host clock --control off"#,
      "sh", folder.path, Visgraph.path,
    ])
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(child.notes.contains(#"plays caf\xE9, 0:00 (caf\xE9.wav)"#), "\(child.notes)")
    #expect(
      child.notes.contains(#"there is no file or folder 'ni\xE9.wav': check the spelling"#), "\(child.notes)")
  }

  @Test func `a list without a playable file ends with 2 and the reason`() throws {
    let bad = try folder.write("no sound", to: "bad.wav")
    let none = try Visgraph.run("play", folder.file("gone.flac"), "--host", "clock")
    #expect(none.code == 2)
    #expect(
      none.notes == """
        visgraph: there is no file or folder '\(folder.path)/gone.flac': check the spelling
        visgraph: there is nothing to play

        """)
    let broken = try Visgraph.run("play", bad, "--host", "clock", "--control", "off")
    #expect(broken.code == 2)
    #expect(broken.notes.contains("'\(bad)' is not an audio file that can be decoded"))
    try FileManager.default.removeItem(atPath: bad)
    let empty = try Visgraph.run("play", folder.path)
    #expect(empty.code == 2)
    #expect(empty.notes.contains("'\(folder.path)' has no audio files: name a folder with music in it"))
  }

  @Test func `wrong usage ends with 64 and says what is allowed`() throws {
    let wrong: [([String], String)] = [
      ([], "name audio files, folders or playlists; without a terminal none can be chosen"),
      (["a.wav", "--rate", "3"], "--rate takes 0.5…2"), (["a.wav", "--rate", "nan"], "--rate takes 0.5…2"),
      (["a.wav", "--volume", "-1"], "'--volume"), (["a.wav", "--volume", "1.1"], "--volume takes 0…1"),
      (["a.wav", "--pan", "-2"], "--pan takes -1…1"),
      (["a.wav", "--loop", "often"], "--loop takes 0…1000000 or forever"),
      (["a.wav", "--start", "1:99"], "--start takes a time, less than 100000000 s: 83, 1:23, 3s, 250ms"),
      (["a.wav", "--from", "2", "--to", "1"], "--from takes a time before that of --to"),
      (["a.wav", "--from", "3000h"], "--from takes 0…10000000"),
      (["a.wav", "--from", "10", "--to", "3000h"], "--to takes 0…10000000"),
      (["a.wav", "--repeat", "two"], "The value 'two' is invalid for '--repeat <repeat>'"),
      (["a.wav", "--for", "0"], "--for takes a time above 0"), (["a.wav", "--seed", "-1"], "seed"),
      (["a.wav", "--control", "x"], "The value 'x' is invalid for '--control"),
    ]
    for (words, message) in wrong {
      let ending = try Visgraph.run(["play"] + words)
      #expect(ending.code == 64, "\(words): \(ending.notes)")
      #expect(ending.notes.contains(message), "\(words): \(ending.notes)")
    }
  }

  @Test func `a list or a sound at standard input is played`() throws {
    try sound("a b.wav", seconds: 0.2)
    try sound("c.wav", seconds: 0.2)
    let flags = "--host clock --control off"
    for (command, said) in [
      ("printf '# mine\\na b.wav\\n\\nc.wav\\n' | V play - ", ["plays 1 of 2: a b", "plays 2 of 2: c"]),
      ("ls *.wav | V play -", ["plays 1 of 2: a b", "plays 2 of 2: c"]),
      ("printf '#EXTM3U\\n#EXTINF:1,My Song\\nc.wav\\n' | V play -", ["plays My Song"]),
      ("printf '[playlist]\\nFile1=c.wav\\nTitle1=Mine\\n' | V play -", ["plays Mine"]),
      ("cat c.wav | V play -", ["plays standard input, 0:00 "]),
      ("V play - <c.wav", ["plays standard input, 0:00 "]),
      ("printf 'c.wav\\n' | V play 'a b.wav' -", ["plays 1 of 2: a b", "plays 2 of 2: c"]),
      ("printf 'gone.wav\\nc.wav\\n' | V play -", ["standard input:1: there is no file", "plays c"]),
    ] {
      let line = command.replacing("V play", with: "'\(Visgraph.path)' play \(flags)")
      let child = try Child(["sh", "-c", "cd '\(folder.path)' && \(line)"])
      #expect(child.exitCode() == 0, "\(command): \(child.notes) \(child.threads)")
      for part in said { #expect(child.notes.contains(part), "\(command): \(child.notes)") }
      #expect(child.notes.contains("all has been played"), "\(command): \(child.notes)")
    }
    let nothing = try Child(["sh", "-c", "'\(Visgraph.path)' play - </dev/null"])
    #expect(nothing.exitCode() == 2)
    #expect(nothing.notes.hasPrefix("visgraph: 'standard input' has no audio files"), "\(nothing.notes)")
    let noise = try Child(["sh", "-c", "head -c 100000 /dev/zero | '\(Visgraph.path)' play - \(flags)"])
    #expect(noise.exitCode() == 2, "\(noise.notes)")
  }

  @Test func `playing starts at the stated place, with the stated settings`() throws {
    try sound("a.wav", seconds: 60)
    let late = try Visgraph.run(
      "play", folder.file("a.wav"), "--host", "clock", "--control", "off", "--start", "0:59.8", "--volume",
      "0.5",
      "--pan", "-0.5", "--rate", "1.5", "--varispeed")
    #expect(late.code == 0, "\(late.notes)")
    #expect(late.notes.contains("all has been played"))
    let held = try Visgraph.run(
      "play", folder.file("a.wav"), "--host", "clock", "--control", "off", "--paused", "--for", "0.5")
    #expect(held.code == 0)
    #expect(held.notes.contains("holds a, 1:00 ("))
    let quiet = try Visgraph.run("play", folder.file("a.wav"), "--host", "clock", "-q", "--for", "0.2")
    #expect(quiet.code == 0)
    #expect(quiet.notes == "")
  }

  @Test func `a decoder prints nothing about a broken file`() throws {
    try sound("a.wav", seconds: 3)
    let words = folder.file("words.wav")
    let converted = try Child(
      ["ffmpeg", "-v", "error", "-y", "-i", folder.file("a.wav"), "-c:a", "pcm_s16le", words])
    #expect(converted.exitCode() == 0, "\(converted.notes)")
    let coded = try Child(["lame", "--quiet", "-b", "128", words, folder.file("whole.mp3")])
    #expect(coded.exitCode() == 0, "\(coded.notes)")
    // libmpg123 has three warnings, two notes and an error for this.
    let whole = bytes(of: folder.file("whole.mp3"))
    let middle = whole.count / 2
    let broken = whole.prefix(middle) + [UInt8](repeating: 0, count: 80_000) + whole.dropFirst(middle)
    try Data(broken).write(to: URL(filePath: folder.file("broken.mp3")))
    let ending = try Visgraph.run(
      "play", folder.file("broken.mp3"), "--host", "clock", "--control", "off")
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(ending.notes.split(separator: "\n").allSatisfy { $0.hasPrefix("visgraph: ") }, "\(ending.notes)")
    #expect(ending.notes.contains("all has been played"), "\(ending.notes)")
  }

  @Test func `a repeated list and a loop go on until a command ends them`() throws {
    try sound("a.wav", seconds: 0.1)
    try sound("b.wav", seconds: 0.1)
    for words in [
      ["--repeat", "all"], ["--repeat", "one"], ["--loop", "forever"], ["--shuffle", "--repeat", "all"],
    ] {
      let run = try SteppedRun(
        command: ["play", folder.path, "--host", "clock", "--control", "off"] + words)
      // Ten seconds, a hundred times as long as a sound.
      try run.frames(600)
      #expect(run.says("plays ") && run.exitCode == nil, "\(words): \(run.notes)")
      #expect(run.end() == 0, "\(words): \(run.notes)")
    }
  }

  @Test func `a library larger than a graph is played all the same`() throws {
    try sound("x.wav", seconds: 0.05)
    for index in 1...10_050 {
      symlink("x.wav", folder.file("\(index).wav"))
    }
    let child = try Visgraph.start("play", folder.path, "--host", "clock", "--control", "off")
    #expect(child.says("of 10051: "), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }
}
