/// Opens an audio file with the decoder that is best for what is in it. [control]
///
/// - Parameter path: the file, relative to the working folder or absolute.
/// - Throws: `AudioFault`: `.missing`, `.folder`, `.notAFile`, `.unreadable`, `.empty`, `.notAudio`, `.channels` or
///   `.rate`.
public func openAudio(_ path: String) throws(AudioFault) -> any AudioReader {
  try AudioFile(path: path)
}
