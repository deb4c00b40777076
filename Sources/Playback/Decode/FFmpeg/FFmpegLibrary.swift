#if FFmpeg
  import CFfmpeg

  /// The functions of FFmpeg, loaded when the first file needs them. [any]
  enum FFmpegLibrary {
    /// The functions.
    ///
    /// - Throws: `AudioFault` with the code `.decoder` where the libraries are not installed.
    static func functions(for path: String) throws(AudioFault) -> vg_ffmpeg {
      guard let functions = vg_ffmpeg_functions() else {
        throw AudioFault(.decoder, path: path, reason: text(vg_ffmpeg_reason()))
      }
      return functions.pointee
    }
  }

  extension vg_ffmpeg {
    /// What a number of an error means, in FFmpeg's words.
    func words(_ error: Int32) -> String {
      var bytes = [CChar](repeating: 0, count: 128)
      _ = av_strerror(error, &bytes, bytes.count)
      bytes[bytes.count - 1] = 0
      return bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
  }
#endif
