import Glibc
import Synchronization
import System

/// A serial device that takes packets, the newest alone where it is slow. Opened by itself, and again after it was pulled out.
final class SerialSink: PacketSink {
  private let link: SerialLink

  /// Begins at once to open it. [control]
  init(_ path: String) {
    link = SerialLink(path)
    link.start()
  }

  deinit { link.close(within: 0.2) }

  func send(_ packet: UnsafeRawBufferPointer) { link.send(packet) }
  func flush(within seconds: Double) { link.flush(within: seconds) }

  var timesReady: Int { link.timesReady.load(ordering: .acquiring) }
  var isWell: Bool { link.trouble.load(ordering: .relaxed) == 0 }
  var failed: UInt64 { link.failed.load(ordering: .relaxed) }
  var state: String {
    switch link.trouble.load(ordering: .relaxed) {
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

/// The thread of a serial device and what is between it and who sends. It owns a reference to this and to nothing else.
private final class SerialLink: Sendable {
  /// Seconds between two attempts to open the device.
  static let pause = 0.5
  /// For how many milliseconds a device may take nothing, before it is opened anew.
  static let patience: Int32 = 250

  let path: String
  /// How often the device was opened.
  let timesReady = Atomic<Int>(0)
  /// Packets that did not go, or went too late to be of use.
  let failed = Atomic<UInt64>(0)
  /// The `errno` of the last attempt; 0 where all is well.
  let trouble = Atomic<Int32>(0)
  private let waiting = Locked<(packet: [UInt8], isNew: Bool)>(([], false))
  /// Whether a packet is on its way to the device.
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
      trouble.store(error.number, ordering: .relaxed)
      done.set()
    }
  }

  /// Has a packet sent; never waits for the device. One that has not gone by then is of no more use. [frame]
  func send(_ packet: UnsafeRawBufferPointer) {
    let wasNew = waiting.withLockSoon { waiting in
      defer { waiting.isNew = true }
      waiting.packet.removeAll(keepingCapacity: true)
      waiting.packet.append(contentsOf: packet)
      return waiting.isNew
    }
    // Either the one before is lost, or this one.
    if wasNew == false { wake?.ring() } else { failed.add(1, ordering: .relaxed) }
  }

  /// Waits until what was handed over has gone, for so long at most; not for a device that is not well. After a crash its
  /// thread may hold the lock for ever. [frame]
  func flush(within seconds: Double) {
    for _ in 0..<Int(seconds * 1000) {
      guard trouble.load(ordering: .relaxed) == 0, timesReady.load(ordering: .relaxed) > 0 else { return }
      let isBusy = waiting.withLockSoon { $0.isNew || isWriting.load(ordering: .acquiring) } ?? true
      if !isBusy { return }
      usleep(1000)
    }
  }

  /// Ends it; what waits still goes, for as long as said. [any]
  func close(within seconds: Double) {
    isClosed.store(true, ordering: .releasing)
    wake?.ring()
    done.wait(until: .after(seconds: seconds))
  }

  private func run(_ wake: WakePipe) {
    var packet: [UInt8] = []
    packet.reserveCapacity(1024)
    while !isClosed.load(ordering: .acquiring) {
      do throws(Errno) {
        let device = try SerialDevice(path)
        trouble.store(0, ordering: .relaxed)
        timesReady.add(1, ordering: .releasing)
        let error = serve(device, wake, &packet)
        trouble.store(error.number, ordering: .relaxed)
      } catch {
        trouble.store(error.number, ordering: .relaxed)
      }
      if !isClosed.load(ordering: .acquiring) { wake.wait(seconds: Self.pause) }
    }
    done.set()
  }

  /// Sends what comes until the device is gone or the end is asked for; gives what is wrong.
  private func serve(_ device: borrowing SerialDevice, _ wake: WakePipe, _ packet: inout [UInt8]) -> Errno {
    while true {
      let isOver = isClosed.load(ordering: .acquiring)
      let isNew = waiting.withLock { waiting in
        guard waiting.isNew else { return false }
        waiting.isNew = false
        isWriting.store(true, ordering: .relaxed)
        swap(&packet, &waiting.packet)
        return true
      }
      if isNew {
        let error = device.write(packet, patience: Self.patience)
        isWriting.store(false, ordering: .releasing)
        if let error {
          failed.add(1, ordering: .relaxed)
          return error
        }
      } else if isOver {
        _ = device.drain(milliseconds: 100)
        return Errno(0)
      } else {
        wake.wait(seconds: Self.pause)
        if let error = device.readAway() { return error }
      }
    }
  }
}
