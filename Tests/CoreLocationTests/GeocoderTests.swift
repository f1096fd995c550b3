import AddressBook
import Contacts
import CoreLocation
import Foundation
import Sextant
import TestAtlases
import Testing

private let german = Locale(identifier: "de_DE")
private let english = Locale(identifier: "en_US")

private func cologne() -> CLGeocoder { CLGeocoder { try TestAtlas.cologne } }

@Suite struct GeocoderTests {
    @Test func scenario0_6AnAddressInPartsIsFoundOnTheBuilding() async throws {
        let keys: [AnyHashable: Any] = [
            kABPersonAddressStreetKey as String: "Domkloster 4", kABPersonAddressZIPKey as String: "50667",
            kABPersonAddressCityKey as String: "Köln", kABPersonAddressCountryCodeKey as String: "DE",
        ]
        let found = try await cologne().geocodeAddressDictionary(keys)
        let place = try #require(found.first)
        #expect(found.count == 1)
        let spot = try #require(place.location)
        #expect(spot.distance(from: CLLocation(latitude: 50.941302, longitude: 6.957189)) < 1)
        #expect(abs(spot.horizontalAccuracy - 10) < 1)
        #expect(place.thoroughfare == "Domkloster" && place.subThoroughfare == "4")
        #expect(place.postalCode == "50667" && place.isoCountryCode == "DE")
        #expect(["Köln", "Cologne"].contains(place.locality))
        #expect(place.name == "Domkloster 4")
    }

    @Test(arguments: [
        ["Street": "Domkloster 4", "City": "Köln"], ["ZIP": "50667", "Street": "Domkloster 4"],
        ["Street": "Domkloster 4", "City": "Köln", "ZIP": ""],
        ["Street": "Domkloster 4", "City": "Köln", "Planet": "Earth"],
        ["CountryCode": "de", "City": "Köln", "Street": "Domkloster 4", "State": "Nordrhein-Westfalen"],
    ])
    func scenario0_6AMissingEmptyOrUnknownKeyStillFinds(_ keys: [String: String]) async throws {
        let place = try #require(try await cologne().geocodeAddressDictionary(keys).first)
        #expect(place.name == "Domkloster 4")
    }

    @Test func scenario0_6ValuesOfAnyStringTypeAreTaken() async throws {
        let keys: [AnyHashable: Any] = [
            "Street": NSString(string: "Domkloster 4"), "City": "In Köln".dropFirst(3), "ZIP": NSNumber(value: 50667),
            7: "seven", "Country": Date(),
        ]
        #expect(try await cologne().geocodeAddressDictionary(keys).first?.subThoroughfare == "4")
    }

    @Test func scenario0_6AnUnknownNumberGivesTheStreet() async throws {
        let keys = ["Street": "Domkloster 99", "City": "Köln"]
        let place = try #require(try await cologne().geocodeAddressDictionary(keys).first)
        #expect(place.thoroughfare == "Domkloster" && place.subThoroughfare == nil)
        #expect(place.location?.horizontalAccuracy == 100)
    }

    @Test func scenario0_6AnUnknownStreetIsNotFoundAndNamed() async throws {
        let keys = ["Street": "Nirgendsweg 999", "City": "Köln", "ZIP": "50667"]
        do {
            _ = try await cologne().geocodeAddressDictionary(keys)
            Issue.record("found")
        } catch CLError.geocodeFoundNoResult {
        }
        do { _ = try await cologne().geocodeAddressDictionary(keys) } catch {
            #expect(error.localizedDescription.contains("Nirgendsweg"))
            #expect((error as NSError).userInfo[NSUnderlyingErrorKey] is any Error)
            #expect((error as NSError).domain == kCLErrorDomain && (error as NSError).code == 8)
        }
    }

