import Geometry

/// Metres as people say them: `85 m`, `1.2 km`, `340 km`.
func distanceText(_ metres: Double) -> String {
    guard metres.isFinite else { return "" }
    if metres < 995 {
        let step = metres < 100 ? 1.0 : 10.0
        return "\(wholeText((metres / step).rounded() * step)) m"
    }
    let kilometres = metres / 1000
    return kilometres < 99.95 ? "\(decimalText(kilometres, places: 1)) km" : "\(wholeText(kilometres)) km"
}

/// Seconds as people say them: `40 s`, `12 min`, `3 h 05 min`.
func durationText(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "" }
    if seconds < 59.5 { return "\(wholeText(seconds)) s" }
    let minutes = Int(exactly: (seconds / 60).rounded()) ?? 0
    if minutes < 60 { return "\(minutes) min" }
    let rest = minutes % 60
    return "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min"
}

/// A place in degrees with six places, 11 cm: `60.169856,24.938379`.
func coordinateText(_ place: Coordinate) -> String {
    "\(decimalText(place.latitude, places: 6)),\(decimalText(place.longitude, places: 6))"
}

/// A size in bytes: `512 B`, `685 kB`, `9.1 MB`.
func sizeText(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) B" }
    if bytes < 999_500 { return "\(wholeText(Double(bytes) / 1000)) kB" }
    return "\(decimalText(Double(bytes) / 1_000_000, places: 1)) MB"
}

/// A count with a mark at the thousands: `234,908`.
func countText(_ count: Int) -> String {
    var digits = Array(String(count.magnitude))
    var place = digits.count - 3
    while place > 0 {
        digits.insert(",", at: place)
        place -= 3
    }
    return (count < 0 ? "-" : "") + String(digits)
}

/// The number with a fixed count of decimals, rounded half away from zero.
func decimalText(_ value: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard let units = Int64(exactly: scaled) else { return "\(value)" }
    let digits = String(units.magnitude)
    let padded = digits.count > places ? digits : String(repeating: "0", count: places + 1 - digits.count) + digits
    let sign = units < 0 ? "-" : ""
    return places == 0 ? sign + padded : "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
}

private func wholeText(_ value: Double) -> String { decimalText(value, places: 0) }
