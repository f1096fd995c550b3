internal import AtlasFiles
import Foundation
internal import Sextant

/// Why a question about places has no answer, in the engine's terms; it stands under `NSUnderlyingErrorKey`.
package enum PlaceFailure: Error, Equatable, CustomStringConvertible {
    /// Nothing fits; the word that no place explains, where there is one.
    case nothingFound(String, unmatched: String?)
    case emptyQuery
    case invalidCoordinate(latitude: Double, longitude: Double)
    /// No open atlas knows anything at this place.
    case outside(latitude: Double, longitude: Double)
    case cancelled

    package var description: String {
        switch self {
        case .nothingFound(let text, let word):
            if let word, word != text {
                "nothing found for \"\(text)\": no place explains \"\(word)\""
            } else {
                "nothing found for \"\(text)\""
            }
        case .emptyQuery: "there is nothing to look for: the text is empty"
        case .invalidCoordinate(let latitude, let longitude):
            "\(latitude), \(longitude) is no place on the globe"
        case .outside(let latitude, let longitude): "no atlas covers \(Self.spoken(latitude, longitude))"
        case .cancelled: "the request was cancelled"
        }
    }

    /// `48.9 S, 123.4 W`
    package static func spoken(_ latitude: Double, _ longitude: Double) -> String {
        func part(_ value: Double, _ positive: String, _ negative: String) -> String {
            String(format: "%.1f ", abs(value)) + (value < 0 ? negative : positive)
        }
        return part(latitude, "N", "S") + ", " + part(longitude, "E", "W")
    }
}

/// What an engine's error means for the modules' own.
package enum EngineFailure {
    /// Nothing could be asked: no atlas, a damaged one, or the disk fails.
    case noAtlas
    /// Everything else.
    case noResult
    case cancelled

    package init(_ error: any Error) {
        switch error {
        case is AtlasError, SextantError.noAtlas: self = .noAtlas
        case is CancellationError, PlaceFailure.cancelled: self = .cancelled
        case is PlaceFailure, is SextantError: self = .noResult
        default: self = .noAtlas
        }
    }

    /// `NSLocalizedDescriptionKey` and `NSUnderlyingErrorKey` for an error that stands for the engine's.
    package static func userInfo(_ error: any Error) -> [String: Any] {
        [NSLocalizedDescriptionKey: message(error), NSUnderlyingErrorKey: error]
    }

    /// What a person reads.
    package static func message(_ error: any Error) -> String {
        switch error {
        case SextantError.noAtlas:
            "no atlas: set SEXTANT_ATLAS to the path of one, or run `sextant demo` once to make the built-in ones"
        case let error as any CustomStringConvertible: error.description
        default: error.localizedDescription
        }
    }
}

extension CLError {
    /// The error of a geocoder for what the engine says.
    package init(engine error: any Error) {
        let code: Code =
            switch EngineFailure(error) {
            case .noAtlas: .network
            case .noResult: .geocodeFoundNoResult
            case .cancelled: .geocodeCanceled
            }
        self.init(code, userInfo: EngineFailure.userInfo(error))
    }
}