    @Test func scenario0_6EquallyGoodStreetsAreBothGiven() async throws {
        let found = try await cologne().geocodeAddressString("Gartenweg 3, Köln")
        #expect(found.count == 2)
        #expect(Set(found.map(\.thoroughfare)) == ["Gartenweg"])
        let east = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 51.03, longitude: 7.1), radius: 1_000, identifier: "east")
        let near = try await cologne().geocodeAddressString("Gartenweg 3, Köln", in: east)
        #expect(near.count == 1)
        #expect(near.first?.location.map { east.contains($0.coordinate) } == true)
        // A region is no limit.
        #expect(try await cologne().geocodeAddressString("Domkloster 4, Köln", in: east).first?.name == "Domkloster 4")
    }

    @Test func thePartsOfAnAddressAreGivenUnderTheClassicKeysToo() async throws {
        let geocoder = CLGeocoder { try TestAtlas.everything }
        let place = try #require(
            try await geocoder.geocodeAddressString("Domkloster 4, Köln", in: nil, preferredLocale: german).first)
        let keys = try #require(place.addressDictionary)
        #expect(keys["FormattedAddressLines"] as? [String] == ["Domkloster 4", "50667 Köln", "Deutschland"])
        #expect(keys["Street"] as? String == "Domkloster 4" && keys["City"] as? String == "Köln")
        #expect(keys["Thoroughfare"] as? String == "Domkloster" && keys["SubThoroughfare"] as? String == "4")
        #expect(keys["State"] as? String == "Nordrhein-Westfalen" && keys["ZIP"] as? String == "50667")
        #expect(keys["CountryCode"] as? String == "DE" && keys["Name"] as? String == "Domkloster 4")
        #expect(place.timeZone?.identifier == "Europe/Berlin")
        #expect(place.areasOfInterest == ["Kölner Dom"])
        let envelope = try #require(place.postalAddress)
        #expect(
            CNPostalAddressFormatter.string(from: envelope, style: .mailingAddress)
                == "Domkloster 4\n50667 Köln\nDeutschland")
        #expect(try await geocoder.geocodePostalAddress(envelope).first?.name == "Domkloster 4")
        #expect(CLPlacemark(placemark: place).locality == "Köln")
    }

    @Test func scenario0_7TheNextRequestIsMadeInTheHandlerOfTheOneBefore() async throws {
        let texts = (0..<10).map { $0.isMultiple(of: 2) ? "Domkloster 4, Köln" : "Ubierring 40, Köln" }
        let geocoder = cologne()
        let log = Log<(name: String?, isMain: Bool, isFree: Bool)>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            @Sendable func ask(_ index: Int) {
                geocoder.geocodeAddressString(texts[index]) { placemarks, error in
                    log.append((placemarks?.first?.name, MainQueue.isCurrent, !geocoder.isGeocoding))
                    if index + 1 < texts.count { ask(index + 1) } else { done.resume() }
                }
            }
            ask(0)
        }
        let seen = log.all
        #expect(seen.map(\.name) == texts.map { $0.replacingOccurrences(of: ", Köln", with: "") })
        #expect(seen.allSatisfy { $0.isMain && $0.isFree })
    }

    @Test func scenario0_7ThoseOfAPlainLoopAreAllAnsweredInOrder() async throws {
        let geocoder = cologne()
        let log = Log<Int>()
        let free = Log<Bool>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for index in 0..<10 {
                geocoder.geocodeAddressString("Domkloster 4") { placemarks, _ in
                    log.append(placemarks?.count == 1 ? index : -1)
                    free.append(!geocoder.isGeocoding)
                    if index == 9 { done.resume() }
                }
            }
            #expect(geocoder.isGeocoding)
        }
        #expect(log.all == Array(0..<10))
        #expect(free.all == Array(repeating: false, count: 9) + [true])
    }

    @Test func theHandlerComesLaterAndTheGeocoderLivesUntilThen() async throws {
        let answered = Log<Bool>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            DispatchQueue.main.async {
                // Nobody holds it after this line.
                cologne().geocodeAddressString("Domkloster 4") { placemarks, _ in
                    answered.append(placemarks != nil)
                    done.resume()
                }
                #expect(answered.all.isEmpty)
            }
        }
        #expect(answered.all == [true])
    }

    @Test func cancellingFailsEveryRequestOnceAndLater() async throws {
        let geocoder = cologne()
        geocoder.cancelGeocode()
        #expect(!geocoder.isGeocoding)
        let codes = Log<CLError.Code?>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            DispatchQueue.main.async {
                for index in 0..<100 {
                    geocoder.geocodeAddressString("Domkloster 4") { _, error in
                        codes.append((error as? CLError)?.code)
                        if index == 99 { done.resume() }
                    }
                }
                geocoder.cancelGeocode()
                #expect(codes.all.isEmpty)
                #expect(geocoder.isGeocoding)
            }
        }
        #expect(codes.all == Array(repeating: .geocodeCanceled, count: 100))
        #expect(!geocoder.isGeocoding)
        #expect(try await geocoder.geocodeAddressString("Domkloster 4").count == 1)
    }

    @Test func aCancelledTaskThrowsCancellationErrorAndLeavesTheOthersAlone() async throws {
        let geocoder = cologne()
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await geocoder.geocodeAddressString("Domkloster 4")
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(try await geocoder.geocodeAddressString("Domkloster 4").count == 1)
        let late = Task { try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 50.941, longitude: 6.957)) }
        late.cancel()
        switch await late.result {
        case .success(let placemarks): #expect(placemarks.count == 1)
        case .failure(let error): #expect(error is CancellationError)
        }
        #expect(!geocoder.isGeocoding)
    }

    @Test func whatIsEmptyInvalidOrAbsentIsNoResult() async throws {
        let geocoder = cologne()
        for text in ["", "   ", "\n", "Zzyzxqwv"] {
            await #expect(throws: CLError.self) { try await geocoder.geocodeAddressString(text) }
        }
        await #expect(throws: CLError.self) { try await geocoder.geocodeAddressDictionary([:]) }
        await #expect(throws: CLError.self) { try await geocoder.geocodePostalAddress(CNPostalAddress()) }
        for (latitude, longitude) in [(91.0, 0.0), (.nan, 0), (0, 181), (-180, -180), (-48.9, -123.4)] {
            do {
                _ = try await geocoder.reverseGeocodeLocation(CLLocation(latitude: latitude, longitude: longitude))
                Issue.record("found \(latitude), \(longitude)")
            } catch {
                #expect((error as? CLError)?.code == .geocodeFoundNoResult)
                if latitude == -48.9 { #expect(error.localizedDescription == "no atlas covers 48.9 S, 123.4 W") }
            }
        }
    }

    @Test func withoutAnAtlasTheErrorIsTheNetworks() async throws {
        let missing = CLGeocoder { throw SextantError.noAtlas }
        do {
            _ = try await missing.geocodeAddressString("Köln")
            Issue.record("found")
        } catch CLError.network {
        }
        let damaged = CLGeocoder { try Atlas.open(["/nowhere/Nothing.atlas"]) }
        do {
            _ = try await damaged.reverseGeocodeLocation(CLLocation(latitude: 0, longitude: 0))
            Issue.record("found")
        } catch {
            #expect((error as? CLError)?.code == .network)
            #expect(error.localizedDescription.contains("/nowhere/Nothing.atlas"))
        }
    }

    @Test func surprise6NoHitsIsAnErrorForTheGeocoder() async throws {
        await #expect(throws: CLError.self) { try await cologne().geocodeAddressString("Nowhere at all") }
    }

    @Test func surprise17BothFacesOfTheGeocoderAnswerAlike() async throws {
        let geocoder = cologne()
        let awaited = try await geocoder.geocodeAddressString("Ubierring 40")
        let handled = await withCheckedContinuation { (done: CheckedContinuation<String?, Never>) in
            geocoder.geocodeAddressString("Ubierring 40") { placemarks, _ in
                done.resume(returning: placemarks?.first?.name)
            }
        }
        #expect(awaited.first?.name == handled)
    }
}

