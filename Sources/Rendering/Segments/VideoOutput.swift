/// What takes the pictures and the sound of a film, frame by frame. [one]
public protocol VideoOutput: AnyObject {
  /// How it is made.
  var recipe: VideoSettings { get }
  /// Whether it takes no more: `finish` says why.
  var isBroken: Bool { get }
  /// Whether the picture of a frame is to be drawn for it. Frames count from 1.
  func wants(_ frame: Int64) -> Bool
  /// Takes the samples of a frame, channel by channel within each. To be called for each frame, before its picture.
  func add(sound: [Float], frame: Int64)
  /// Takes the picture of a frame that it wants; waits while too many are waiting.
  func add(_ picture: VideoPixels, frame: Int64)
  /// Writes what is left. `isEnd`: whether the film ends here, and was not stopped.
  func finish(isEnd: Bool) throws(VideoError)
  /// Gives it up: nothing that is not whole is left.
  func abandon()
}

extension VideoWriter: VideoOutput {
  /// All of them.
  public func wants(_ frame: Int64) -> Bool { true }

  /// Takes the samples of the next frame.
  public func add(sound: [Float], frame: Int64) { add(sound: sound) }

  /// Takes the picture of the next frame.
  public func add(_ picture: VideoPixels, frame: Int64) { add(picture) }

  /// A film that is stopped is finished as well.
  public func finish(isEnd: Bool) throws(VideoError) { try finish() }
}
