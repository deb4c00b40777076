import Glibc
import Synchronization

/// A private jackd with the dummy driver and a name of its own. It holds the machine's turn for JACK until it is freed.
public final class JackServer {
  /// The arguments of jackd.
  public struct Settings: Sendable {
    /// Sample rate in Hz.
    public var rate = 48000
    /// Samples in a cycle.
    public var period = 256
    /// The number of physical capture ports.
    public var captures = 2
    /// The number of physical playback ports.
    public var playbacks = 2
    /// The letter of jackd's `--autoconnect`, which limits the connections that clients may make of their own ports:
    /// "a" ignores all of them.
    public var selfConnect: String?
    /// Whether a cycle waits for its clients (jackd's synchronous mode), for seconds if necessary.
    public var waitsForClients = false
    /// The limit of ports of all clients together.
    public var ports = 256
    /// 48 kHz, 256 samples, stereo.
    public init() {}
  }

  private static let count = Atomic<Int>(0)
  /// The server's name.
  public let name: String
  /// The settings of the next `start`.
  public var settings: Settings
  private let turn: JackTurn
  private var process: HeldProcess?
  private var hasHung = false

  private static var environment: [String] {
    ["JACK_NO_START_SERVER=1"] + inherited(["PATH", "HOME", "TMPDIR", "XDG_RUNTIME_DIR", "LANG"])
  }

  /// Takes the turn for JACK and, unless `false` is given, starts a server.
  public init(_ settings: Settings = Settings(), isStarted: Bool = true) throws {
    turn = JackTurn()
    self.settings = settings
    name = "visgraph-\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue)"
    if isStarted { try start() }
  }

  deinit {
    // After a hang jackd waits half a minute for clients that ended meanwhile, before it ends.
    if hasHung { kill() } else { terminate() }
    Self.freePlaces()
    JackRegistry.removeMetadata()
  }

  /// Frees registry entries of killed servers, of this run of tests or of another that was killed: starts a server of
  /// the same name and ends it normally.
  private static func freePlaces(but own: String? = nil) {
    for name in JackRegistry.abandoned where name != own {
      unlink(socket(of: name))
      guard
        let process = try? HeldProcess(
          ["jackd", "--no-realtime", "-n", name, "-d", "dummy"], environment: environment, last: "TERM")
      else { continue }
      JackRegistry.note(process.identity)
      _ = poll(within: 10) { !process.isAlive || access(socket(of: name), F_OK) == 0 }
      process.end(SIGTERM)
    }
  }

  /// The socket of a server. It exists once the server accepts clients.
  private static func socket(of name: String) -> String { "/dev/shm/jack_\(name)_\(getuid())_0" }

  /// Starts the server and waits until it answers.
  public func start() throws {
    precondition(process == nil, "the server runs")
    // A lock that a killed client left in the metadata database blocks servers, too, so the database is removed first.
    for _ in 1...3 {
      JackRegistry.removeMetadata()
      JackRegistry.removeRemains()
      Self.freePlaces(but: name)
      let socket = Self.socket(of: name)
      unlink(socket)
      let process = try HeldProcess(command, environment: Self.environment, last: "TERM")
      JackRegistry.note(process.identity)
      self.process = process
      // Two processes that open the database at once can deadlock, so no client starts before the server has opened it.
      if poll(within: 10, until: { !isAlive || access(socket, F_OK) == 0 }), isAlive, Self.asks(name) {
        return
      }
      kill()
    }
    throw Child.Failure(description: "jackd \(name) does not answer")
  }

  private var command: [String] {
    let choices =
      (settings.selfConnect.map { ["-a", $0] } ?? []) + (settings.waitsForClients ? ["-S"] : [])
    // A client that starts waits for a cycle ten times as long as `-t` says, in milliseconds; without `-t`, twenty
    // periods, which is too short on a busy machine.
    // The priority is raised as far as this user may: a real server also runs before programs and compilers, and one
    // that stalls on a busy machine proves nothing about its clients.
    return ["nice", "-n", "-10", "jackd", "--no-realtime", "-n", name, "-t", "5000", "--port-max"]
      + [String(settings.ports)] + choices
      + [
        "-d", "dummy", "-r", String(settings.rate), "-p", String(settings.period), "-C",
        String(settings.captures),
        "-P", String(settings.playbacks),
      ]
  }

  /// Whether the server accepts a client within some seconds.
  private static func asks(_ name: String) -> Bool {
    poll(within: 5) {
      let command = ["timeout", "-s", "KILL", "60", "jack_lsp", "-s", name]
      guard let process = try? spawn(command, environment: environment) else { return false }
      return ending(of: process) == 0
    }
  }

  /// Whether its process runs.
  public var isAlive: Bool { process?.isAlive ?? false }

  /// Ends the server by SIGKILL, like a crash.
  public func kill() { end(SIGKILL) }

  /// Ends the server by SIGTERM, as a desktop does.
  public func terminate() {
    freeze(false)
    end(SIGTERM)
  }

  /// Stops the server's process (SIGSTOP) or continues it: a server that hangs.
  public func freeze(_ isFrozen: Bool) {
    hasHung = hasHung || isFrozen
    process?.freeze(isFrozen)
  }

  private func end(_ signal: Int32) {
    process?.end(signal)
    process = nil
  }

  /// Runs one of JACK's programs on this server. Returns its output.
  public func run(_ words: [String]) throws -> String {
    let pipe = try makePipe()
    defer { close(pipe.read) }
    let process = try spawn(words, [1: .ours(pipe.write)], environment: Self.environment)
    close(pipe.write)
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(pipe.read, &bytes, bytes.count)
      if count <= 0 { break }
      text += bytes[..<count]
    }
    _ = ending(of: process)
    return String(decoding: text, as: UTF8.self)
  }
}
