internal import Sextant

/// A request for directions as a value, and how it is answered.
struct RouteQuestion: Sendable {
    struct Answer: Sendable {
        var source: ItemFacts
        var destination: ItemFacts
        var route: Route
        /// Other ways, the better first.
        var alternatives: [Route] = []
        var transportType: MKDirectionsTransportType
        var departure: Date
        /// What there is to know besides what the roads tell.
        var notices: [String] = []
    }

    var source: ItemFacts?
    var destination: ItemFacts?
    var transportType: MKDirectionsTransportType
    var departure: Date?
    var arrival: Date?
    /// Kinds of road that a driver wishes to avoid.
    var avoided: RoadKinds = []
    /// How many other ways are wanted at most.
    var alternatives = 0
    /// The same question for the best way alone.
    var best: RouteQuestion {
        var question = self
        question.alternatives = 0
        return question
    }
    /// Where the user is, for ends that are the current location; nil until it is known.
    var position: CLLocationCoordinate2D?
    var open: @Sendable () throws -> Atlas = { try Engine.atlas() }
    var positions: @Sendable () -> CLPositionSource? = { CLLocationManager.positionSource }

    /// A road further away than this, in metres, is not near.
    private static let nearRoad = 2_000.0

    /// Whether the user's position must be asked for before there can be an answer.
    var needsPosition: Bool {
        guard let source, let destination, position == nil else { return false }
        return source.isCurrentLocation || destination.isCurrentLocation
    }

    /// Answers later, on one of the engine's threads. None of them waits for the user's position.
    func begin(_ done: @escaping @Sendable (Result<Answer, any Error>) -> Void) {
        guard needsPosition else { return Engine.perform { done(Result { try answer() }) } }
        CurrentPosition.ask(from: positions()) { position in
            Engine.perform {
                done(
                    Result {
                        var question = self
                        question.position = try position.get().coordinate
                        return try question.answer()
                    })
            }
        }
    }

    /// Answers at once, without asking for a position.
    func answer() throws -> Answer {
        guard let source else { throw MKError(.placemarkNotFound, "The way has no start: set the request's source.") }
        guard let destination else {
            throw MKError(.placemarkNotFound, "The way has no end: set the request's destination.")
        }
        do {
            let atlas = try open()
            let start = try resolved(source, "start", in: atlas)
            let end = try resolved(destination, "destination", in: atlas)
            return try route(from: start, to: end, in: atlas)
        } catch {
            throw MKError(engine: error, otherwise: .directionsNotFound)
        }
    }

    /// The end with a coordinate: where the user stands for the current location, the address found for one without.
    private func resolved(_ end: ItemFacts, _ role: String, in atlas: Atlas) throws -> ItemFacts {
        if end.isCurrentLocation {
            guard let position else { throw CurrentPosition.unknown(CLError(.locationUnknown)) }
            return ItemFacts(at: position, name: end.name)
        }
        if CLLocationCoordinate2DIsValid(end.coordinate) { return end }
        let address = end.parts.formattedAddressLines.joined(separator: ", ")
        guard !address.isEmpty else {
            let error = PlaceFailure.invalidCoordinate(
                latitude: end.coordinate.latitude, longitude: end.coordinate.longitude)
            throw MKError(.placemarkNotFound, "The \(role) is nowhere: \(error.description).", underlying: error)
        }
        do {
            let finder = PlaceFinder(atlas: atlas, languages: UserLanguages.current)
            // The best place among those with roads.
            let found = try finder.places(.text(address))
            guard let place = found.first(where: { !atlas.parts[$0.atlasIndex].isWorld }) ?? found.first else {
                throw PlaceFailure.nothingFound(address, unmatched: nil)
            }
            return try ItemFacts(place, in: atlas, languages: UserLanguages.current)
        } catch let error as PlaceFailure {
            throw MKError(
                .placemarkNotFound, "The \(role) is unknown: \(error.description).", underlying: error)
        }
    }

    /// By the first of the wanted means that leads there.
    private func route(from start: ItemFacts, to end: ItemFacts, in atlas: Atlas) throws -> Answer {
        var failure: (any Error)?
        for (type, profile) in profiles {
            do {
                let routes = try routes(from: start, to: end, profile, in: atlas)
                guard let route = routes.first else { continue }
                let begin = setsOut(route)
                return Answer(
                    source: start, destination: end, route: route, alternatives: Array(routes.dropFirst()),
                    transportType: type, departure: begin, notices: Self.borders(from: start, to: end))
            } catch let error as RoutingError {
                failure = failure ?? error
            }
        }
        throw failure
            ?? MKError(
                .directionsNotFound,
                "No way by public transport: an atlas holds no timetables. Ask for driving, walking or cycling.")
    }

    private static func seconds(_ date: Date) -> Int64? { Int64(exactly: date.timeIntervalSince1970.rounded()) }

    /// When one sets out on a way: as asked, but for waiting that can be done before.
    private func setsOut(_ route: Route) -> Date {
        let times = route.times.first
        if let departure {
            guard let times, let asked = Self.seconds(departure) else { return departure }
            return departure.addingTimeInterval(times.departure - Double(asked))
        }
        if let arrival {
            guard let times, let asked = Self.seconds(arrival) else {
                return arrival.addingTimeInterval(-route.duration)
            }
            return arrival.addingTimeInterval(times.departure - Double(asked))
        }
        return Date()
    }

    /// What is to be known where the ends lie in different countries.
    private static func borders(from start: ItemFacts, to end: ItemFacts) -> [String] {
        guard let from = start.parts.isoCountryCode, let to = end.parts.isoCountryCode, from != to else { return [] }
        let names = [from, to].map { Locale.current.localizedString(forRegionCode: $0) ?? $0 }
        return ["This way leads from \(names[0]) to \(names[1])."]
    }

    private func routes(
        from start: ItemFacts, to end: ItemFacts, _ profile: Profile, in atlas: Atlas
    ) throws -> [Route] {
        var request = RouteRequest(
            stops: [Stop(start.coordinate.engine), Stop(end.coordinate.engine)], profile: profile,
            maximumSnapDistance: Self.nearRoad)
        if profile == .car { request.wishes.avoided = avoided }
        if let departure {
            request.departure = Self.seconds(departure)
        } else if let arrival {
            request.arrival = Self.seconds(arrival)
        }
        if let zone = start.timeZone { request.setClock(to: zone) }
        return try atlas.routes(request, alternatives: alternatives)
    }

    private var profiles: [(MKDirectionsTransportType, Profile)] {
        if transportType == .any { return [(.automobile, .car)] }
        let known: [(MKDirectionsTransportType, Profile)] = [
            (.automobile, .car), (.walking, .foot), (.cycling, .bicycle),
        ]
        return known.filter { transportType.contains($0.0) }
    }
}

extension ItemFacts {
    /// The end of a way in a link: a coordinate, or an address that is still to be found.
    init(_ place: MapLink.Place) {
        switch place {
        case .coordinate(let point): self.init(at: CLLocationCoordinate2D(point))
        case .text(let address):
            self.init(at: kCLLocationCoordinate2DInvalid, name: address)
            parts.location = nil
            parts.formattedAddressLines = [address]
        }
    }
}
