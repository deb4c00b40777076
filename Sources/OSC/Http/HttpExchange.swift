import CLiblo
import Glibc
import System

/// Requests by HTTP/1.0 to a device that may be slow, gone, or no HTTP server. [network]
package struct HttpExchange {
  /// Maximum bytes of a response.
  static let most = 65_536

  /// Why there is no response.
  package enum Fault: Error, Equatable {
    /// The host could not be resolved, with the reason.
    case unknownHost(String)
    /// A system call failed.
    case system(Errno)
    /// The response has this status, outside 200…299; 0: the response is not HTTP.
    case status(Int)
    /// The response is larger than `most`.
    case tooLong
  }

  /// A wake-up ends a request that waits for its connection; nil: only the deadline does.
  package var wake: WakePipe?
  private let endpoint: Endpoint
  private let lookup: @Sendable (Endpoint) -> Lookup
  /// The address that has responded. The next request goes there without a lookup.
  private var lastAddress: SocketAddress?

  /// Makes requests to a host.
  package init(_ endpoint: Endpoint, wake: WakePipe?) { self.init(endpoint, wake: wake, lookup: Lookup.ask) }

  init(_ endpoint: Endpoint, wake: WakePipe?, lookup: @escaping @Sendable (Endpoint) -> Lookup) {
    (self.endpoint, self.wake, self.lookup) = (endpoint, wake, lookup)
  }

  /// Resolves the host again for the next request, because it may have moved.
  package mutating func forgetAddress() { lastAddress = nil }

  /// Gets the body of a path.
  package mutating func get(_ path: String, by deadline: Deadline) throws(Fault) -> [UInt8] {
    try ask("GET \(path) HTTP/1.0\r\nHost: \(endpoint)\r\nConnection: close\r\n\r\n", by: deadline)
  }

  /// Posts JSON to a path; returns the body of the response.
  @discardableResult
  package mutating func post(_ json: String, to path: String, by deadline: Deadline) throws(Fault) -> [UInt8]
  {
    try ask(
      "POST \(path) HTTP/1.0\r\nHost: \(endpoint)\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)", by: deadline)
  }

  /// Sends a request to the first address that accepts a connection. Returns the body of the response.
  private mutating func ask(_ text: String, by deadline: Deadline) throws(Fault) -> [UInt8] {
    var error = Errno(EHOSTUNREACH)
    for address in try addresses() {
      let descriptor = StreamSocket.connect(to: address, or: wake, within: deadline.seconds)
      if descriptor >= 0 {
        defer { close(descriptor) }
        let answer = try exchange(Array(text.utf8), descriptor, deadline)
        lastAddress = address
        return answer
      }
      error = Errno(-descriptor)
    }
    throw .system(error)
  }

  private func addresses() throws(Fault) -> [SocketAddress] {
    if let lastAddress { return [lastAddress] }
    switch lookup(endpoint) {
    case .failure(let reason): throw .unknownHost(reason)
    case .addresses(let found): return found
    }
  }

  /// Sends a request by an open connection. Returns the body of the response.
  private func exchange(
    _ question: [UInt8], _ descriptor: Int32, _ deadline: Deadline
  ) throws(Fault) -> [UInt8] {
    var sent = 0
    while sent < question.count {
      let count = StreamSocket.send(question, from: sent, on: descriptor)
      if count > 0 {
        sent += count
      } else if count == -Int(EAGAIN) || count == -Int(EINTR) {
        try wait(for: POLLOUT, descriptor, deadline)
      } else {
        throw .system(Errno(Int32(-count)))
      }
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count == 0 { break }
      if count > 0 {
        answer += buffer[..<count]
        guard answer.count <= Self.most else { throw .tooLong }
        // Some servers keep the connection open in spite of `Connection: close`.
        if let body = try Self.body(of: answer, isWhole: false) { return body }
      } else if errno == EAGAIN || errno == EINTR {
        try wait(for: POLLIN, descriptor, deadline)
      } else {
        throw .system(Errno())
      }
    }
    guard let body = try Self.body(of: answer, isWhole: true) else { throw .status(0) }
    return body
  }

  private func wait(for events: Int32, _ descriptor: Int32, _ deadline: Deadline) throws(Fault) {
    guard !deadline.isOver,
      Descriptor.waits(for: events, on: descriptor, milliseconds: deadline.milliseconds)
    else { throw .system(Errno(ETIMEDOUT)) }
  }

  /// The body of a response; nil while it is not complete. `isWhole`: the server has closed the connection, so nothing
  /// more follows.
  static func body(of answer: [UInt8], isWhole: Bool) throws(Fault) -> [UInt8]? {
    let text = String(decoding: answer, as: UTF8.self)
    guard let end = text.utf8.firstRange(of: "\r\n\r\n".utf8) else {
      if isWhole { throw .status(0) }
      return nil
    }
    let lines = text[..<end.lowerBound].split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { throw .status(0) }
    guard (200..<300).contains(status) else { throw .status(status) }
    let head = text.utf8.distance(from: text.startIndex, to: end.upperBound)
    let body = Array(answer.dropFirst(head))
    let length = lines.dropFirst().compactMap { line -> Int? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
      return Int(parts[1].drop { $0 == " " })
    }.first
    if let length, body.count >= length { return Array(body.prefix(max(0, length))) }
    return isWhole ? body : nil
  }
}
