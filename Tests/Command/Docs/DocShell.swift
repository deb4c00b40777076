import Foundation
import Glibc
import TestSupport

/// Runs commands as a page prints them, in a network of their own: the loopback with a few addresses of a home network
/// on it, and a program that listens on the ports of rigs.
///
/// `visgraph run` and `visgraph play` go on until the next of them or the end, while the commands after them talk to
/// them; a graph that sends by OSC must be heard, and what it is sent must not be refused. `visgraph relay` goes on
/// beside them. Every command must end with 0. Films are cut after a second.
struct DocShell {
  /// Addresses that pages use for other machines.
  private static let machines = (20...60).filter { $0.isMultiple(of: 10) } + [21]
  private static let ports = [7000, 7700, 7701, 8000, 9000, 9100, 9101]

  private static let apart = Namespaces(network: true, keepsUser: true)
  /// Whether this machine lets us have such a network.
  static let isPossible = apart.isPossible

  /// Where the commands run: `graphs` and `patches` are those of the package.
  let folder: TemporaryFolder
  private let variables: [String: String]

  /// Makes a folder with what the pages name, and `visgraph` on PATH.
  init(variables: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    let files = FileManager.default
    for name in ["graphs", "patches", "tools"] {
      try files.createSymbolicLink(
        atPath: folder.file(name), withDestinationPath: DocPage.root + "/" + name)
    }
    let home = folder.file("home")
    try files.createDirectory(atPath: home + "/Music/album", withIntermediateDirectories: true)
    let sounds = DocPage.root + "/graphs/sounds/"
    try files.copyItem(atPath: sounds + "kick.flac", toPath: home + "/Music/album/1 kick.flac")
    try files.copyItem(atPath: sounds + "bell.flac", toPath: home + "/Music/album/2 bell.flac")
    var all = variables
    all["HOME"] = home
    self.variables = all
  }

  /// The program, with films of a second in small.
  private static var program: String {
    """
    #!/usr/bin/env bash
    case " $* " in
    *" render "*.mp4" "* | *" render "*.webm" "* | *" render "*.mov" "* | *" render "*%0*)
      case " $* " in *" --for "*) ;; *) set -- "$@" --for 1 ;; esac
      case " $* " in *" --size "*) ;; *) set -- "$@" --size 160x90 ;; esac
      ;;
    esac
    exec '\(Visgraph.path)' "$@"
    """
  }

  /// The real oscsend, and then a client that sends the same once more and waits for an error.
  private static let sender = """
    #!/usr/bin/env bash
    (PATH=${PATH#*:} && oscsend "$@") || exit
    exec python3 - "$@" <<'END'
    import socket, struct, sys, time
    def text(value):
        return value.encode() + bytes(4 - len(value.encode()) % 4)
    host, port, address, types, *values = (sys.argv[1:] + [""])[:max(4, len(sys.argv) - 1)]
    packet = text(address) + text("," + types)
    for kind, value in zip(types, values):
        packet += text(value) if kind == "s" else struct.pack(">" + kind, int(value) if kind == "i" else float(value))
    peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    peer.sendto(packet, (host, int(port)))
    # Feedback may come all the time.
    end = time.monotonic() + 0.25
    while (left := end - time.monotonic()) > 0:
        peer.settimeout(left)
        try:
            answer = peer.recv(65536)
        except TimeoutError:
            break
        if answer.startswith(b"/visgraph/error"):
            sys.exit("refused: " + repr(answer))
    END
    """

