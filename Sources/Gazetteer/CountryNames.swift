import Foundation
import Locking

/// Names of countries where no feature of the atlas carries one.
enum CountryNames {
    /// The country's name in one language; nil where nobody knows it.
    static func localized(_ code: String, language: String) -> String? {
        guard language.utf8.count <= 35, code.utf8.count == 2 else { return nil }
        let key = code + " " + language
        if let known = cache.withLock({ $0[key] }) { return known }
        let upper = code.uppercased()
        let found = Locale(identifier: language).localizedString(forRegionCode: upper)
        let name = found == upper ? nil : found
        cache.withLock {
            if $0.count >= 4_096 { $0.removeAll() }
            $0[key] = .some(name)
        }
        return name
    }

    /// Asking ICU costs tens of microseconds.
    private static let cache = Mutex<[String: String?]>([:])

    /// The country's name in the first of the languages that knows it, else in English; the code itself where nobody does.
    static func name(of code: String, languages: [String]) -> String {
        let upper = code.uppercased()
        for language in languages + ["en"] {
            if let name = localized(code, language: language) { return name }
        }
        return upper
    }
}
