import CPhoneNumber

/// Phone numbers as people of other countries dial them, through libphonenumber.
///
///     PhoneNumbers.international("098-06 00 00; +377 93 25 00 00", country: "mc")   // "+377 98 06 00 00; +377 93 25 00 00"
public enum PhoneNumbers {
    /// Numbers longer than this are left as they are.
    private static let longest = 80

    /// The numbers of a tag, parted by ";", each in international form; what is no number is left as it is written.
    ///
    /// - Parameter country: whose rules a number without "+" is read by (ISO 3166-1 alpha-2); nil where it is not known.
    public static func international(_ text: String, country: String?) -> String {
        text.split(separator: ";").prefix(20).map { part in
            let number = part.drop { $0 == " " }
            return single(String(number), country: country) ?? String(number)
        }.joined(separator: "; ")
    }

    /// One number in international form; nil for what is none.
    public static func single(_ number: String, country: String?) -> String? {
        guard number.utf8.count <= longest, !number.utf8.contains(0) else { return nil }
        let region = (country ?? "").uppercased()
        guard region.utf8.count <= 2 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = sx_phone_international(number, region, start, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
