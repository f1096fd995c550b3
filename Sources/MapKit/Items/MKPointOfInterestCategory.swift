internal import Sextant

/// A kind of place.
public struct MKPointOfInterestCategory: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = "MKPOICategory" + name }

    public static let atm = Self("ATM")
    public static let airport = Self("Airport")
    public static let amusementPark = Self("AmusementPark")
    public static let animalService = Self("AnimalService")
    public static let aquarium = Self("Aquarium")
    public static let automotiveRepair = Self("AutomotiveRepair")
    public static let bakery = Self("Bakery")
    public static let bank = Self("Bank")
    public static let baseball = Self("Baseball")
    public static let basketball = Self("Basketball")
    public static let beach = Self("Beach")
    public static let beauty = Self("Beauty")
    public static let bowling = Self("Bowling")
    public static let brewery = Self("Brewery")
    public static let cafe = Self("Cafe")
    public static let campground = Self("Campground")
    public static let carRental = Self("CarRental")
    public static let castle = Self("Castle")
    public static let conventionCenter = Self("ConventionCenter")
    public static let distillery = Self("Distillery")
    public static let evCharger = Self("EVCharger")
    public static let fairground = Self("Fairground")
    public static let fireStation = Self("FireStation")
    public static let fishing = Self("Fishing")
    public static let fitnessCenter = Self("FitnessCenter")
    public static let foodMarket = Self("FoodMarket")
    public static let fortress = Self("Fortress")
    public static let gasStation = Self("GasStation")
    public static let goKart = Self("GoKart")
    public static let golf = Self("Golf")
    public static let hiking = Self("Hiking")
    public static let hospital = Self("Hospital")
    public static let hotel = Self("Hotel")
    public static let kayaking = Self("Kayaking")
    public static let landmark = Self("Landmark")
    public static let laundry = Self("Laundry")
    public static let library = Self("Library")
    public static let mailbox = Self("Mailbox")
    public static let marina = Self("Marina")
    public static let miniGolf = Self("MiniGolf")
    public static let movieTheater = Self("MovieTheater")
    public static let museum = Self("Museum")
    public static let musicVenue = Self("MusicVenue")
    public static let nationalMonument = Self("NationalMonument")
    public static let nationalPark = Self("NationalPark")
    public static let nightlife = Self("Nightlife")
    public static let park = Self("Park")
    public static let parking = Self("Parking")
    public static let pharmacy = Self("Pharmacy")
    public static let planetarium = Self("Planetarium")
    public static let police = Self("Police")
    public static let postOffice = Self("PostOffice")
    public static let publicTransport = Self("PublicTransport")
    public static let rvPark = Self("RVPark")
    public static let restaurant = Self("Restaurant")
    public static let restroom = Self("Restroom")
    public static let rockClimbing = Self("RockClimbing")
    public static let school = Self("School")
    public static let skatePark = Self("SkatePark")
    public static let skating = Self("Skating")
    public static let skiing = Self("Skiing")
    public static let soccer = Self("Soccer")
    public static let spa = Self("Spa")
    public static let stadium = Self("Stadium")
    public static let store = Self("Store")
    public static let surfing = Self("Surfing")
    public static let swimming = Self("Swimming")
    public static let tennis = Self("Tennis")
    public static let theater = Self("Theater")
    public static let university = Self("University")
    public static let volleyball = Self("Volleyball")
    public static let winery = Self("Winery")
    public static let zoo = Self("Zoo")
}

extension MKPointOfInterestCategory {
    /// The kind that a feature of OpenStreetMap belongs to by its main tag; nil where none fits.
    init?(key: String, value: String, tags: Tags) {
        if let known = Self.byTag["\(key)=\(value)"] {
            self = known
            return
        }
        switch key {
        case "leisure" where value == "sports_centre" || value == "pitch":
            guard let known = tags["sport"].flatMap({ Self.bySport[$0] }) else { return nil }
            self = known
        case "shop": self = .store
        case "railway", "public_transport": self = .publicTransport
        default: return nil
        }
    }

    /// The kind that a category of the engine's lexicon stands for, which is named after the value of its tag.
    init?(lexicon name: String) {
        for key in ["amenity", "shop", "tourism", "leisure", "historic", "craft", "natural", "aeroway"] {
            if let known = Self.byTag["\(key)=\(name)"] {
                self = known
                return
            }
        }
        return nil
    }

