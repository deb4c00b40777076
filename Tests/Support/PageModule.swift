import Foundation

/// The module that pages run, taken from where it is kept beside them, in Node: what it makes of a stream.
public struct PageModule: Decodable, Sendable {
  /// How many records had each outcome, by its number: 0 is taken.
  public let outcomes: [String: Int]
  /// Fingerprints of all channels of all emitters, in hexadecimal digits.
  public let prints: [String]
  /// FNV-1a over the bytes of all sprites, in hexadecimal digits.
  public let sprites: String

  /// Takes messages as a page would.
  public static func take(_ messages: [[UInt8]]) throws -> PageModule {
    let folder = try TemporaryFolder()
    var stream = Data()
    for message in messages {
      withUnsafeBytes(of: UInt32(message.count).littleEndian) { stream.append(contentsOf: $0) }
      stream.append(contentsOf: message)
    }
    try stream.write(to: URL(filePath: folder.file("stream")))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "node", "--experimental-default-type=module", "--no-warnings",
      projectFolder.appending(path: "Tests/Pages/page.js").path,
      projectFolder.appending(path: "Sources/CPages/pages").path,
      folder.file("stream"),
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONDecoder().decode(PageModule.self, from: data)
  }

  /// What `sprites` is of these bytes.
  public static func hash(_ bytes: UnsafeRawBufferPointer) -> String {
    String(bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
  }
}
