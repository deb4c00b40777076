/// Receives the pictures and the sound of a film, frame by frame. [one]
public protocol VideoOutput: AnyObject {
  /// Its format, codec and quality.
  var recipe: VideoSettings { get }
  /// Whether it has failed. `finish` throws the reason.
  var isBroken: Bool { get }
  /// Whether it needs the picture of a frame. Frames count from 1.
  func wants(_ frame: Int64) -> Bool
  /// Takes the interleaved samples of a frame. Called for every frame, before its picture.
  func add(sound: [Float], frame: Int64)
  /// Takes the picture of a frame that it needs. Waits while its queue is full.
  func add(_ picture: VideoPixels, frame: Int64)
  /// Writes the rest. `isEnd` is false if the film was stopped early.
  func finish(isEnd: Bool) throws(VideoError)
  /// Gives up the film and removes what is incomplete.
  func abandon()
}

extension VideoWriter: VideoOutput {
  /// Always true.
  public func wants(_ frame: Int64) -> Bool { true }

  /// Takes the samples of the next frame.
  public func add(sound: [Float], frame: Int64) { add(sound: sound) }

  /// Takes the picture of the next frame.
  public func add(_ picture: VideoPixels, frame: Int64) { add(picture) }

  /// Finishes the file, also if the film was stopped early.
  public func finish(isEnd: Bool) throws(VideoError) { try finish() }
}