    private static let byTag: [String: Self] = [
        "amenity=atm": .atm, "aeroway=aerodrome": .airport, "tourism=theme_park": .amusementPark,
        "amenity=veterinary": .animalService, "amenity=animal_shelter": .animalService, "shop=pet": .animalService,
        "tourism=aquarium": .aquarium, "shop=car_repair": .automotiveRepair, "shop=tyres": .automotiveRepair,
        "shop=bakery": .bakery, "shop=pastry": .bakery, "amenity=bank": .bank, "natural=beach": .beach,
        "leisure=beach_resort": .beach, "shop=beauty": .beauty, "shop=hairdresser": .beauty, "shop=cosmetics": .beauty,
        "leisure=bowling_alley": .bowling, "craft=brewery": .brewery, "amenity=cafe": .cafe,
        "tourism=camp_site": .campground, "amenity=car_rental": .carRental, "historic=castle": .castle,
        "amenity=conference_centre": .conventionCenter, "amenity=exhibition_centre": .conventionCenter,
        "craft=distillery": .distillery, "amenity=charging_station": .evCharger, "amenity=fire_station": .fireStation,
        "leisure=fishing": .fishing, "leisure=fitness_centre": .fitnessCenter, "amenity=marketplace": .foodMarket,
        "shop=supermarket": .foodMarket, "shop=greengrocer": .foodMarket, "shop=convenience": .foodMarket,
        "historic=fort": .fortress, "amenity=fuel": .gasStation, "leisure=golf_course": .golf,
        "amenity=hospital": .hospital, "amenity=clinic": .hospital, "tourism=hotel": .hotel, "tourism=hostel": .hotel,
        "tourism=motel": .hotel, "tourism=guest_house": .hotel, "tourism=attraction": .landmark,
        "historic=memorial": .landmark, "historic=monument": .nationalMonument, "shop=laundry": .laundry,
        "shop=dry_cleaning": .laundry, "amenity=library": .library, "amenity=post_box": .mailbox,
        "leisure=marina": .marina, "leisure=miniature_golf": .miniGolf, "amenity=cinema": .movieTheater,
        "tourism=museum": .museum, "tourism=gallery": .museum, "amenity=concert_hall": .musicVenue,
        "amenity=music_venue": .musicVenue, "boundary=national_park": .nationalPark, "amenity=bar": .nightlife,
        "amenity=pub": .nightlife, "amenity=nightclub": .nightlife, "leisure=park": .park, "leisure=garden": .park,
        "amenity=parking": .parking, "amenity=pharmacy": .pharmacy, "amenity=planetarium": .planetarium,
        "amenity=police": .police, "amenity=post_office": .postOffice, "amenity=ferry_terminal": .publicTransport,
        "amenity=bus_station": .publicTransport, "highway=bus_stop": .publicTransport, "tourism=caravan_site": .rvPark,
        "amenity=restaurant": .restaurant,
        "amenity=fast_food": .restaurant, "amenity=food_court": .restaurant, "amenity=biergarten": .restaurant,
        "amenity=toilets": .restroom, "amenity=school": .school, "amenity=kindergarten": .school,
        "amenity=college": .university, "leisure=ice_rink": .skating, "leisure=stadium": .stadium, "leisure=spa": .spa,
        "amenity=spa": .spa, "leisure=swimming_pool": .swimming, "leisure=water_park": .swimming,
        "amenity=theatre": .theater, "amenity=university": .university, "craft=winery": .winery, "shop=wine": .store,
        "tourism=zoo": .zoo,
    ]

    private static let bySport: [String: Self] = [
        "baseball": .baseball, "basketball": .basketball, "bowling": .bowling, "fitness": .fitnessCenter,
        "karting": .goKart, "golf": .golf, "hiking": .hiking, "kayak": .kayaking, "canoe": .kayaking,
        "miniature_golf": .miniGolf, "climbing": .rockClimbing, "skateboard": .skatePark, "ice_skating": .skating,
        "skiing": .skiing, "soccer": .soccer, "surfing": .surfing, "swimming": .swimming, "tennis": .tennis,
        "volleyball": .volleyball, "beachvolleyball": .volleyball,
    ]
}
