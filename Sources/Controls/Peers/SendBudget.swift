import OSC

/// How many bytes a second each machine is sent whose datagrams may be forged: a machine that asks for more is sent less often.
/// [port]
struct SendBudget {
  /// Bytes a second, the IP and UDP headers with them.
  static let bytesPerSecond = 200_000.0
  /// Between two notes to one machine that it is sent less often, in seconds; and for how long it must have been so.
  private static let (silence, patience) = (10.0, 1.0)
  /// The most machines that are known; those that owe nothing are forgotten first.
  private static let most = 256

  private struct Account {
    /// Bytes that were sent ahead of the rate, at `time` in seconds.
    var debt = 0.0
    var time: Double
    /// When something was held back first and last, of a stretch without a second's pause.
    var held: (first: Double, last: Double)?
    /// When the machine was last sent that note.
    var told = -Double.infinity

    func debt(at time: Double) -> Double { max(0, debt - (time - self.time) * SendBudget.bytesPerSecond) }
  }

  private var accounts: [IPAddress: Account] = [:]

  /// The seconds until a machine may be sent something; 0: now. At a time in seconds, as all that follows.
  func wait(for machine: IPAddress, at time: Double) -> Double {
    (accounts[machine]?.debt(at: time) ?? 0) / Self.bytesPerSecond
  }

  /// Counts packets that a machine is sent.
  mutating func spend(_ packets: some Sequence<[UInt8]>, for machine: IPAddress, at time: Double) {
    if accounts[machine] == nil, accounts.count >= Self.most {
      accounts = accounts.filter { $0.value.debt(at: time) > 0 }
    }
    let bytes = packets.reduce(0) { $0 + $1.count + AnswerBudget.headers }
    var account = accounts[machine] ?? Account(time: time)
    (account.debt, account.time) = (account.debt(at: time) + Double(bytes), time)
    accounts[machine] = account
  }

  /// Notes that something for a machine is held back; true where the machine is to be sent a note of it.
  mutating func hold(for machine: IPAddress, at time: Double) -> Bool {
    guard var account = accounts[machine] else { return false }
    defer { accounts[machine] = account }
    guard let held = account.held, time - held.last < Self.patience else {
      account.held = (time, time)
      return false
    }
    account.held = (held.first, time)
    guard time - held.first >= Self.patience, time - account.told >= Self.silence else { return false }
    account.told = time
    return true
  }
}
