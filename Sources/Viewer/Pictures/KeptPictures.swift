import NIOCore

/// A picture for pages.
struct PagePicture: Sendable {
  /// The media type.
  var type: String
  var bytes: ByteBuffer
  /// Whether its path always names the same bytes, so that it can be cached.
  var isLasting = true
}

/// A cache of pictures. Simultaneous requests share one read; pictures whose path names one version of a file are kept.
/// [view]
final class KeptPictures: @unchecked Sendable {
  /// The maximum size of all kept pictures, in bytes.
  private static let most = 128 << 20

  private let loop: any EventLoop
  private var kept: [String: PagePicture] = [:]
  private var fetches: [String: EventLoopFuture<PagePicture?>] = [:]

  init(on loop: any EventLoop) { self.loop = loop }

  /// The number of pictures that are being read.
  var coming: Int { fetches.count }

  /// The picture at a path; nil: it is neither kept nor being read.
  func known(_ path: String) -> EventLoopFuture<PagePicture?>? {
    if let picture = kept[path] { return loop.makeSucceededFuture(picture) }
    return fetches[path]
  }

  /// Registers a read of a path that is not known yet; it must complete on the same event loop.
  func keep(_ coming: EventLoopFuture<PagePicture?>, _ path: String) -> EventLoopFuture<PagePicture?> {
    fetches[path] = coming
    coming.whenComplete { result in
      self.fetches[path] = nil
      if case .success(let picture?) = result, picture.isLasting { self.keep(picture, path) }
    }
    return coming
  }

  private func keep(_ picture: PagePicture, _ path: String) {
    // A full cache is emptied. Pictures of the running graph are read again; those of earlier graphs are gone.
    let sum = kept.values.reduce(picture.bytes.readableBytes) { $0 + $1.bytes.readableBytes }
    if sum > Self.most { kept = [:] }
    kept[path] = picture
  }
}
