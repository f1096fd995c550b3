/// The `addr:*` tags of an object, read.
public struct AddressTags: Sendable, Equatable {
    /// As written: `12a`, `12;14`, `203-06`; conscription and street number joined by `/`; block and house number by `-`.
    public var houseNumber: String?
    public var street: String?
    /// The place that stands for a street where there is none.
    public var place: String?
    public var postcode: String?
    /// Whether the object has a number or a house name: whether it is an address.
    public var hasNumber: Bool

    public init(_ tags: Tags) {
        var house: String?
        var substreet: String?
        var conscription: String?
        var streetNumber: String?
        var block: String?
        var neighbourhood: String?
        var postal: String?
        var hasHouseName = false
        for pair in tags.pairs {
            guard pair.key.utf8.first == UInt8(ascii: "a") || pair.key == "postal_code", !pair.value.isEmpty else {
                continue
            }
            switch pair.key {
            case "addr:housenumber": house = pair.value
            case "addr:conscriptionnumber": conscription = pair.value
            case "addr:streetnumber": streetNumber = pair.value
            case "addr:block_number": block = pair.value
            case "addr:neighbourhood", "addr:quarter": if neighbourhood == nil { neighbourhood = pair.value }
            case "addr:street": street = pair.value
            case "addr:substreet": substreet = pair.value
            case "addr:place": place = pair.value
            case "addr:postcode": postcode = pair.value
            case "postal_code": postal = pair.value
            case "addr:housename": hasHouseName = true
            default: break
            }
        }
        // The number counts along a terrace or court that lies off its street.
        street = substreet ?? street
        // Where streets have names the block is no part of the number: 146 in Vinares Hingun, but 6-2 in a Japanese quarter.
        if let block, let number = house, street == nil {
            house = block + "-" + number
            if place == nil { place = neighbourhood }
        }
        if house == nil, let conscription {
            house = streetNumber.map { conscription + "/" + $0 } ?? conscription
        }
        houseNumber = house ?? streetNumber
        postcode = postcode ?? postal
        hasNumber = houseNumber != nil || hasHouseName
    }

    /// Keys that name a place around the object, with the ranks of the places they may mean (4 country to 24
    /// neighbourhood).
    public static let placeKeys: [(key: String, ranks: ClosedRange<Int>)] = [
        ("addr:state", 6...9), ("addr:province", 6...12), ("addr:county", 10...13), ("addr:district", 10...19),
        ("addr:municipality", 13...17), ("addr:city", 13...17), ("addr:town", 13...18), ("addr:village", 13...20),
        ("addr:hamlet", 16...22), ("addr:subdistrict", 14...22), ("addr:suburb", 17...22), ("addr:borough", 17...20),
        ("addr:quarter", 19...24), ("addr:neighbourhood", 20...24), ("addr:farm", 16...25),
    ]
}
