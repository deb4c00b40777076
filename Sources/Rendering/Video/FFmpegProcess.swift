import Glibc
import Synchronization
import System

/// ffmpeg, which packs pictures and sound: a child process with one pipe for each.
///
/// The encoders stay in a program of their own for the sake of their licenses.
final class FFmpegProcess: @unchecked Sendable {
  private let process: ChildProcess
  private let log: Thread
  private let output: Output
  private let watchdog: ProcessWatchdog

  /// The last of what a child says, however much it is.
  private final class Output: Sendable {
    let bytes = Locked<[UInt8]>([])
  }

  /// How it ended.
  enum Ending: Equatable {
    case itself(ChildProcess.Ending)
    /// It did nothing any more, and we ended it.
    case stalled
  }

  /// Starts `command`, looked for on the PATH, with `pictures` as descriptor 0 and `sound` as descriptor 3. What
  /// it says is kept, with `listensToResults` also its results. Once `watchdog` says so it is ended. Throws what the
  /// system says.
  init(
    _ command: [String], pictures: Int32? = nil, sound: Int32? = nil, listensToResults: Bool = false,
    watchdog: ProcessWatchdog
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
    let output = Output()
    do throws(Errno) {
      log = try Thread(as: .filmWriter) { Self.read(notes.reading, into: output) }
    } catch {
      close(notes.reading)
      process.kill()
      _ = process.wait()
      throw error
    }
    self.watchdog = watchdog
    self.output = output
  }

  /// The program with the ends of its pipes that pictures and sound are written to; who takes them closes them.
  struct Piped {
    let process: FFmpegProcess
    let pictures: Int32
    let sound: Int32?
  }

  /// Starts `command` with a pipe for its pictures, which has this room, and one for its sound where there is some.
  static func piped(
    _ command: [String], room: Int32? = nil, hasSound: Bool, watchdog: ProcessWatchdog
  ) throws(Errno) -> Piped {
    let pictures = try ChildPipe(room: room)
    defer { close(pictures.reading) }
    let sound: ChildPipe?
    do throws(Errno) { sound = hasSound ? try ChildPipe() : nil } catch {
      close(pictures.writing)
      throw error
    }
    defer { if let sound { close(sound.reading) } }
    do throws(Errno) {
      let process = try FFmpegProcess(
        command, pictures: pictures.reading, sound: sound?.reading, watchdog: watchdog)
      return Piped(process: process, pictures: pictures.writing, sound: sound?.writing)
    } catch {
      close(pictures.writing)
      if let sound { close(sound.writing) }
      throw error
    }
  }

  private static func read(_ descriptor: Int32, into output: Output) {
    while let bytes = try? Descriptor.readSome(4096, from: descriptor), !bytes.isEmpty {
      output.bytes.withLock { $0 = ($0 + bytes).suffix(16384) }
    }
    close(descriptor)
  }

  /// The processor time that a child had spent at the last look.
  private final class LastTime: Sendable {
    let microseconds = Atomic<Int>(-1)
  }

  /// A watch on it: whether it has said something and done nothing since this watch was last asked. Any thread
  ///
  /// When ffmpeg gives up with one of its pipes open, it waits for that pipe's end before it ends itself, and we would
  /// wait for it to read the other. Each pipe has a watch of its own: two that ask at the same moment would else take
  /// each other's look for a second without work.
  func watch() -> @Sendable () -> Bool {
    let (last, output, process, watchdog) = (LastTime(), output, process, watchdog)
    return {
      let now = process.processorTime
      if watchdog.isOver(worked: now) { return true }
      guard output.bytes.withLock({ !$0.isEmpty }) else { return false }
      guard let now else { return true }
      return last.microseconds.exchange(now, ordering: .relaxed) == now
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
      } else if watchdog.isOver(worked: process.processorTime) {
        end()
        _ = process.wait()
        ending = .stalled
      } else {
        MonotonicClock.sleep(seconds: pause)
        pause = min(0.02, pause * 2)
      }
    }
    log.join()
    let lines = String(decoding: output.bytes.withLock { $0 }, as: UTF8.self).split(
      whereSeparator: \.isNewline)
    return (ending ?? .stalled, lines.map(String.init))
  }
}
