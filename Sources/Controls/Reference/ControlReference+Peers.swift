extension ControlReference {
  /// The section on datagrams of other machines.
  static let peers = """

    ### By UDP from another machine

    The sender of a datagram can forge its source address, and a show must not flood a machine that has not asked for \
    anything. So `subscribe` and `status` by UDP from another machine are first answered with `/visgraph/challenge \
    TOKEN`. Send that message back as it came, from the same port, within \(Int(PeerProofs.timeout)) s, and what was \
    asked for follows. A subscription by TCP ends with its connection. By UDP, a subscriber is \
    challenged again every \(Int(PeerProofs.pause)) s as long as its LEASE lasts; \
    one that has sent none back for \(Int(PeerProofs.lease)) s gets nothing more. With python-osc:

    ```python
    from pythonosc.osc_message import OscMessage
    from pythonosc.udp_client import SimpleUDPClient

    show = SimpleUDPClient("192.168.1.2", 7770)
    show.send_message("/visgraph/subscribe", ["/visgraph/level", 30, 3600])
    while packet := show.receive(30):
        if packet.startswith(b"/visgraph/challenge"):
            show.send_message("/visgraph/challenge", OscMessage(packet).params)
    ```

    A datagram of a sender that has sent no challenge back is answered with at most \(AnswerBudget.factor) times its \
    own bytes; an error is cut to that. One machine is sent \(Int(SendBudget.bytesPerSecond / 1000)) kB a second at \
    most, and may have \(Feedback.mostOfMachine) subscriptions. One that asks for more gets its values less often, \
    always the current ones, and is sent a `/visgraph/error` that says so. None of this holds for this machine, for \
    TCP, and for receivers that the graph names as `feedback`.

    """
}
