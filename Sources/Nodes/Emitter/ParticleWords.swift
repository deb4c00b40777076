public import Graphs
public import Particles

// The words of layers and cells are words of graph files too.
extension EmitterShape: FieldChoice {}
extension EmitterMode: FieldChoice {}
extension RenderMode: FieldChoice {}
extension ContentsFilter: FieldChoice {}
extension FillMode: FieldChoice {}
extension RangeReading: FieldChoice {}
extension LatitudeReading: FieldChoice {}
extension DirectionReading: FieldChoice {}
extension LifetimeReading: FieldChoice {}
