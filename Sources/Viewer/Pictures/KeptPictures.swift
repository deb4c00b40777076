import NIOCore

/// A picture that pages show.
struct PagePicture: Sendable {
  /// What it is, as HTTP says it.
  var type: String
  var bytes: ByteBuffer
  /// Whether its address will never stand for another.
  var isLasting = true
}

/// Pictures, each fetched once for all who ask meanwhile; what lasts, as its address stands for one version of a file, is
/// kept. [view]
final class KeptPictures: @unchecked Sendable {
  /// The most bytes of all that are kept.
  private static let most = 128 << 20

  private let loop: any EventLoop
  private var kept: [String: PagePicture] = [:]
  private var fetches: [String: EventLoopFuture<PagePicture?>] = [:]

  init(on loop: any EventLoop) { self.loop = loop }

  /// How many are on their way.
  var coming: Int { fetches.count }

  /// The picture at a path; nil where it is neither kept nor on its way.
  func known(_ path: String) -> EventLoopFuture<PagePicture?>? {
    if let picture = kept[path] { return loop.makeSucceededFuture(picture) }
    return fetches[path]
  }

  /// Keeps what comes, by the same loop, for a path that is not known yet.
  func keep(_ coming: EventLoopFuture<PagePicture?>, _ path: String) -> EventLoopFuture<PagePicture?> {
    fetches[path] = coming
    coming.whenComplete { result in
      self.fetches[path] = nil
      if case .success(let picture?) = result, picture.isLasting { self.keep(picture, path) }
    }
    return coming
  }

  private func keep(_ picture: PagePicture, _ path: String) {
    // Those of graphs that are over go when there is no room: what is needed still is fetched again.
    let sum = kept.values.reduce(picture.bytes.readableBytes) { $0 + $1.bytes.readableBytes }
    if sum > Self.most { kept = [:] }
    kept[path] = picture
  }
}
