import OSC

/// Limits the bytes a second to each machine whose datagrams may be forged; a machine that asks for more gets its
/// values less often. [port]
struct SendBudget {
  /// Bytes a second, including IP and UDP headers.
  static let bytesPerSecond = 200_000.0
  /// The least time between two notes to a machine that its values come less often, and for how long they must have
  /// been held back before the first, in seconds.
  private static let (noteInterval, noteDelay) = (10.0, 1.0)
  /// The most machines that are remembered; those without debt are removed first.
  private static let most = 256

  private struct Account {
    /// Bytes sent ahead of the rate, at `time` in seconds.
    var debt = 0.0
    var time: Double
    /// The first and last time at which something was held back, of a stretch without gaps of `noteDelay`.
    var held: (first: Double, last: Double)?
    /// When the machine was last sent that note.
    var noted = -Double.infinity

    func debt(at time: Double) -> Double { max(0, debt - (time - self.time) * SendBudget.bytesPerSecond) }
  }

  private var accounts: [IPAddress: Account] = [:]

  /// The seconds until a machine may be sent something; 0: now. Times here and below are in seconds.
  func wait(for machine: IPAddress, at time: Double) -> Double {
    (accounts[machine]?.debt(at: time) ?? 0) / Self.bytesPerSecond
  }

  /// Counts packets to a machine.
  mutating func spend(_ packets: some Sequence<[UInt8]>, for machine: IPAddress, at time: Double) {
    if accounts[machine] == nil, accounts.count >= Self.most {
      accounts = accounts.filter { $0.value.debt(at: time) > 0 }
    }
    let bytes = packets.reduce(0) { $0 + $1.count + AnswerBudget.headers }
    var account = accounts[machine] ?? Account(time: time)
    (account.debt, account.time) = (account.debt(at: time) + Double(bytes), time)
    accounts[machine] = account
  }

  /// Notes that values for a machine are held back; returns whether to send it a note.
  mutating func hold(for machine: IPAddress, at time: Double) -> Bool {
    guard var account = accounts[machine] else { return false }
    defer { accounts[machine] = account }
    guard let held = account.held, time - held.last < Self.noteDelay else {
      account.held = (time, time)
      return false
    }
    account.held = (held.first, time)
    guard time - held.first >= Self.noteDelay, time - account.noted >= Self.noteInterval else { return false }
    account.noted = time
    return true
  }
}
