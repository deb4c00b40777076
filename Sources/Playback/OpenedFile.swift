import CSndfile
import Glibc
import Synchronization

/// libsndfile keeps the reason why an opening failed in one place for the whole process.
private let opening = Mutex(())

/// A file that has passed every check and is open.
///
/// [control] Whoever takes it closes it.
struct OpenedFile {
  let descriptor: Int32
  let handle: OpaquePointer
  let format: AudioFormat
  /// Whether every sample is a whole number of 16 bits, so that reading it as one loses nothing.
  let isSixteenBit: Bool

  /// Opens what lies at a path.
  init(path: String) throws(AudioFault) {
    let descriptor = try OpenedFile.descriptor(of: path)
    do {
      self = try OpenedFile(descriptor: descriptor, path: path)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  /// Sets up a fresh decoder for a file that is open; the descriptor stays open whatever happens.
  init(descriptor: Int32, path: String) throws(AudioFault) {
    // libsndfile takes the place where the descriptor stands for the file's beginning.
    lseek(descriptor, 0, SEEK_SET)
    // It gets a descriptor of its own: when it refuses a file it closes it, even if told to leave that to us.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw AudioFault(.unreadable, path: path, reason: text(strerror(errno))) }
    var info = SF_INFO()
    let (opened, code, reason) = opening.withLock { _ in
      // By descriptor libsndfile judges a file by its bytes, not by the ending of its name.
      let opened = sf_open_fd(own, Int32(SFM_READ), &info, 1)
      return (opened, sf_error(opened), text(sf_strerror(opened)))
    }
    guard let opened else { throw AudioFault(OpenedFile.code(of: code), path: path, reason: reason) }
    do {
      format = try OpenedFile.format(of: opened, info, path: path)
    } catch {
      sf_close(opened)
      throw error
    }
    isSixteenBit = Int(info.format) & Int(SF_FORMAT_SUBMASK) == Int(SF_FORMAT_PCM_16)
    self.descriptor = descriptor
    handle = opened
  }

  /// Closes the decoder and the file.
  func close() {
    sf_close(handle)
    Glibc.close(descriptor)
  }

  /// Opens the file itself, refusing what is not a regular file with something in it.
  private static func descriptor(of path: String) throws(AudioFault) -> Int32 {
    // Without O_NONBLOCK the opening of a pipe would wait for somebody to write into it.
    let descriptor = path.contains("\0") ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let error = path.contains("\0") ? EINVAL : errno
      let code: AudioFault.Code = error == ENOENT || error == ENOTDIR ? .missing : .unreadable
      throw AudioFault(code, path: path, reason: text(strerror(error)))
    }
    var status = stat()
    var fault: AudioFault?
    if fstat(descriptor, &status) != 0 {
      fault = AudioFault(.unreadable, path: path, reason: text(strerror(errno)))
    } else if status.st_mode & S_IFMT == S_IFDIR {
      fault = AudioFault(.folder, path: path)
    } else if status.st_mode & S_IFMT != S_IFREG {
      fault = AudioFault(.notAFile, path: path)
    } else if status.st_size == 0 {
      fault = AudioFault(.empty, path: path, reason: "0 bytes")
    }
    guard let fault else { return descriptor }
    Glibc.close(descriptor)
    throw fault
  }

  /// libsndfile's numbers for a bad channel count have no names in its header (32 none, 33 too many).
  private static func code(of error: Int32) -> AudioFault.Code {
    error == 32 || error == 33 ? .channels : .notAudio
  }

  private static func format(
    of handle: OpaquePointer, _ info: SF_INFO, path: String
  ) throws(AudioFault) -> AudioFormat {
    let channels = Int(info.channels)
    let rate = Int(info.samplerate)
    guard AudioFile.channelRange.contains(channels) else {
      throw AudioFault(.channels, path: path, reason: "\(channels) channels")
    }
    guard AudioFile.rateRange.contains(rate) else {
      throw AudioFault(.rate, path: path, reason: "\(rate) Hz")
    }
    guard info.frames > 0 else { throw AudioFault(.empty, path: path, reason: "0 samples") }
    let container = Int(info.format) & Int(SF_FORMAT_TYPEMASK)
    let words = [
      name(container, by: SFC_GET_FORMAT_INFO, handle),
      name(Int(info.format) & Int(SF_FORMAT_SUBMASK), by: SFC_GET_FORMAT_INFO, handle),
    ]
    let frames = info.frames == .max ? nil : Int64(info.frames)
    var warning = HeaderLog(of: handle).missingBytes.map { bytes in
      AudioFault(
        .truncated, path: path, reason: "\(bytes.there) bytes of sound, \(bytes.stated) in the header")
    }
    if frames == nil, container == Int(SF_FORMAT_OGG) {
      // Only the last page of an Ogg file has its length.
      warning = AudioFault(.truncated, path: path, reason: "its last page is missing")
    }
    return AudioFormat(
      channels: channels, rate: rate, frames: frames,
      // Only a file with an encoder's tag knows; libsndfile does not say whether there is one.
      framesAreExact: container != Int(SF_FORMAT_MPEG),
      description: words.filter { !$0.isEmpty }.joined(separator: ", "),
      warning: warning)
  }

  private static func name(_ format: Int, by command: Int, _ handle: OpaquePointer) -> String {
    var info = SF_FORMAT_INFO()
    info.format = Int32(truncatingIfNeeded: format)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(handle, Int32(command), &info, size) == 0, let name = info.name else { return "" }
    return String(cString: name)
  }
}

/// A C string that may be nil.
func text(_ string: UnsafePointer<CChar>?) -> String { string.map { String(cString: $0) } ?? "" }
