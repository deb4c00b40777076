import Glibc

/// A python3 child that prints its port, and then each message as a line of JSON.
final class PythonReceiver {
  static let isInstalled: Bool = {
    guard let child = Child(["python3", "-c", "import pythonosc"]) else { return false }
    return child.exitStatus() == 0
  }()

  private static let program = """
    import json
    from pythonosc.dispatcher import Dispatcher
    from pythonosc.osc_server import BlockingOSCUDPServer
    def show(address, *arguments):
        print(json.dumps([address, *arguments]), flush=True)
    dispatcher = Dispatcher()
    dispatcher.set_default_handler(show)
    server = BlockingOSCUDPServer(("127.0.0.1", 0), dispatcher)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  private(set) var port: UInt16 = 0
  private let child: Child

  init?() {
    guard let child = Child(["python3", "-c", Self.program]) else { return nil }
    self.child = child
    guard let first = child.lines(1).first, let port = UInt16(first) else { return nil }
    self.port = port
  }

  /// So many next lines, or fewer when the time is over.
  func lines(_ count: Int) -> [String] { child.lines(count) }
}

/// A child process whose output is read line by line; it ends with this object.
private final class Child {
  private var identity: pid_t = 0
  private let output: Int32
  private var received: [UInt8] = []
  private var isReaped = false

  init?(_ command: [String]) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var arguments = command.map { strdup($0) } + [nil]
    let failure = posix_spawnp(&identity, command[0], &actions, nil, &arguments, environ)
    for argument in arguments { free(argument) }
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    if failure != 0 { return nil }
  }

  deinit {
    close(output)
    guard identity > 0, !isReaped else { return }
    kill(identity, SIGKILL)
    _ = exitStatus()
  }

  func exitStatus() -> Int32 {
    var status: Int32 = -1
    while waitpid(identity, &status, 0) < 0, errno == EINTR {}
    isReaped = true
    return status
  }

  func lines(_ count: Int) -> [String] {
    var lines: [String] = []
    _ = eventually(within: 30) {
      while lines.count < count, let end = received.firstIndex(of: 0x0A) {
        lines.append(String(decoding: received[..<end], as: UTF8.self))
        received.removeSubrange(...end)
      }
      if lines.count >= count { return true }
      var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, 50) == 1 else { return false }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let size = read(output, &buffer, buffer.count)
      guard size > 0 else { return true }
      received += buffer[..<size]
      return false
    }
    return lines
  }
}
