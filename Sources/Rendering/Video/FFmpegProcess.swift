import Glibc
import Synchronization
import System

/// ffmpeg as a child process, with a pipe for pictures and one for sound. The encoders stay in a separate program
/// because of their licenses.
final class FFmpegProcess: @unchecked Sendable {
  private let process: ChildProcess
  private let log: Thread
  private let output: Output
  private let watchdog: ProcessWatchdog

  /// The last 16,384 bytes that the child has printed.
  private final class Output: Sendable {
    let bytes = Locked<[UInt8]>([])
  }

  /// How it ended.
  enum Ending: Equatable {
    case itself(ChildProcess.Ending)
    /// It did no work any more, so this process killed it.
    case stalled
  }

  /// Starts `command`, found on the PATH, with `pictures` as descriptor 0 and `sound` as descriptor 3. Its stderr is
  /// collected, with `listensToResults` its stdout as well. `watchdog` decides when it is killed. Throws the system's
  /// error.
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

  /// A process, and the write ends of its pipes, which the caller closes.
  struct Piped {
    let process: FFmpegProcess
    let pictures: Int32
    let sound: Int32?
  }

  /// Starts `command` with a pipe for pictures, of `room` bytes, and with `hasSound` one for sound.
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

  /// Collects the child's output until it ends. Runs on `log`.
  private static func read(_ descriptor: Int32, into output: Output) {
    while let bytes = try? Descriptor.readSome(4096, from: descriptor), !bytes.isEmpty {
      output.bytes.withLock { $0 = ($0 + bytes).suffix(16384) }
    }
    close(descriptor)
  }

  /// The processor time of the child at the last check.
  private final class LastTime: Sendable {
    let microseconds = Atomic<Int>(-1)
  }

  /// Makes a check for one pipe. It returns true if the process has printed something and has done no work since the
  /// last call. [any]
  ///
  /// When ffmpeg gives up on one pipe, it waits for the end of the other before it exits, while the writer waits for
  /// ffmpeg to read. Each pipe needs its own check: if two checks shared a `LastTime` and ran at the same moment, the
  /// second would see no work.
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

  /// Kills the process and its child processes.
  func end() { process.kill() }

  /// Waits until the process ends. Returns how it ended, and its last lines of output.
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
