import Engine
import Graphs

extension NodeContext {
  /// The route of a node, which is kept from plan to plan while the same `key` and the same universes are requested. In
  /// a new route with the same `key`, universes that the plan before had stay lit. `firstName` is the name of the first
  /// universe in the protocol, where it differs from its number. [control]
  func universeRoute(
    _ key: String, _ places: UniversePlaces, firstName: String? = nil,
    to destinations: [PacketDestination],
    _ streams: () -> [any UniverseStream]
  ) -> UniverseRoute {
    let lights = places.universes.map { keptLights("\(key) \($0)") }
    let routeKey = "\(key) \(places.universes)"
    return keep(if: { (route: UniverseRoute) in route.key == routeKey }) {
      UniverseRoute(
        routeKey, places, firstName: firstName, fps: fps.perSecond, streams: streams(), to: destinations,
        lights: lights, observer: configuration.universes, id: id)
    }
  }

  /// The lights of a universe or a device of the node, which stay on from plan to plan while the same `key` is
  /// requested, also where the route is kept: objects that no plan requests are released. [control]
  func keptLights(_ key: String) -> UniverseRoute.KeptLights {
    share("lights of \(id) \(key)") { UniverseRoute.KeptLights() }
  }
}