  /// Runs the commands; what went wrong, or nil.
  func run(_ commands: [String]) throws -> String? {
    let lines = commands.map { command in
      let way =
        command.contains(#/^visgraph (run|play) /#)
        ? "begin " : command.hasPrefix("visgraph relay ") ? "accompany " : "obey "
      return way + Self.quoted(command)
    }
    let script = try folder.write(
      Self.prelude + lines.joined(separator: "\n") + "\nfinish\necho well\n", to: "script")
    let child = try Child(Self.apart.command(["bash", script, folder.path]), variables: variables)
    defer { child.signal(SIGTERM) }
    guard let code = child.exitCode(within: 300) else { return "does not end: \(child.results)" }
    return code == 0 && child.results.hasSuffix("well\n") ? nil : child.results + child.notes
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

  private static var prelude: String {
    """
    cd "$1" || exit 1
    # Written here: no other thread can start a program while this one is open.
    mkdir bin
    cat >bin/visgraph <<'PROGRAM'
    \(program)
    PROGRAM
    cat >bin/oscsend <<'PROGRAM'
    \(sender)
    PROGRAM
    chmod +x bin/*
    PATH=$PWD/bin:$PATH
    trap 'kill $(jobs -p) 2>/dev/null' EXIT
    trap 'exit 1' TERM
    for number in \(machines.map(String.init).joined(separator: " ")); do
      ip address add 192.168.1.$number/32 dev lo
    done
    # What is sent to this machine, 192.168.1.20, comes from another.
    ip route replace local 192.168.1.20 dev lo table local proto kernel scope host src 192.168.1.30
    for port in \(ports.map(String.init).joined(separator: " ")); do oscdump -L $port >heard.$port 2>&1 & done
    live=
    beside=
    fail() { echo "$1: $2"; exit 1; }
    heard() { cat heard.* | wc -c; }
    eventually() { # COMMAND…: within two minutes, as a machine may be busy
      local end=$((SECONDS + 120))
      until "$@"; do [ $SECONDS -lt $end ] || return; sleep 0.05; done
    }
    # What leaves before a port is open is lost, and what does not change is not sent again.
    isOpen() { grep -q ":$(printf %04X "$1") " /proc/self/net/udp /proc/self/net/udp6; }
    for port in \(ports.map(String.init).joined(separator: " ")); do
      eventually isOpen $port || fail oscdump "does not listen at $port"
    done
    isThere() { grep -q 'runs by\\|JACK client' live.log || ! kill -0 "$live" 2>/dev/null; }
    isHeard() { [ "$(heard)" -gt "$before" ]; }
    begin() { # what goes on
      finish
      what=$1
      before=$(heard)
      # Empty before it is asked: what the one before said there is not this one's.
      : >live.log
      bash -c "exec $1" >>live.log 2>&1 </dev/null &
      live=$!
      eventually isThere || fail "$what" "does not begin: $(cat live.log)"
      graph=$(grep -o '[^ ]*\\.yaml' <<<"$what" | head -n 1)
      if [ "$graph" ] && grep -q 'type: osc-output' "$graph"; then
        eventually isHeard || fail "$what" "nothing listens to it: $(cat live.log)"
      fi
    }
    accompany() { # what hands the stage of the show on
      bash -c "exec $1" >beside.log 2>&1 </dev/null &
      beside=$!
      eventually grep -q 'handed on' beside.log || fail "$1" "does not begin: $(cat beside.log)"
    }
    once() { timeout 300 bash -c "$1" >obey.log 2>&1 </dev/null; }
    obey() { # what ends by itself; a show that has just begun may not be on the bus yet
      if [ "$live" ]; then eventually once "$1"; else once "$1"; fi || fail "$1" "$(cat obey.log)"
    }
    finish() {
      [ "$live" ] || return 0
      if [ "$beside" ]; then
        kill -TERM "$beside" 2>/dev/null
        wait "$beside" || fail "a relay beside $what" "ends badly: $(cat beside.log)"
        beside=
      fi
      kill -TERM "$live" 2>/dev/null
      wait "$live" || fail "$what" "ends badly: $(cat live.log)"
      live=
      # A message that was refused, or that nobody was let in with, is told there.
      ! grep -i 'refused\\|not allowed' live.log || fail "$what" "$(cat live.log)"
    }

    """
  }
}
