import Glibc
import Synchronization
import System

/// The program that packs pictures and sound: a child with one pipe for each.
///
/// The encoders stay in a program of their own for the sake of their licenses.
final class FilmEncoder: @unchecked Sendable {
  private let process: ChildProcess
  private let log: Thread
  private let said: Said
  private let patience: FilmPatience

  /// The last of what a child says, however much it is.
  private final class Said: Sendable {
    let bytes = Locked<[UInt8]>([])
  }

  /// How it ended.
  enum Ending: Equatable {
    case itself(ChildProcess.Ending)
    /// It did nothing any more, and we ended it.
    case still
  }

  /// Starts `command`, looked for on the PATH, with `pictures` as descriptor 0 and `sound` as descriptor 3. What
  /// it says is kept, with `listensToResults` also its results. Once `patience` is at its end it is ended. Throws what the
  /// system says.
  init(
    _ command: [String], pictures: Int32? = nil, sound: Int32? = nil, listensToResults: Bool = false,
    patience: FilmPatience
  ) throws(Errno) {
    let notes = try ChildPipe()
    var descriptors: [Int32: Int32] = [2: notes.writing]
    if listensToResults { descriptors[1] = notes.writing }
    descriptors[0] = pictures
    descriptors[3] = sound
    do throws(Errno) {
      defer { close(notes.writing) }
      process = try ChildProcess(command, descriptors: descriptors)
    } catch {
      close(notes.reading)
      throw error
    }
    let said = Said()
    do throws(Errno) {
      log = try Thread(as: .filmWriter) { Self.read(notes.reading, into: said) }
    } catch {
      close(notes.reading)
      process.kill()
      _ = process.wait()
      throw error
    }
    self.patience = patience
    self.said = said
  }

  private static func read(_ descriptor: Int32, into said: Said) {
    while let bytes = try? Descriptor.readSome(4096, from: descriptor), !bytes.isEmpty {
      said.bytes.withLock { $0 = ($0 + bytes).suffix(16384) }
    }
    close(descriptor)
  }

  /// The processor time that a child had spent when somebody last looked.
  private final class Spent: Sendable {
    let microseconds = Atomic<Int>(-1)
  }

  /// A watch on it: whether it has said something and done nothing since this watch was last asked. Any thread
  ///
  /// When ffmpeg gives up with one of its pipes open, it waits for that pipe's end before it ends itself, and we would
  /// wait for it to read the other. Each pipe has a watch of its own: two that ask at the same moment would else take
  /// each other's look for a second without work.
  func watch() -> @Sendable () -> Bool {
    let (spent, said, process, patience) = (Spent(), said, process, patience)
    return {
      let now = process.processorTime
      if patience.isOver(worked: now) { return true }
      guard said.bytes.withLock({ !$0.isEmpty }) else { return false }
      guard let now else { return true }
      return spent.microseconds.exchange(now, ordering: .relaxed) == now
    }
  }

  /// Ends it at once, with all that it has started.
  func end() { process.kill() }

  /// Waits for its end; gives how it ended and the last lines it said.
  func wait() -> (ending: Ending, lines: [String]) {
    var pause = 0.001
    var ending: Ending?
    while ending == nil {
      if let own = process.ending() {
        ending = .itself(own)
      } else if patience.isOver(worked: process.processorTime) {
        end()
        _ = process.wait()
        ending = .still
      } else {
        MonotonicClock.sleep(seconds: pause)
        pause = min(0.02, pause * 2)
      }
    }
    log.join()
    let lines = String(decoding: said.bytes.withLock { $0 }, as: UTF8.self).split(whereSeparator: \.isNewline)
    return (ending ?? .still, lines.map(String.init))
  }
}
