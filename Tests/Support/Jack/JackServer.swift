import Glibc
import Synchronization

/// A private jackd with the dummy driver, under a name of its own. Holds the machine's turn for JACK until it goes.
public final class JackServer {
  /// What it is started with.
  public struct Settings: Sendable {
    /// Samples a second.
    public var rate = 48000
    /// Samples in a cycle.
    public var period = 256
    /// Physical ports that sound comes from.
    public var captures = 2
    /// Physical ports that sound goes to.
    public var playbacks = 2
    /// How clients may connect their own ports: jackd's `--autoconnect` letter.
    public var selfConnect: String?
    /// Ports in all.
    public var ports = 256
    /// 48 kHz, 256 samples, stereo.
    public init() {}
  }

  private static let count = Atomic<Int>(0)
  /// The server's name.
  public let name: String
  /// What the next `start` takes.
  public var settings: Settings
  private let turn: JackTurn
  private var process: Process?
  private var wasKilled = false

  /// A shell that holds the server and kills it when our end of its pipe is closed: also when a test crashes.
  private struct Process {
    var shell: pid_t
    var server: pid_t
    var leash: Int32
  }

  /// Takes the turn and, unless told not to, starts a server.
  public init(_ settings: Settings = Settings(), isStarted: Bool = true) throws {
    turn = JackTurn()
    self.settings = settings
    name = "visgraph-\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue)"
    if isStarted { try start() }
  }

  deinit {
    // A killed server leaves its place among the machine's eight taken, until one of its name ends politely.
    if wasKilled, process == nil { try? start() }
    terminate()
  }

  /// A server that did not start.
  public struct Failure: Error, CustomStringConvertible {
    /// What happened.
    public let description: String
  }

  /// Starts the server and waits until it answers.
  public func start() throws {
    precondition(process == nil, "the server runs")
    let choices = settings.selfConnect.map { ["-a", $0] } ?? []
    let command =
      ["jackd", "--no-realtime", "-n", name, "--port-max", String(settings.ports)] + choices
      + [
        "-d", "dummy", "-r", String(settings.rate), "-p", String(settings.period), "-C",
        String(settings.captures),
        "-P", String(settings.playbacks),
      ]
    let script =
      "\"$@\" </dev/null >/dev/null 2>&1 & echo $!; exec >/dev/null; cat >/dev/null; kill -TERM $!; wait"
    let leash = try Self.makePipe()
    let answer = try Self.makePipe()
    defer { for end in [leash[0], answer[0], answer[1]] { close(end) } }
    let shell = try spawn(["sh", "-c", script, "sh"] + command, input: leash[0], output: answer[1])
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(answer[0], &byte, 1) == 1, byte != 10 { line.append(byte) }
    guard let server = pid_t(String(decoding: line, as: UTF8.self)) else {
      throw Failure(description: "jackd did not start")
    }
    process = Process(shell: shell, server: server, leash: leash[1])
    let answers = try poll(within: 10) { try !isAlive || asks() }
    guard answers, isAlive else {
      terminate()
      throw Failure(description: "jackd \(name) does not answer")
    }
  }

  /// Whether a client gets in.
  private func asks() throws -> Bool {
    let client = try spawn(["jack_lsp", "-s", name], input: nil, output: nil)
    var status: Int32 = 0
    waitpid(client, &status, 0)
    return status == 0
  }

  /// Whether its process runs.
  public var isAlive: Bool { process.map { Self.isRunning($0.server) } ?? false }

  /// Ends the server at once, as a crash would.
  public func kill() {
    wasKilled = true
    end(SIGKILL)
  }

  /// Asks the server to end, as a desktop would.
  public func terminate() {
    freeze(false)
    if process != nil { wasKilled = false }
    end(SIGTERM)
  }

  /// Stops the server's process where it is, or lets it go on: a server that hangs.
  public func freeze(_ isFrozen: Bool) {
    if let process { Glibc.kill(process.server, isFrozen ? SIGSTOP : SIGCONT) }
  }

  private func end(_ signal: Int32) {
    guard let process else { return }
    Glibc.kill(process.server, signal)
    _ = poll(within: 5) { !Self.isRunning(process.server) }
    close(process.leash)
    var status: Int32 = 0
    waitpid(process.shell, &status, 0)
    self.process = nil
  }

  private static func isRunning(_ process: pid_t) -> Bool {
    let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
      return false
    }
    return bytes[end + 2] != UInt8(ascii: "Z")
  }

  /// Two ends that no child inherits unless it is given them.
  private static func makePipe() throws -> [Int32] {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private func spawn(_ words: [String], input: Int32?, output: Int32?) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in [(Int32(0), input), (1, output), (2, nil)] {
      if let file {
        posix_spawn_file_actions_adddup2(&actions, file, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    var process: pid_t = 0
    let arguments = words.map { strdup($0) } + [nil]
    var variables = [strdup("JACK_NO_START_SERVER=1")]
    for name in ["PATH", "HOME", "TMPDIR", "XDG_RUNTIME_DIR", "LANG"] {
      if let value = getenv(name) { variables.append(strdup(name + "=" + String(cString: value))) }
    }
    variables.append(nil)
    defer { for text in arguments + variables { free(text) } }
    let number = posix_spawnp(&process, words[0], &actions, nil, arguments, variables)
    guard number == 0 else {
      throw Failure(description: "cannot start \(words[0]): \(String(cString: strerror(number)))")
    }
    return process
  }

  /// Runs a program of JACK's on this server and gives what it prints.
  public func run(_ words: [String]) throws -> String {
    let pipe = try Self.makePipe()
    defer { close(pipe[0]) }
    let process = try spawn(words, input: nil, output: pipe[1])
    close(pipe[1])
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(pipe[0], &bytes, bytes.count)
      if count <= 0 { break }
      text += bytes[..<count]
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return String(decoding: text, as: UTF8.self)
  }
}