@Suite struct ManyRequestsTests {
    @Test func tenThousandRequestsOnOneGeocoderAreAnsweredInOrderAndOnce() async throws {
        let geocoder = cologne()
        let order = Log<Int>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for index in 0..<10_000 {
                let spot = CLLocation(latitude: 50.9410, longitude: 6.9560 + Double(index % 100) * 1e-5)
                geocoder.reverseGeocodeLocation(spot) { placemarks, error in
                    order.append(placemarks?.count == 1 && error == nil ? index : -1)
                    if index == 9_999 { done.resume() }
                }
            }
        }
        #expect(order.all == Array(0..<10_000))
        #expect(!geocoder.isGeocoding)
    }

    @Test func aHundredGeocodersFromEightTasksAllAnswerInOrder() async throws {
        let geocoders = (0..<100).map { _ in cologne() }
        let answers = Log<(geocoder: Int, index: Int)>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for (number, geocoder) in geocoders.enumerated() where number % 8 == task {
                        for index in 0..<20 {
                            let placemarks = try await geocoder.geocodeAddressString("Domkloster 4")
                            #expect(placemarks.first?.subThoroughfare == "4")
                            answers.append((number, index))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let byGeocoder = Dictionary(grouping: answers.all, by: \.geocoder)
        #expect(byGeocoder.count == 100)
        #expect(byGeocoder.values.allSatisfy { $0.map(\.index) == Array(0..<20) })
    }

    @Test func scenario3_2TenThousandSpotsInARowAreAnsweredWithoutQuotaOrNetwork() async throws {
        let atlas = try TestAtlas.world
        let geocoder = CLGeocoder { atlas }
        var answered = 0
        var nothingThere = 0
        for index in 0..<10_000 {
            // A spiral over the globe, land and sea.
            let latitude = -80 + 160 * Double(index) / 10_000
            let longitude = (Double(index) * 137.508).truncatingRemainder(dividingBy: 360) - 180
            do {
                let spot = CLLocation(latitude: latitude, longitude: longitude)
                let placemarks = try await geocoder.reverseGeocodeLocation(spot)
                #expect(placemarks.count == 1)
                answered += 1
            } catch let error as CLError {
                #expect(error.code == .geocodeFoundNoResult)
                nothingThere += 1
            }
        }
        #expect(answered + nothingThere == 10_000)
        #expect(answered > 2_000 && nothingThere > 2_000)
    }
}

@Suite struct WhatIsHereTests {
    @Test func scenario3_1ASpotInSebastopolOnTheWorld() async throws {
        let geocoder = CLGeocoder { try TestAtlas.world }
        let spot = CLLocation(latitude: 38.411281, longitude: -122.840978)
        let place = try #require(try await geocoder.reverseGeocodeLocation(spot, preferredLocale: english).first)
        #expect(place.country == "United States" && place.isoCountryCode == "US")
        #expect(place.locality == "Sebastopol" && place.administrativeArea == "CA")
        #expect(place.timeZone?.identifier == "America/Los_Angeles")
        let inGerman = try #require(try await geocoder.reverseGeocodeLocation(spot, preferredLocale: german).first)
        #expect(inGerman.country == "Vereinigte Staaten")
    }

    @Test func scenario3_1ThePostcodeComesFromAFinerAtlas() async throws {
        let geocoder = CLGeocoder { try TestAtlas.everything }
        let spot = CLLocation(latitude: 38.411281, longitude: -122.840978)
        let place = try #require(try await geocoder.reverseGeocodeLocation(spot, preferredLocale: english).first)
        #expect(place.country == "United States" && place.locality == "Sebastopol" && place.postalCode == "95472")
        #expect(place.subAdministrativeArea == "Sonoma County")
        let lines = try #require(place.addressDictionary?["FormattedAddressLines"] as? [String])
        #expect(lines.first == "990 Gravenstein Highway North" && lines.last == "United States")
        #expect(place.administrativeArea == "CA")
        let inGerman = try #require(try await geocoder.reverseGeocodeLocation(spot, preferredLocale: german).first)
        #expect(inGerman.country == "Vereinigte Staaten")
    }

    @Test func scenario2_2MyOwnAddressInOneLine() async throws {
        let geocoder = CLGeocoder { try TestAtlas.everything }
        let position = CLLocation(latitude: 50.9206, longitude: 6.9601)
        let place = try #require(try await geocoder.reverseGeocodeLocation(position, preferredLocale: german).first)
        let lines = try #require(place.addressDictionary?["FormattedAddressLines"] as? [String])
        #expect(lines.joined(separator: ", ") == "Ubierring 40, 50678 Köln, Deutschland")
        // In the middle of the ocean there is no address, and nothing else happens.
        await #expect(throws: CLError.self) {
            try await geocoder.reverseGeocodeLocation(CLLocation(latitude: -48.9, longitude: -123.4))
        }
    }
}
