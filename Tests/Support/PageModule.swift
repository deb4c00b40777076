import Foundation

/// The result of the WebAssembly module of the pages for a stream of messages. The module is the one in
/// Sources/CPages/pages.
public struct PageModule: Decodable, Sendable {
  /// The JavaScript engines that run the module: those of Chromium, Safari and Firefox.
  public enum Engine: CaseIterable, Sendable {
    case v8, javaScriptCore, spiderMonkey

    /// The command that runs the module with streams, and prints one line of JSON for each stream.
    fileprivate func command(_ files: [String]) -> [String] {
      let pages = projectFolder.appending(path: "Tests/Pages").path
      let node = ["node", "--experimental-default-type=module", "--no-warnings"]
      return switch self {
      case .v8: node + ["\(pages)/page-node.js"] + files
      case .javaScriptCore: ["jsc", "--module-file=\(pages)/page-jsc.js", "--"] + files
      case .spiderMonkey: alone.command(node + ["\(pages)/page-firefox.js"] + files)
      }
    }
  }

  /// Runs in a network namespace with the loopback alone, so that a browser reaches no server of its vendor at its
  /// start.
  private static let alone = Namespaces(network: true)
  /// Whether this machine allows such a namespace.
  public static let canBeAlone = alone.isPossible

  /// An engine printed fewer lines than there are streams.
  struct Silence: Error {
    let engine: Engine
    let lines: Int
  }

  /// The number of records for each outcome, by the outcome's number; 0 is accepted.
  public let outcomes: [String: Int]
  /// Fingerprints of all channels of all emitters, in hexadecimal digits.
  public let prints: [String]
  /// FNV-1a over the bytes of all sprites, in hexadecimal digits.
  public let sprites: String

  /// Passes messages to the module, as a page does.
  private static func take(_ messages: [[UInt8]], in engine: Engine) throws -> PageModule {
    try take([messages], in: engine)[0]
  }

  /// Passes the messages of several streams to the module, each stream in a page of its own.
  public static func take(_ streams: [[[UInt8]]], in engine: Engine) throws -> [PageModule] {
    let folder = try TemporaryFolder()
    var files = [folder.file("stage.wasm")]
    let packed = projectFolder.appending(path: "Sources/CPages/pages/stage.wasm.gz").path
    try output(of: ["gzip", "-dc", packed]).write(to: URL(filePath: files[0]))
    for (index, messages) in streams.enumerated() {
      var stream = Data()
      for message in messages {
        withUnsafeBytes(of: UInt32(message.count).littleEndian) { stream.append(contentsOf: $0) }
        stream.append(contentsOf: message)
      }
      files.append(folder.file("stream-\(index)"))
      try stream.write(to: URL(filePath: files[index + 1]))
    }
    let lines = try output(of: engine.command(files)).split(separator: UInt8(ascii: "\n"))
    // Errors of the command go to the stderr of the tests.
    guard lines.count == streams.count else { throw Silence(engine: engine, lines: lines.count) }
    return try lines.map { try JSONDecoder().decode(PageModule.self, from: $0) }
  }

  /// What `check` finds in the result of an engine, or why there is none; nil: nothing. JavaScriptCore has three runs:
  /// with version 2.50.6, on a busy machine, about one run in 2,000 traps ("call_indirect to a null table entry") or has
  /// other particles in one frame, also without its last compiler (`useOMGJIT`). A page then makes another module and
  /// requests states again. The module has no clock, no thread and no import, so a fault of its own is in every run.
  public static func fault(
    of messages: [[UInt8]], in engine: Engine, by check: (PageModule) -> String?
  ) -> String? {
    lastOf(engine == .javaScriptCore ? 3 : 1) {
      do { return check(try take(messages, in: engine)) } catch { return "\(error)" }
    }
  }

  /// The output of a command.
  private static func output(of words: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }

  /// The value that `sprites` has for these bytes.
  public static func hash(_ bytes: UnsafeRawBufferPointer) -> String {
    String(bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
  }
}
