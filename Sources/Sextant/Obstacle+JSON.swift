import Geometry
import Routing

extension Obstacle {
    /// Writes why there is no route as an object: `reason` in words, `stop` and `roads` of an end that is cut off,
    /// `hindrances` with what to allow, and `reachable`, the place up to which one gets, with `distanceLeft`.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("reason", words { "stop \($0 + 1)" })
            if let end {
                $0.member("stop", end)
                $0.member("roads", roads)
            }
            $0.key("hindrances")
            $0.array { list in
                for hindrance in hindrances {
                    list.object {
                        $0.member("kind", hindrance.kind)
                        $0.member("osm", hindrance.id.description)
                        if !hindrance.road.isEmpty { $0.member("road", hindrance.road) }
                        $0.key("location")
                        $0.position(hindrance.coordinate)
                        $0.member("text", hindrance.description)
                        $0.member("allow", hindrance.remedy)
                    }
                }
            }
            if let reach {
                $0.key("reachable")
                $0.position(reach.coordinate)
                $0.member("distanceLeft", reach.distance, decimals: 1)
            }
        }
    }
}
