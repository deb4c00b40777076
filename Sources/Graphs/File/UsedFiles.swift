/// The files that a graph uses besides itself: each is looked at once, however often it is named. [control]
final class UsedFiles {
  private let pictureCheck: PictureCheck?
  private var verdicts: [String: (code: String, sentence: String)?] = [:]
  private var seen: Set<String> = []
  /// Their paths, in the order in which they were met.
  private(set) var paths: [String] = []

  init(pictures: PictureCheck? = nil) { pictureCheck = pictures }

  /// Notes that a file is used; also one at fault, since it may be mended.
  func use(_ path: String) {
    if seen.insert(path).inserted { paths.append(path) }
  }

  /// What is wrong with a picture; nil when it can be shown.
  func fault(ofPicture path: String) -> (code: String, sentence: String)? {
    if let verdict = verdicts[path] { return verdict }
    use(path)
    let verdict =
      verdicts.count < Limits.pictures
      ? pictureCheck?(path)
      : ("too-many-pictures", "the graph uses more than \(Limits.pictures) pictures")
    verdicts[path] = .some(verdict)
    return verdict
  }
}
