import TestSupport
import Testing

/// Other machines at the control port: in a network namespace of their own, where nothing leaves this machine.
@Suite(.serialized, .blocking) struct ControlNetworkTests {
  /// Runs a show in a namespace with two addresses of each kind, and speaks to it from both.
  private func talk(_ script: String, _ more: String..., control: String = "") throws -> [String] {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      "visgraph: 1\n\(control)nodes:\n  tone: { type: tone-source }\n  meter: { type: meter }\nwires: [tone -> meter]\n",
      to: "graph.yaml")
    let talk = try folder.write(Self.peer + script, to: "talk.py")
    let addresses = ["192.0.2.1/32", "198.51.100.1/32", "fd00::1/128 nodad", "2001:db8::1/128 nodad"]
    let network = Namespaces(network: true, then: addresses.map { "ip address add dev lo \($0)" })
    let child = try Child(
      network.command(
        ["python3", talk, folder.file("log"), Visgraph.path, "run", graph, "--host", "clock", "--for", "600"]
          + more))
    let code = child.exitCode(within: 150)
    #expect(code == 0, "\(child.notes) \(child.results)")
    return child.results.split(separator: "\n").map(String.init)
  }

  /// What the scripts begin with: a show, and ways to talk to it from an address.
  private static let peer = """
    import os, socket, subprocess, sys, time
    log = open(sys.argv[1], "wb+")
    show = subprocess.Popen(sys.argv[2:], stderr=log, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def said(text):
        return open(sys.argv[1], "rb").read().decode().count(text)

    def wait(done, seconds=120):
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end or show.poll() is not None:
                sys.exit("too late: " + open(sys.argv[1], "rb").read().decode())
            time.sleep(0.01)

    def pad(text):
        return text + b"\\0" * (4 - len(text) % 4)

    def message(address, *arguments):
        tags = "," + "".join("i" if type(a) is int else "s" for a in arguments)
        return pad(address.encode()) + pad(tags.encode()) + b"".join(
            a.to_bytes(4, "big") if type(a) is int else pad(a.encode()) for a in arguments)

    def kind(address):
        return socket.AF_INET6 if ":" in address else socket.AF_INET

    def udp(source, to):
        peer = socket.socket(kind(to), socket.SOCK_DGRAM)
        peer.bind((source, 0))
        peer.connect((to, 7770))
        return peer

    def answer(peer, packet, seconds=120):
        peer.send(packet)
        peer.settimeout(seconds)
        return peer.recv(65536)

    def proven(peer, packet):
        challenge = answer(peer, packet)
        return answer(peer, challenge) if challenge.startswith(b"/visgraph/challenge") else challenge

    def tcp(source, to, packet):
        try:
            peer = socket.create_connection((to, 7770), source_address=(source, 0), timeout=120)
            peer.sendall(len(packet).to_bytes(4, "big") + packet)
            return peer.recv(65536)
        except ConnectionError:
            return b""

    def begun(text):
        wait(lambda: said(text))
        own = udp("127.0.0.1", "127.0.0.1")
        wait(lambda: answer(own, message("/visgraph/status")).startswith(b"/visgraph/status"))

    def texts(packet):
        return " ".join(part.decode() for part in packet.replace(b"\\0", b" ").split() if part[:1].isascii())

    def end():
        show.terminate()
        print("ended", show.wait(120))

    """

  @Test func `allowed machines get answers, others do not, and the log reports that once`() throws {
    let lines = try talk(
      """
      begun("control 0.0.0.0:7770 from 192.0.2.0/24")
      friend, stranger = udp("192.0.2.1", "192.0.2.1"), udp("198.51.100.1", "192.0.2.1")
      print(texts(proven(friend, message("/visgraph/status")))[:21])
      for _ in range(50):
          stranger.send(message("/visgraph/blackout", 1))
          stranger.send(message("/visgraph/status"))
      # It is taken in order: once the friend is answered, the stranger has been left out.
      friend.send(message("/visgraph/nothing"))
      while b"/visgraph/nothing" not in friend.recv(65536):
          pass
      stranger.setblocking(False)
      try:
          print("stranger got", stranger.recv(65536))
      except BlockingIOError:
          print("stranger got nothing")
      print("stranger by tcp got", tcp("198.51.100.1", "192.0.2.1", message("/visgraph/status")))
      print("friend by tcp got", texts(tcp("192.0.2.1", "192.0.2.1", message("/visgraph/mastr"))[4:])[:32])
      own = udp("127.0.0.1", "127.0.0.1")
      own.send(message("/visgraph/status"))
      own.settimeout(120)
      while True:
          packet = own.recv(65536)
          if packet.startswith(b"/visgraph/status/blackout"):
              print("blackout", packet[-1])
              break
      wait(lambda: said("it is not allowed"))
      print("told", said("messages of 198.51.100.1 are ignored: it is not allowed"))
      wait(lambda: said("nothing is called /visgraph/mastr; did you mean /visgraph/master?"))
      end()
      """, "--control", "0.0.0.0:7770", "--allow", "192.0.2.0/24")
    #expect(
      lines == [
        "/visgraph/status/name", "stranger got nothing", "stranger by tcp got b''",
        "friend by tcp got /visgraph/error ,ss /visgraph/ma", "blackout 0", "told 1", "ended 0",
      ])
  }

  @Test func `IPv6 and IPv4 are received at one port`() throws {
    let lines = try talk(
      """
      begun("control [::]:7770 from fd00::/8, 192.0.2.1")
      for source, to in [("fd00::1", "fd00::1"), ("192.0.2.1", "192.0.2.1"), ("::1", "::1")]:
          print(texts(proven(udp(source, to), message("/visgraph/status")))[:21])
      # Strict receivers hear answers of the address alone that they have asked.
      for source, to in [("fd00::1", "2001:db8::1"), ("192.0.2.1", "198.51.100.1"), ("127.0.0.1", "127.0.0.9")]:
          print(texts(proven(udp(source, to), message("/visgraph/status")))[:21])
      for source, to in [("2001:db8::1", "fd00::1"), ("198.51.100.1", "192.0.2.1")]:
          print(tcp(source, to, message("/visgraph/status")))
      end()
      """, "--control", "[::]:7770", "--allow", "fd00::/8", "--allow", "192.0.2.1")
    #expect(lines == Array(repeating: "/visgraph/status/name", count: 6) + ["b''", "b''", "ended 0"])
  }

  @Test func `if the file has a key, other machines have to send it first`() throws {
    let lines = try talk(
      """
      begun("control 0.0.0.0:7770 from any machine with the key")
      other = udp("198.51.100.1", "198.51.100.1")
      print(texts(answer(other, message("/visgraph/blackout", 1))).split("[")[1])
      print(texts(answer(other, message("/visgraph/key", "swordfish2"))).split("[")[1])
      print(texts(answer(other, message("/visgraph/key", "swordfish1")))[:13])
      print(texts(proven(other, message("/visgraph/status")))[:21])
      print(texts(answer(udp("127.0.0.1", "127.0.0.1"), message("/visgraph/status")))[:21])
      print(texts(answer(udp("192.0.2.1", "192.0.2.1"), message("/visgraph/status"))).split("[")[1])
      def status(key):
          return subprocess.run([sys.argv[2], "status", "192.0.2.1:7770"], env={**os.environ, "VISGRAPH_KEY": key},
              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
      print("status", status("swordfish2"))
      # The command waits 2 s for an answer, which a busy machine may send later.
      wait(lambda: status("swordfish1") == 0)
      print("status 0")
      end()
      """, control: "control: { listen: 0.0.0.0:7770, allow: any, key: swordfish1 }\n")
    #expect(
      lines == [
        "control-locked]", "control-key]", "/visgraph/key", "/visgraph/status/name", "/visgraph/status/name",
        "control-locked]", "status 1", "status 0", "ended 0",
      ])
  }
}
