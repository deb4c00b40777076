import NIOCore

/// Pictures that are there for good once they have come: each is fetched once for all who ask meanwhile, as an address
/// stands for one version of a file. [view]
final class KeptPictures: @unchecked Sendable {
  private let loop: any EventLoop
  private let most: Int
  private var kept: [String: PagePicture] = [:]
  private var fetches: [String: EventLoopFuture<PagePicture?>] = [:]

  /// None yet; of those that come so many bytes are kept at most.
  init(on loop: any EventLoop, most: Int = 128 << 20) { (self.loop, self.most) = (loop, most) }

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
    if sum > most { kept = [:] }
    kept[path] = picture
  }
}
