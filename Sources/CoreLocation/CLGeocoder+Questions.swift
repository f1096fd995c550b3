import Contacts
import Foundation
internal import Sextant

// The work of each question, made before the call returns: what the caller changes later changes nothing.
extension CLGeocoder {
    private static func finding(_ question: PlaceFinder.Question, near region: CLRegion? = nil) -> Work {
        let circle = (region as? CLCircularRegion).map { (center: $0.center.engine, radius: $0.radius) }
        return { finder in try finder.placemarks(question, near: circle) }
    }

    private static func lookingAt(_ location: CLLocation) -> Work {
        let point = location.coordinate.engine
        return { finder in [try finder.placemark(at: point)] }
    }

    private static func circle(_ center: CLLocation?, _ radius: CLLocationDistance) -> CLRegion? {
        center.map { CLCircularRegion(center: $0.coordinate, radius: radius, identifier: "") }
    }
}

// MARK: - Addresses as text

extension CLGeocoder {
    /// The places that a text stands for, best first, and commonly one: several only where they are equally good.
    ///
    /// A house number that is unknown gives its street, without `subThoroughfare`. A street that is unknown gives
    /// `geocodeFoundNoResult`, whose description names the word that nothing was found for.
    public func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
    ) {
        submit(nil, completionHandler, Self.finding(.text(addressString)))
    }

    /// - Throws: `CLError`; `CancellationError` where the task was cancelled.
    public func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
        try await answer(nil, Self.finding(.text(addressString)))
    }

    /// The same, with what lies in `region` (a `CLCircularRegion`) first where all else is equal. It is no limit.
    public func geocodeAddressString(
        _ addressString: String, in region: CLRegion?,
        completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
    ) {
        submit(nil, completionHandler, Self.finding(.text(addressString), near: region))
    }

    public func geocodeAddressString(_ addressString: String, in region: CLRegion?) async throws -> [CLPlacemark] {
        try await answer(nil, Self.finding(.text(addressString), near: region))
    }

    /// The same, with names in the language of `locale`, each part for itself, else in the local language.
    public func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
        completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
    ) {
        submit(locale, completionHandler, Self.finding(.text(addressString), near: region))
    }

    public func geocodeAddressString(_ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?)
        async throws -> [CLPlacemark]
    {
        try await answer(locale, Self.finding(.text(addressString), near: region))
    }

    /// The same, with the region as a centre and a radius in metres.
    public func geocodeAddressString(
        _ addressString: String, inRegionCenteredAt centroid: CLLocation?,
        inRegionRadius radiusMeters: CLLocationDistance, preferredLocale locale: Locale?,
        completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
    ) {
        submit(
            locale, completionHandler, Self.finding(.text(addressString), near: Self.circle(centroid, radiusMeters)))
    }

    public func geocodeAddressString(
        _ addressString: String, inRegionCenteredAt centroid: CLLocation?,
        inRegionRadius radiusMeters: CLLocationDistance, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        try await answer(locale, Self.finding(.text(addressString), near: Self.circle(centroid, radiusMeters)))
    }
}

// MARK: - Addresses in parts

extension CLGeocoder {
    /// The places that an address in parts stands for: `Street` (with the number), `City`, `State`, `ZIP`, `Country`,
    /// `CountryCode`. Unknown keys are ignored and missing parts allowed; the country code limits, the rest ranks.
    public func geocodeAddressDictionary(
        _ addressDictionary: [AnyHashable: Any],
        completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
    ) {
        submit(nil, completionHandler, Self.finding(.init(addressDictionary: addressDictionary)))
    }

    public func geocodeAddressDictionary(_ addressDictionary: [AnyHashable: Any]) async throws -> [CLPlacemark] {
        try await answer(nil, Self.finding(.init(addressDictionary: addressDictionary)))
    }

    /// The places that a postal address stands for.
    public func geocodePostalAddress(
        _ postalAddress: CNPostalAddress,
        completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
    ) {
        submit(nil, completionHandler, Self.finding(.init(postalAddress: postalAddress)))
    }

    public func geocodePostalAddress(_ postalAddress: CNPostalAddress) async throws -> [CLPlacemark] {
        try await answer(nil, Self.finding(.init(postalAddress: postalAddress)))
    }

    public func geocodePostalAddress(
        _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?,
        completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
    ) {
        submit(locale, completionHandler, Self.finding(.init(postalAddress: postalAddress)))
    }

    public func geocodePostalAddress(_ postalAddress: CNPostalAddress, preferredLocale locale: Locale?) async throws
        -> [CLPlacemark]
    {
        try await answer(locale, Self.finding(.init(postalAddress: postalAddress)))
    }
}

// MARK: - Coordinates

extension CLGeocoder {
    /// What lies at a place: one placemark, of the nearest address, else street, else the areas around it. Nothing there,
    /// as in the open sea, is `geocodeFoundNoResult`.
    public func reverseGeocodeLocation(
        _ location: CLLocation, completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
    ) {
        submit(nil, completionHandler, Self.lookingAt(location))
    }

    /// - Throws: `CLError`; `CancellationError` where the task was cancelled.
    public func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
        try await answer(nil, Self.lookingAt(location))
    }

    /// The same, with names in the language of `locale`.
    public func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?,
        completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
    ) {
        submit(locale, completionHandler, Self.lookingAt(location))
    }

    public func reverseGeocodeLocation(_ location: CLLocation, preferredLocale locale: Locale?) async throws
        -> [CLPlacemark]
    {
        try await answer(locale, Self.lookingAt(location))
    }
}
