import Glibc
import Synchronization
import System

/// Sends packets to a serial device. A slow device gets only the newest packet. A thread opens the device, and opens it
/// again after it was unplugged.
final class SerialSink: PacketSink {
  private let link: SerialLink

  /// Starts to open the device at once. [control]
  init(_ path: String) {
    link = SerialLink(path)
    link.start()
  }

  /// Does not wait for a write that takes longer than 0.2 s, up to its timeout: the thread then ends by itself.
  deinit { link.close(within: 0.2) }

  func send(_ packet: UnsafeRawBufferPointer) { link.send(packet) }
  func flush(within seconds: Double) { link.flush(within: seconds) }

  /// How often the device was opened. [any]
  var timesReady: Int { link.timesReady.load(ordering: .acquiring) }
  /// Whether the last attempt to open or write had no fault. [any]
  var isWell: Bool { link.lastError.load(ordering: .relaxed) == 0 }
  var failed: UInt64 { link.dropped.load(ordering: .relaxed) }
  var state: String {
    switch link.lastError.load(ordering: .relaxed) {
    case 0: timesReady > 0 ? "sending to \(link.path)" : "opening \(link.path)"
    case ENOENT, ENODEV, ENXIO, EIO: "\(link.path) is not there; is it plugged in?"
    case EACCES, EPERM: "\(link.path) may not be opened; is this user in the group dialout?"
    case EBUSY: "another program has \(link.path)"
    case ENOTTY: "\(link.path) is no serial device"
    case EAGAIN: "\(link.path) takes nothing"
    case let error: "cannot send to \(link.path): \(Errno(error).text)"
    }
  }
}

/// The thread of a serial device, and the packet that waits for it. The thread holds a reference to this object and
/// to no other.
private final class SerialLink: Sendable {
  /// Seconds until a device with a fault is opened again, at most: the next packet ends the wait.
  static let retryPause = 0.5
  /// Seconds without a packet until the thread looks whether the device is still plugged in.
  static let idlePause = 0.5
  /// Timeout of a write in milliseconds; the device is then opened anew.
  static let writeTimeout: Int32 = 250

  let path: String
  /// How often the device was opened.
  let timesReady = Atomic<Int>(0)
  /// Packets that were not sent: a write failed, the lock was held, or a newer packet replaced them because the device is
  /// slow.
  let dropped = Atomic<UInt64>(0)
  /// The `errno` of the last attempt; 0: none.
  let lastError = Atomic<Int32>(0)
  private let waiting = Locked<(packet: [UInt8], isNew: Bool)>(([], false))
  /// Whether a packet is being written to the device.
  private let isWriting = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)
  private let wake = WakePipe()
  private let done = Latch(resets: .never)

  init(_ path: String) {
    self.path = path
    waiting.withLock { $0.packet.reserveCapacity(1024) }
  }

  func start() {
    do throws(Errno) {
      guard let wake else { throw Errno() }
      _ = try Thread("serial", as: Thread.Options(blockedSignals: .allButFaults)) { [self] in run(wake) }
    } catch {
      lastError.store(error.number, ordering: .relaxed)
      done.set()
    }
  }

  /// Hands over a packet without waiting for the device. It replaces a packet that still waits. [frame]
  func send(_ packet: UnsafeRawBufferPointer) {
    let wasNew = waiting.withLockSoon { waiting in
      defer { waiting.isNew = true }
      waiting.packet.removeAll(keepingCapacity: true)
      waiting.packet.append(contentsOf: packet)
      return waiting.isNew
    }
    // Else the packet before was replaced, and the thread is awake; or the lock was held, and this packet is lost.
    if wasNew == false { wake?.wake() } else { dropped.add(1, ordering: .relaxed) }
  }

  /// Waits until the packet has been written, for at most `seconds`; for a device with a fault it does not wait. When the
  /// program crashes, another thread calls this to turn the lights off, and the device's thread may have crashed with the
  /// lock held: so the lock is only tried. [any]
  func flush(within seconds: Double) {
    for _ in 0..<Int(seconds * 1000) {
      guard lastError.load(ordering: .relaxed) == 0, timesReady.load(ordering: .relaxed) > 0 else { return }
      let isBusy = waiting.withLockSoon { $0.isNew || isWriting.load(ordering: .acquiring) } ?? true
      if !isBusy { return }
      usleep(1000)
    }
  }

  /// Ends the thread after it has sent the waiting packet, and waits for that for at most `seconds`. [any]
  func close(within seconds: Double) {
    isClosed.store(true, ordering: .releasing)
    wake?.wake()
    done.wait(until: .after(seconds: seconds))
  }

  private func run(_ wake: WakePipe) {
    var packet: [UInt8] = []
    packet.reserveCapacity(1024)
    while !isClosed.load(ordering: .acquiring) {
      do throws(Errno) {
        let device = try SerialDevice(path)
        lastError.store(0, ordering: .relaxed)
        timesReady.add(1, ordering: .releasing)
        let error = serve(device, wake, &packet)
        lastError.store(error.number, ordering: .relaxed)
      } catch {
        lastError.store(error.number, ordering: .relaxed)
      }
      if !isClosed.load(ordering: .acquiring) { wake.wait(seconds: Self.retryPause) }
    }
    done.set()
  }

  /// Writes packets until the device is gone or the end is requested; returns the fault.
  private func serve(_ device: borrowing SerialDevice, _ wake: WakePipe, _ packet: inout [UInt8]) -> Errno {
    while true {
      let isLast = isClosed.load(ordering: .acquiring)
      let isNew = waiting.withLock { waiting in
        guard waiting.isNew else { return false }
        waiting.isNew = false
        isWriting.store(true, ordering: .relaxed)
        swap(&packet, &waiting.packet)
        return true
      }
      if isNew {
        let error = device.write(packet, timeout: Self.writeTimeout)
        isWriting.store(false, ordering: .releasing)
        if let error {
          dropped.add(1, ordering: .relaxed)
          return error
        }
      } else if isLast {
        _ = device.drain(milliseconds: 100)
        return Errno(0)
      } else {
        wake.wait(seconds: Self.idlePause)
        if let error = device.readAway() { return error }
      }
    }
  }
}
