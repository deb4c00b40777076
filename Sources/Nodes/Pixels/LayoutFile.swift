import Graphs
import Importers

/// A layout file of a graph, with its content. [control]
struct LayoutFile: FieldValue {
  /// The layout, and a hash of its places (FNV-1a on words of 64 bits, with a shift that mixes in the high bits).
  final class Content: Sendable {
    let layout: LedLayout
    let digest: UInt64

    init(_ layout: LedLayout) {
      self.layout = layout
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for place in layout.places {
        let numbers = place.map { [$0.x, $0.y, $0.z] } ?? [.infinity]
        for bits in numbers.map(\.bitPattern) { hash = (hash ^ bits ^ bits >> 29) &* 0x100_0000_01B3 }
      }
      digest = hash
    }
  }

  /// The file as the graph names it.
  let file: GraphFile
  /// The content of the file.
  let content: Content

  /// The number of its LEDs.
  var count: Int { content.layout.places.count }

  static var kind: ValueKind { .file }

  /// Reads the path and the file; nil where one is faulty, with the fault in `context`.
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> LayoutFile? {
    guard let file = GraphFile.read(tree, as: kind, context) else { return nil }
    let content = context.content(of: file, as: "a layout", tree) { bytes in
      do throws(ImportError) {
        return .success(Content(try LedLayout.read(bytes, called: file.text, most: PixelRun.most)))
      } catch {
        return .failure(Diagnostic(error.code, error.message, at: nil))
      }
    }
    return content.map { LayoutFile(file: file, content: $0) }
  }

  func written(as kind: ValueKind) -> String { file.written(as: kind) }

  /// The path and the hash, because a file may change under the same name.
  func written(as kind: ValueKind, asking change: Change) -> String {
    "\(file.written(as: kind)) \(String(content.digest, radix: 16))"
  }
}
