import Foundation
import Glibc

/// A program that answers each line of its stdin with a line on its stdout. It ends when its stdin is closed: when this
/// object is freed, and also if a test crashes.
public final class LineServer {
  private let child: Child
  private let socket: Int32
  private var bytes: [UInt8] = []
  private var isClosed = false

  /// Starts the program.
  public init(_ command: [String]) throws {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Child.Failure(description: "no sockets") }
    defer { close(ends[1]) }
    socket = ends[0]
    do {
      child = try Child(command, files: [0: ends[1], 1: ends[1]])
    } catch {
      close(ends[0])
      throw error
    }
  }

  deinit {
    close(socket)
    // The program ends its own children.
    _ = child.exitCode(within: 10)
  }

  /// The answer to a line. After a timeout of about `seconds` the program is not used any more.
  public func answer(to line: String, within seconds: Double) throws -> String {
    var left = Array(line.utf8)[...] + [10]
    while !left.isEmpty {
      let count = left.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw failure("takes no line") }
      left = left.dropFirst(count)
    }
    var answer: String?
    let isOver = poll(within: seconds) {
      take()
      answer = bytes.firstIndex(of: 10).map { end in
        defer { bytes.removeSubrange(...end) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      return answer != nil || isClosed
    }
    guard let answer else { throw failure(isOver ? "has ended" : "does not answer") }
    return answer
  }

  private func take() {
    var part = [UInt8](repeating: 0, count: 65_536)
    while !isClosed {
      let count = recv(socket, &part, part.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        bytes += part[..<count]
      } else {
        isClosed = count == 0 || (errno != EAGAIN && errno != EINTR)
        return
      }
    }
  }

  /// A failure with the last lines of the program's stderr.
  private func failure(_ what: String) -> Child.Failure {
    // A program that has ended may not have written everything yet.
    if isClosed { _ = child.exitCode(within: 10) }
    return Child.Failure(description: "the program \(what): \(child.notes.suffix(4000))")
  }
}
