import Foundation

/// Names of countries where no feature of the atlas carries one.
enum CountryNames {
    /// The country's name in the first of the languages that knows it, else in English; the code itself where nobody does.
    static func name(of code: String, languages: [String]) -> String {
        let upper = code.uppercased()
        for language in languages + ["en"] {
            if let name = Locale(identifier: language).localizedString(forRegionCode: upper), name != upper {
                return name
            }
        }
        return upper
    }
}
