import Geometry
import Guidance
import OpenStreetMap
import Routing
import Sextant

/// Routes in the form of OSRM's answers.
struct OSRMWriter {
    var options: OSRMOptions
    var profile: Profile

    /// The best way first; all lead through the same stops.
    func body(_ routes: [Route]) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 4096)
        json.object {
            $0.member("code", "Ok")
            $0.key("routes")
            $0.array { list in for route in routes { write(route, to: &list) } }
            if !options.skipsWaypoints, let route = routes.first {
                $0.key("waypoints")
                $0.array { list in
                    for (i, waypoint) in route.waypoints.enumerated()
                    where options.waypoints.isEmpty || options.waypoints.contains(i) {
                        write(waypoint, withNodes: false, to: &list)
                    }
                }
            }
        }
        return json.bytes
    }

    func nearestBody(_ found: [SnappedStop]) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("code", "Ok")
            $0.key("waypoints")
            $0.array { list in
                for waypoint in found { write(waypoint, withNodes: true, to: &list) }
            }
        }
        return json.bytes
    }

    // MARK: Routes and legs

    private func write(_ route: Route, to json: inout JSONWriter) {
        json.object {
            if options.overview != .none {
                $0.key("geometry")
                let line = route.geometry
                write(line: options.overview == .full ? line[...] : Self.simplified(line)[...], to: &$0)
            }
            $0.key("legs")
            $0.array { list in
                let isTimed = options.departure != nil || options.arrival != nil
                for (i, leg) in route.legs.enumerated() {
                    let times = isTimed && i < route.times.count ? route.times[i] : nil
                    write(leg, ends: ends(i, route), times, to: &list)
                }
            }
            $0.member("weight_name", Self.weightName(profile))
            $0.member("weight", route.weight, decimals: 1)
            $0.member("duration", route.duration, decimals: 1)
            $0.member("distance", route.distance, decimals: 1)
        }
    }

    private static func weightName(_ profile: Profile) -> String {
        switch profile {
        case .car: "routability"
        case .bicycle: "cyclability"
        case .foot: "duration"
        }
    }

    private func ends(_ leg: Int, _ route: Route) -> (SnappedStop?, SnappedStop?) {
        let stops = options.waypoints.isEmpty ? Array(route.waypoints.indices) : options.waypoints
        func stop(_ i: Int) -> SnappedStop? {
            stops.indices.contains(i) && route.waypoints.indices.contains(stops[i]) ? route.waypoints[stops[i]] : nil
        }
        return (stop(leg), stop(leg + 1))
    }

    /// Simplified to what can be seen when the whole line is drawn some thousand pixels wide.
    private static func simplified(_ line: [Coordinate]) -> [Coordinate] {
        guard let first = line.first else { return line }
        var box = BoundingBox(first)
        for point in line { box.extend(by: point) }
        let extent = Coordinate(latitude: box.south, longitude: box.west).distance(
            to: Coordinate(latitude: box.north, longitude: box.east))
        return Polyline.simplified(line, tolerance: max(extent / 1000, 1))
    }

    private func write(
        _ leg: RouteLeg, ends: (SnappedStop?, SnappedStop?), _ times: LegTimes?, to json: inout JSONWriter
    ) {
        json.object {
            $0.key("steps")
            $0.array { list in
                if options.steps { for step in leg.steps { write(step, of: leg, to: &list) } }
            }
            $0.member("weight", leg.weight, decimals: 1)
            $0.member("duration", leg.duration, decimals: 1)
            $0.member("distance", leg.distance, decimals: 1)
            if let times {
                $0.member("departure", times.departure, decimals: 1)
                $0.member("arrival", times.arrival, decimals: 1)
            }
            $0.member("summary", options.steps ? leg.summary : "")
            if !options.annotations.isEmpty {
                $0.key("annotation")
                writeAnnotation(leg, ends: ends, to: &$0)
            }
        }
    }

    private func writeAnnotation(_ leg: RouteLeg, ends: (SnappedStop?, SnappedStop?), to json: inout JSONWriter) {
        func list(_ name: String, _ json: inout JSONWriter, _ value: (RouteSegment, inout JSONWriter) -> Void) {
            json.key(name)
            json.array { list in for segment in leg.segments { value(segment, &list) } }
        }
        let wanted = options.annotations
        json.object {
            if wanted.contains(.speed) {
                list("speed", &$0) { $1.number($0.duration > 0 ? $0.distance / $0.duration : 0, decimals: 1) }
            }
            if wanted.contains(.weight) { list("weight", &$0) { $1.number($0.weight, decimals: 1) } }
            if wanted.contains(.datasources) {
                $0.key("metadata")
                $0.object {
                    $0.key("datasource_names")
                    $0.array { $0.string("OpenStreetMap") }
                }
                list("datasources", &$0) { $1.integer(0) }
            }
            if wanted.contains(.nodes) {
                $0.key("nodes")
                $0.array { list in for id in Self.nodes(of: leg, ends) { list.integer(id) } }
            }
            if wanted.contains(.duration) { list("duration", &$0) { $1.number($0.duration, decimals: 1) } }
            if wanted.contains(.distance) { list("distance", &$0) { $1.number($0.distance, decimals: 6) } }
        }
    }

    /// The nodes of a leg; an end inside an edge stands for the node behind it.
    private static func nodes(of leg: RouteLeg, _ ends: (SnappedStop?, SnappedStop?)) -> [Int64] {
        var nodes = leg.nodeIDs
        func beyond(_ stop: SnappedStop?, neighbour: Int64) -> Int64? {
            stop?.nodeIDs.first { $0 != neighbour && $0 != 0 }
        }
        if nodes.count > 1, nodes[0] == 0 {
            if let node = beyond(ends.0, neighbour: nodes[1]) { nodes[0] = node }
        }
        let last = nodes.count - 1
        if last > 0, nodes[last] == 0, let node = beyond(ends.1, neighbour: nodes[last - 1]) { nodes[last] = node }
        return nodes.filter { $0 != 0 }
    }

    // MARK: Steps

    private func write(_ step: GuidanceStep, of leg: RouteLeg, to json: inout JSONWriter) {
        json.object {
            $0.key("intersections")
            $0.array { list in for crossing in step.intersections { Self.write(crossing, to: &list) } }
            $0.member("driving_side", step.keepsLeft ? "left" : "right")
            $0.key("geometry")
            let line = leg.shape(of: step)
            // A line has two points at least, the arrival's as well.
            write(line: line.count == 1 ? line + line : line, to: &$0)
            $0.key("maneuver")
            Self.write(step.manoeuvre, to: &$0)
            $0.member("name", step.name)
            if !step.ref.isEmpty { $0.member("ref", RoadNames.joinedRefs(step.ref)) }
            if !step.pronunciation.isEmpty { $0.member("pronunciation", step.pronunciation) }
            if !step.destinations.isEmpty { $0.member("destinations", step.destinations) }
            if !step.exits.isEmpty { $0.member("exits", RoadNames.joinedRefs(step.exits)) }
            if !step.rotaryName.isEmpty { $0.member("rotary_name", step.rotaryName) }
            if !step.rotaryPronunciation.isEmpty { $0.member("rotary_pronunciation", step.rotaryPronunciation) }
            $0.member("mode", Self.word(for: step.mode))
            $0.member("weight", step.weight, decimals: 1)
            $0.member("duration", step.duration, decimals: 1)
            $0.member("distance", step.distance, decimals: 1)
        }
    }

    private static func write(_ manoeuvre: Manoeuvre, to json: inout JSONWriter) {
        json.object {
            $0.member("bearing_after", manoeuvre.bearingAfter)
            $0.member("bearing_before", manoeuvre.bearingBefore)
            $0.key("location")
            $0.position(manoeuvre.location, decimals: 6)
            if let modifier = manoeuvre.modifier { $0.member("modifier", modifier.rawValue) }
            $0.member("type", manoeuvre.type.rawValue)
            if let exit = manoeuvre.exit { $0.member("exit", exit) }
        }
    }

    private static func write(_ crossing: StepIntersection, to json: inout JSONWriter) {
        json.object {
            if let out = crossing.outgoing { $0.member("out", out) }
            if let back = crossing.incoming { $0.member("in", back) }
            $0.key("entry")
            $0.array { list in for isOpen in crossing.entries { list.bool(isOpen) } }
            $0.key("bearings")
            $0.array { list in for bearing in crossing.bearings { list.integer(bearing) } }
            $0.key("location")
            $0.position(crossing.location, decimals: 6)
            if !crossing.lanes.isEmpty {
                $0.key("lanes")
                $0.array { list in
                    for lane in crossing.lanes {
                        list.object {
                            $0.key("indications")
                            $0.array { words in for word in lane.indications { words.string(word) } }
                            $0.member("valid", lane.isValid)
                        }
                    }
                }
            }
            if !crossing.classes.isEmpty {
                $0.key("classes")
                $0.array { list in for word in crossing.classes { list.string(word) } }
            }
        }
    }

    private static func word(for mode: TravelMode) -> String {
        switch mode {
        case .driving: "driving"
        case .cycling: "cycling"
        case .walking: "walking"
        case .pushingBike: "pushing bike"
        case .ferry: "ferry"
        case .train: "train"
        case .movableBridge: "movable bridge"
        }
    }

    // MARK: Waypoints and lines

    private func write(_ stop: SnappedStop, withNodes: Bool, to json: inout JSONWriter) {
        json.object {
            if withNodes {
                $0.key("nodes")
                $0.array { list in for id in stop.nodeIDs { list.integer(id) } }
            }
            // A hint holds the place itself, since snapping is quick.
            if options.generatesHints { $0.member("hint", Self.hint(stop.location)) }
            $0.member("distance", stop.distance, decimals: 6)
            $0.member("name", stop.name)
            $0.key("location")
            $0.position(stop.location, decimals: 6)
        }
    }

    private static func hint(_ place: Coordinate) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        for value in [place.longitude, place.latitude] {
            let scaled = UInt32(bitPattern: Int32((value * 1_000_000).rounded()))
            for shift in stride(from: 28, through: 0, by: -4) {
                bytes.append(digits[Int(scaled >> UInt32(shift) & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// OSRM keeps millionths of a degree, and rounds again for a polyline of five decimals; so must who would have the same
    /// bytes.
    private static func steps(_ point: Coordinate, _ scale: Double) -> (latitude: Int, longitude: Int) {
        func step(_ degrees: Double) -> Int { Int(((degrees * 1e6).rounded() * scale).rounded()) }
        return (step(point.latitude), step(point.longitude))
    }

    private func write(line: ArraySlice<Coordinate>, to json: inout JSONWriter) {
        switch options.geometries {
        case .polyline: json.string(Polyline.encode(steps: line.lazy.map { Self.steps($0, 1e5 / 1e6) }))
        case .polyline6: json.string(Polyline.encode(steps: line.lazy.map { Self.steps($0, 1) }))
        case .geojson:
            json.object {
                $0.key("coordinates")
                $0.positions(line, decimals: 6)
                $0.member("type", "LineString")
            }
        }
    }
}

/// How OSRM prints several numbers of one road.
enum RoadNames {
    static func joinedRefs(_ text: String) -> String {
        text.split(separator: ";").map { part in
            var part = part
            while part.first == " " { part.removeFirst() }
            while part.last == " " { part.removeLast() }
            return String(part)
        }.joined(separator: "; ")
    }
}
