import TestSupport
import Testing

/// The desk that a session opens in a browser, where the pages want a key: in a network namespace with an address of
/// its own.
@Suite(.serialized, .blocking) struct DeskTokenTests {
  /// A session manager that opens one project and shows its window, and a browser that only notes its address.
  private static let program = """
    import http.client, os, subprocess, sys, time
    from pythonosc.osc_message import OscMessage
    from pythonosc.osc_message_builder import OscMessageBuilder
    import socket
    folder, program, template = sys.argv[1:4]
    manager = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    manager.bind(("127.0.0.1", 0))
    manager.settimeout(120)
    os.environ.update(NSM_URL=f"osc.udp://127.0.0.1:{manager.getsockname()[1]}/", JACK_NO_START_SERVER="1",
        JACK_DEFAULT_SERVER="visgraph-nobody", PATH=folder + ":" + os.environ["PATH"])
    show = subprocess.Popen([program, "session", template, "--host", "clock"], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=open(folder + "/log", "wb"))

    def send(peer, address, *words):
        builder = OscMessageBuilder(address)
        for word in words: builder.add_arg(word)
        manager.sendto(builder.build().dgram, peer)

    def heard(*addresses):
        while True:
            packet, peer = manager.recvfrom(65536)
            message = OscMessage(packet)
            if message.address in addresses: return peer, message

    peer, _ = heard("/nsm/server/announce")
    send(peer, "/reply", "/nsm/server/announce", "hello", "tests", ":server-control:")
    send(peer, "/nsm/client/open", folder + "/project", "Project", "visgraph.n1")
    print(heard("/reply", "/error")[1].address)
    send(peer, "/nsm/client/show_optional_gui")
    end = time.monotonic() + 120
    while not os.path.exists(folder + "/opened") and time.monotonic() < end: time.sleep(0.01)

    def command_line(number):
        # A process may end at any moment.
        try:
            with open(f"/proc/{number}/cmdline", errors="replace") as file:
                return file.read().replace("\\0", " ") + "\\n"
        except OSError: return ""

    seen = "".join(command_line(number) for number in os.listdir("/proc") if number.isdigit())
    open(folder + "/seen", "w").close()
    print("xdg-open http://192.0.2.1:7780/desk?token=" in seen, "a-word-of-ours" in seen)
    address = open(folder + "/opened").read().strip()

    def get(path, **fields):
        connection = http.client.HTTPConnection("192.0.2.1", 7780, timeout=120, source_address=("192.0.2.1", 0))
        connection.request("GET", path, headers={"Accept": "text/html", **fields})
        answer = connection.getresponse()
        answer.read()
        return answer

    print(get("/desk").status)
    path = address.removeprefix("http://192.0.2.1:7780")
    first = get(path)
    cookie = first.getheader("Set-Cookie")
    print(first.status, first.getheader("Location"), cookie.split(";", 1)[1])
    print(get(path).status)
    word = cookie.split(";")[0]
    print(get("/desk", Cookie=word).status, get("/desk", Cookie="theme=dark; " + word).status)
    print(get("/desk", Cookie=word, Origin="http://192.0.2.1:8080").status, get("/desk", Cookie="visgraph-desk=x").status)
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://192.0.2.1:7780"}
    socket_at = http.client.HTTPConnection("192.0.2.1", 7780, timeout=120, source_address=("192.0.2.1", 0))
    socket_at.request("GET", "/socket", headers={"Cookie": word, **upgrade})
    answer = socket_at.getresponse()
    print(answer.status, b'"may":"steer"' in answer.fp.read1(1000))
    show.terminate()
    print("ended", show.wait(120), open(folder + "/log").read().count("a-word-of-ours"))
    """

  @Test func `the list of processes shows no key: the browser gets a token that opens the desk once`() throws
  {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      view: { listen: "192.0.2.1:7780", allow: any, key: { stage: look-at-it, desk: a-word-of-ours } }
      nodes: { tone: { type: tone-source }, meter: { type: meter } }
      wires: [tone -> meter]

      """, to: "template.yaml")
    // It lasts until it has been seen.
    try folder.writeProgram(
      """
      #!/bin/sh
      echo "$1" > '\(folder.path)/new' && mv '\(folder.path)/new' '\(folder.path)/opened'
      until [ -e '\(folder.path)/seen' ] || [ ! -d '\(folder.path)' ]; do sleep 0.1; done

      """, to: "xdg-open")
    let program = try folder.write(Self.program, to: "manager.py")
    let network = Namespaces(network: true, then: ["ip address add dev lo 192.0.2.1/32"])
    let child = try Child(network.command(["python3", program, folder.path, Visgraph.path, graph]))
    #expect(child.exitCode(within: 90) == 0, "\(child.notes) \(child.results)")
    #expect(
      child.results.split(separator: "\n") == [
        "/reply", "True False", "403", "303 /desk  Path=/; HttpOnly; SameSite=Strict", "403", "200 200",
        "403 403",
        "101 True", "ended 0 0",
      ], "\(child.notes)")
  }
}
