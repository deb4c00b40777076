import CBenchmark
import CRealtime
import Glibc

/// Many viewers of a stage in one process: they follow it as graphs/VIEW.md specifies, count and time the messages, and
/// draw nothing. Some of them read nothing at all.
///
/// Prints the bytes of a frame, and the delay of frames from their end, by the monotonic clock of the show on the same
/// machine, to their arrival. The server serves viewers one after another in the same order, so each viewer has its own
/// usual delay, and jitter is the deviation from it.
struct ViewerLoad {
  let port: UInt16
  let viewers: Int
  let stalled: Int
  let seconds: Double

  /// Seconds at the start that do not count: viewers connect one after another then, and each is sent a state.
  private static let warmUp = 2.0
  private static let request = "{\"stage\":true}"

  /// One viewer, and the messages that it was sent.
  private struct Viewer {
    let socket: Int32
    var rest: [UInt8] = []
    /// Microseconds of delay of the last frame of each message.
    var delays: [UInt32] = []
  }

  private struct Counts {
    var (bytes, messages, frames, ended) = (0, 0, 0, 0)
  }

  func run() {
    var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let poller = epoll_create1(0)
    var all: [Viewer] = []
    for number in 0..<viewers + stalled {
      all.append(connect())
      guard number < viewers else { continue }
      _ = fcntl(all[number].socket, F_SETFL, O_NONBLOCK)
      var event = epoll_event(
        events: EPOLLIN.rawValue, data: epoll_data(u64: UInt64(number)))
      epoll_ctl(poller, EPOLL_CTL_ADD, all[number].socket, &event)
    }
    var counts = Counts()
    var events = [epoll_event](repeating: epoll_event(), count: 512)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let begin = Self.microseconds + UInt64(Self.warmUp * 1e6)
    let end = begin + UInt64(seconds * 1e6)
    while Self.microseconds < end {
      let count = epoll_wait(poller, &events, 512, 100)
      for event in events.prefix(Int(max(0, count))) {
        let number = Int(event.data.u64)
        let got = read(all[number].socket, &bytes, bytes.count)
        if got <= 0 {
          if got == 0 || errno != EAGAIN {
            counts.ended += 1
            epoll_ctl(poller, EPOLL_CTL_DEL, all[number].socket, nil)
          }
          continue
        }
        let now = Self.microseconds
        all[number].rest += bytes[..<got]
        Self.take(&all[number], at: now, isCounted: now >= begin, &counts)
      }
    }
    report(counts, all.map { $0.delays.sorted() }.filter { !$0.isEmpty })
    for viewer in all { close(viewer.socket) }
  }

  private func report(_ counts: Counts, _ delays: [[UInt32]]) {
    let all = delays.joined().map { Double($0) / 1000 }.sorted()
    let jitter = delays.flatMap { own in
      own.map { abs(Double($0) - Double(own[own.count / 2])) / 1000 }
    }.sorted()
    func part(_ sorted: [Double], _ share: Double) -> Double {
      sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
    let frames = Double(max(1, counts.frames))
    print("frames_a_second", frames / seconds / Double(max(1, viewers)))
    print("messages_a_second", Double(counts.messages) / seconds / Double(max(1, viewers)))
    print("bytes_a_frame", Double(counts.bytes) / frames)
    // IPv4 and TCP with timestamps: 52 bytes, at least once a message.
    print("bytes_a_frame_on_the_wire", Double(counts.bytes + 52 * counts.messages) / frames)
    print("delay_median_ms", part(all, 0.5))
    print("delay_p99_ms", part(all, 0.99))
    print("jitter_p99_ms", part(jitter, 0.99))
    print("ended", counts.ended)
  }

  private static var microseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }

  private func connect() -> Viewer {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isThere = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isThere else { Benchmark.fail("nobody listens at port \(port)") }
    send(
      """
      GET /socket HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
      """, to: file)
    var head: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let got = read(file, &bytes, bytes.count)
      guard got > 0, head.count < 65_536 else { Benchmark.fail("a WebSocket was refused") }
      head += bytes[..<got]
      guard let end = Self.end(of: head) else { continue }
      guard head.starts(with: "HTTP/1.1 101".utf8) else {
        Benchmark.fail("a WebSocket was refused")
      }
      let mask: [UInt8] = [1, 2, 3, 4]
      let text = Self.request.utf8.enumerated().map { $1 ^ mask[$0 % 4] }
      let frame = [0x81, 0x80 | UInt8(text.count)] + mask + text
      _ = write(file, frame, frame.count)
      return Viewer(socket: file, rest: Array(head[end...]))
    }
  }

  private func send(_ text: String, to file: Int32) {
    let bytes = Array(text.utf8)
    _ = write(file, bytes, bytes.count)
  }

  /// The start of the body.
  private static func end(of head: [UInt8]) -> Int? {
    guard head.count >= 4 else { return nil }
    return (4...head.count).first { head[$0 - 4..<$0].elementsEqual([13, 10, 13, 10]) }
  }

  /// Takes the complete messages from the received bytes.
  private static func take(
    _ viewer: inout Viewer, at now: UInt64, isCounted: Bool, _ counts: inout Counts
  ) {
    let rest = viewer.rest
    var at = 0
    while rest.count - at >= 2 {
      var (size, head) = (Int(rest[at + 1] & 0x7F), 2)
      let wide = size == 126 ? 2 : size == 127 ? 8 : 0
      guard rest.count - at >= 2 + wide else { break }
      if wide > 0 { size = rest[at + 2..<at + 2 + wide].reduce(0) { $0 << 8 | Int($1) } }
      head += wide
      guard rest.count - at >= head + size else { break }
      if isCounted, rest[at] & 0x0F == 2 {
        counts.bytes += head + size
        counts.messages += 1
        if let ended = lastEnd(rest[at + head..<at + head + size], &counts) {
          viewer.delays.append(UInt32(truncatingIfNeeded: now) &- ended)
        }
      }
      at += head + size
    }
    viewer.rest.removeFirst(at)
  }

  /// Counts the frames among the records of a message. Returns the end of the last frame, as the lower 32 bits of its
  /// microseconds.
  private static func lastEnd(_ message: ArraySlice<UInt8>, _ counts: inout Counts) -> UInt32? {
    func word(_ place: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(message[place + $1]) << UInt32(8 * $1) }
    }
    var at = message.startIndex
    var ended: UInt32?
    while message.endIndex - at >= 8 {
      let size = Int(word(at + 4))
      guard message.endIndex - at >= 8 + size else { break }
      if message[at] == 4, size >= 8 {
        counts.frames += 1
        ended = word(at + 12)
      }
      at += 8 + size
    }
    return ended
  }
}
