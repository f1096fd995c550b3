/// The version of this program; importing again is needed where the format of atlases changes, not with each version.
let sextantVersion = "0.1.0"

/// What can be asked of the command: a name, the way to call it, and what the help says.
struct Subcommand: Sendable {
    var name: String
    /// One line for the list.
    var summary: String
    /// What comes after the name.
    var usage: String
    /// Commands that work, with what they are for.
    var examples: [(command: String, purpose: String)]
    /// A paragraph or two.
    var details: [String]
    var options: [Option]
}

extension Subcommand {
    private static let atlas = Option(
        name: "--atlas", short: "-a", value: "PATH", isRepeatable: true,
        help: "Ask this atlas instead of the built-in Towns; may be given several times. Without it, SEXTANT_ATLAS may "
            + "name some, with \":\" between.")
    private static let noWorld = Option(
        name: "--no-world", help: "Leave out the built-in World atlas, which answers where the others end.")
    private static let quiet = Option(
        name: "--quiet", short: "-q", help: "No messages and no progress; errors are told all the same.")
    private static let help = Option(name: "--help", short: "-h", help: "This page.")
    private static let json = Option(name: "--json", help: "Print JSON instead of a table.")
    private static let geojson = Option(name: "--geojson", help: "Print GeoJSON instead of a table.")
    private static let language = Option(
        name: "--language", short: "-l", value: "LIST",
        help: "Languages of names, best first: de,en. Otherwise names are as they stand on the spot.")
    private static let limit = Option(name: "--limit", short: "-n", value: "N", help: "At most so many answers.")

    private static let picture = [
        Option(name: "--size", value: "WxH", help: "The map's size in points, 1024x768 without this."),
        Option(name: "--scale", value: "N", help: "Pixels a point of a PNG, 1 to 4: 2 for sharp screens."),
        Option(name: "--style", value: "LOOK", help: "light (as it is without this), dark or muted."),
    ]
    private static let asking =
        [
            json, geojson, language,
            Option(name: "--map", value: "FILE", help: "Draw the answer on a map besides: a .png, .svg or .pdf file."),
        ] + picture + [atlas, noWorld, quiet, help]

    /// Options of tables, which geocode and reverse have in common.
    private static let tables = [
        Option(
            name: "--input", short: "-i", value: "TABLE",
            help: "Answer each row of this table: a .csv, .tsv, .ndjson or .geojson file, or - for standard input."),
        Option(
            name: "--output", short: "-o", value: "TABLE",
            help:
                "Where the rows go, with what was found behind; - for standard output, as without this. The file stands "
                + "there whole at the end or not at all. Until then the rows wait in TABLE.part beside TABLE.part.state; "
                + "a run that was stopped or killed goes on with them when the same command is given again."),
        Option(
            name: "--format", value: "FORM",
            help: "What both tables are, csv, tsv, ndjson or geojson, where the ending of the name does not tell."),
        Option(
            name: "--encoding", value: "NAME", help: "utf-8 (as it is without this), utf-16 or windows-1252."),
        Option(name: "--no-header", help: "The first line of the table is a row; columns are named by number."),
        Option(
            name: "--prefix", value: "TEXT", help: "What the names of new columns begin with, found_ without this."),
        Option(name: "--restart", help: "Throw away what a stopped run has left, and begin again."),
        Option(name: "--jobs", short: "-j", value: "N", help: "Threads for a table, as many as cores without this."),
    ]

    /// What is wished of all roads, for routes and their preparation.
    private static let wishes = [
        Option(
            name: "--exclude", value: "KINDS",
            help: "Never use these: toll, motorway, ferry, unpaved, tunnel, with commas between."),
        Option(name: "--avoid", value: "KINDS", help: "Use these as little as may be."),
        Option(name: "--height", value: "METRES", help: "Only where a vehicle so high may pass."),
        Option(name: "--width", value: "METRES", help: "The same for its width,"),
        Option(name: "--length", value: "METRES", help: "its length,"),
        Option(name: "--weight", value: "TONNES", help: "its weight,"),
        Option(name: "--axle-load", value: "TONNES", help: "and the load of an axle."),
        Option(
            name: "--speeds", value: "FILE",
            help: "Present speeds: CSV lines of \"from node,to node,km/h\", or the same as JSON; 0 closes."),
    ]
    private static let closures = [
        Option(
            name: "--close", value: "ROAD", isRepeatable: true,
            help: "A closed road: the number of a way, two node numbers A,B for one direction of a piece, or a box "
                + "W,S,E,N; may be given several times.")
    ]
    /// How a route begins, ends and passes its stops.
    private static let stops = [
        Option(
            name: "--heading", value: "DEGREES",
            help: "The direction in which you set out, clockwise from north; with a tolerance: 90,45. 60 without one."),
        Option(name: "--curb", help: "Reach and leave stops on the side of the road on which traffic keeps."),
        Option(name: "--radius", value: "METRES", help: "The road of each stop lies no further away than this."),
        Option(
            name: "--pass", value: "NUMBERS",
            help: "Of the places, counted from 1, those that the way only passes, without a stop: 2,3."),
        Option(name: "--go-on", value: "yes|no", help: "Whether one goes on in the same direction at stops."),
    ]
    private static let profile = Option(
        name: "--profile", short: "-p", value: "WHO", help: "car (as it is without this), bicycle or foot.")

    static let all: [Subcommand] = [
        demo, geocode, complete, reverse, search, route, map, open, link, formatAddress, importing, prepare, info,
        serve,
    ]

    static let demo = Subcommand(
        name: "demo", summary: "Show what Sextant does, on the built-in atlas of Helsinki and Monaco",
        usage: "[--quiet]",
        examples: [("sextant demo", "an address, restaurants near it, and the way between two sites")],
        details: [
            "The built-in atlases are made on first use and kept in $XDG_DATA_HOME/sextant (~/.local/share/sextant)."
        ],
        options: [language, quiet, help])

    static let geocode = Subcommand(
        name: "geocode", summary: "Find an address or a place by its name",
        usage: "QUERY | --street NAME [--housenumber N] [--city NAME] ... | --input TABLE [-o TABLE]",
        examples: [
            ("sextant geocode \"Mannerheimintie 10, Helsinki\"", "an address, written as people write it"),
            ("sextant geocode --street \"Avenue de la Costa\" --city Monaco", "the same, in fields"),
            ("sextant geocode \"Kalevankatu / Yrjönkatu\"", "a crossing"),
            ("sextant geocode Kalevankatu --near 60.1675,24.9385", "what is near to a point first"),
            ("sextant geocode --input sites.csv --output found.csv", "all rows of a table"),
        ],
        details: [
            "The order of number, street, postcode and city is free, and so are commas, case and accents.",
            "A crossing is two streets with \"/\", \"&\", \"and\" or \"corner of\". A position may be written as LAT,LON, in "
                + "degrees, minutes and seconds, as a geo: link, or as a Plus code, a short one with its town: "
                + "\"5W9Q+9M Helsinki\". It is looked up as sextant reverse does.",
            "In a table the columns are known by their names in many languages; where they are not, --address, --name, "
                + "--street, --housenumber, --postcode, --city, --county, --state and --country name them, by number where "
                + "need be, or give one text for all rows: --country =LI. Rows keep their order and all that is in them. "
                + "Behind it stand point, quality from 0 to 1, precision (house, interpolated, intersection, street, poi, "
                + "place, or nothing), label, street, number, postcode, city, country, id, and the reason why a row is not "
                + "found or not found as it was asked. A row that cannot be read says so there and stops nothing.",
        ],
        options: [
            Option(name: "--street", value: "NAME", help: "The street, with or without the house number."),
            Option(name: "--housenumber", value: "N", help: "The house number."),
            Option(name: "--postcode", value: "CODE", help: "The postcode."),
            Option(name: "--city", value: "NAME", help: "The city, town or village."),
            Option(name: "--county", value: "NAME", help: "The county or district."),
            Option(name: "--state", value: "NAME", help: "The state, province or canton."),
            Option(name: "--country", value: "NAME", help: "The country, or its code of two letters."),
            Option(
                name: "--near", value: "LAT,LON",
                help: "Prefer what is near to this point. A house number alone is looked for around it."),
            Option(name: "--bbox", value: "W,S,E,N", help: "Prefer what lies in this box in degrees."),
            Option(name: "--bounded", help: "Nothing outside of --bbox."),
            Option(
                name: "--layer", value: "LIST",
                help: "What may be the answer: address, place, postcode, street, house, poi, stop, natural, or several "
                    + "with \",\" between."),
            Option(name: "--countries", value: "LIST", help: "Only in these countries, by code: de,at."),
            Option(
                name: "--explain",
                help: "Tell how the text was read, what was considered, and why the first answer came first."),
            Option(name: "--address", value: "COLUMN", help: "The column of a table that holds the whole address."),
            Option(name: "--name", value: "COLUMN", help: "The column of a table that holds the name of a place."),
            Option(name: "--number", value: "COLUMN", help: "The same as --housenumber, for a table."),
            limit,
        ] + tables + asking)

    static let complete = Subcommand(
        name: "complete", summary: "Offer what a text that is being typed may become",
        usage: "TEXT [--near LAT,LON]",
        examples: [
            ("sextant complete mann --near 60.1699,24.9465", "what begins so, near or important first"),
            ("sextant complete \"helsinki aleks\"", "several words, in any order"),
            ("sextant complete \"Mannerheimintie 1\"", "the street and its house numbers"),
        ],
        details: [
            "Every word counts, and the last may be unfinished. One typing error is forgiven from the fourth letter of a "
                + "word on, two from the eighth. Words for kinds of places are offered too: they are for sextant search."
        ],
        options: [
            Option(name: "--near", value: "LAT,LON", help: "Streets and shops near to this point come first."),
            limit, json, language, atlas, noWorld, quiet, help,
        ])

    static let reverse = Subcommand(
        name: "reverse", summary: "Tell the address of a point",
        usage: "LAT LON | --input TABLE [-o TABLE]",
        examples: [
            ("sextant reverse 60.1699 24.9465", "the address nearest to a point, and the places around it"),
            ("sextant reverse 60.1699 24.9465 --layer street", "the street alone"),
            ("sextant reverse 60.1699 24.9465 --level city", "the town alone"),
            ("sextant reverse -i points.csv -o found.csv", "all rows of a table"),
        ],
        details: [
            "The answer says how far from the point it lies. With --json it also names the time zone, the sea, and the waters, "
                + "parks and grounds that hold the point.",
            "In a table the columns of the point are known by their names, or named by --lat and --lon, or --position for "
                + "both in one; features of GeoJSON have their geometry. Rows keep their order and all that is in them; what "
                + "was found stands behind, as sextant geocode writes it, with the distance in metres.",
        ],
        options: [
            Option(
                name: "--level", value: "LEVEL",
                help: "How fine the answer may be: country, state, county, city, suburb, street or house."),
            Option(
                name: "--layer", value: "LIST",
                help:
                    "What may be the answer: address, street, house, poi, stop, natural, or several with \",\" between."
            ),
            Option(name: "--lat", value: "COLUMN", help: "The column of a table that holds the latitude."),
            Option(name: "--lon", value: "COLUMN", help: "The column of a table that holds the longitude."),
            Option(
                name: "--position", value: "COLUMN", help: "The column of a table that holds both, latitude first."),
        ] + tables + asking)

    static let search = Subcommand(
        name: "search", summary: "Search an area for a kind of place, a name or a brand",
        usage: "WORDS [--near LAT,LON] [--radius M | --bbox W,S,E,N | --within PLACE | --along WAY]",
        examples: [
            ("sextant search restaurants --near 60.1699,24.9465", "places to eat within 1 km"),
            (
                "sextant search \"accessible cafes near Kiasma open Sunday 10:00\"",
                "wishes, a place and a time"
            ),
            ("sextant search pharmacy --within Monaco", "in a municipality, an island, a park"),
            ("sextant search museo --bbox 24.92,60.16,24.97,60.18", "in a box"),
        ],
        details: [
            "The area is a hard limit: everything that matches inside it is listed, and nothing outside. --near alone "
                + "means within 1 km. Answers are sorted by distance from --near, along the way of --along, otherwise the "
                + "best first.",
            "The words may be a kind of place in many languages, a name, a brand or a food, with wishes (wheelchair, free wifi, "
                + "outdoor seating, takeaway, delivery, dogs, cards ...), times (open now, open Sunday 10:00, 24 hours) and a "
                + "place (in Vaduz, near the station). A place whose tags do not say that a wish is fulfilled is left out.",
        ],
        options: [
            Option(name: "--near", value: "LAT,LON", help: "The point to sort by distance from."),
            Option(name: "--radius", value: "M", help: "Within so many metres of --near."),
            Option(
                name: "--span", value: "LAT,LON",
                help: "Within a box of this height and width in degrees around --near."),
            Option(name: "--bbox", value: "W,S,E,N", help: "Within this box in degrees."),
            Option(
                name: "--within", value: "PLACE",
                help: "Within the outline of this place: a name, or an object such as relation/1155956."),
            Option(
                name: "--along", value: "WAY",
                help: "Beside a way, in its order: \"FROM;TO\" (or more places), or a file with a line: GeoJSON, GPX, "
                    + "encoded polyline."),
            Option(name: "--detour", value: "M", help: "How far from the way of --along, in metres (500)."),
            Option(name: "--profile", short: "-p", value: "WHO", help: "Who goes along: car, bicycle or foot."),
            Option(name: "--order", value: "ORDER", help: "best, nearest (to --near) or along."),
            Option(
                name: "--at", value: "TIME",
                help:
                    "When, for opening hours: 2026-12-01T10:00 on the clock of the place. Now without it; with --along "
                    + "the departure, and hours are told for the arrival."),
            Option(name: "--ndjson", help: "Print JSON, one place a line, as they are found."),
            limit,
        ] + asking)

    static let route = Subcommand(
        name: "route", summary: "Find the way from one place to another",
        usage: "FROM [VIA...] TO",
        examples: [
            ("sextant route \"Casino de Monte-Carlo\" \"Stade Louis-II\"", "by car, step by step"),
            ("sextant route 60.1719,24.9414 60.1617,24.9522 --profile foot", "on foot"),
            ("sextant route 60.1719,24.9414 60.1617,24.9522 --gpx > way.gpx", "for a navigation device"),
            ("sextant route 60.1719,24.9414 60.1617,24.9522 --avoid tunnel", "in the open air"),
            ("sextant route 60.1719,24.9414 60.1617,24.9522 --depart 2026-12-01T08:00", "at that hour"),
        ],
        details: [
            "A place is LAT,LON, an address, or a name. Roads, one-way streets, turn restrictions, barriers and access are "
                + "obeyed as the map has them.",
            "With --depart or --arrive everything that depends on the time is heeded at the moment one comes to it: "
                + "conditional access, turns and speeds, hours of gates and ferries. One waits before what is closed where that "
                + "is quicker than a way round, or there is none.",
            "Where there is no way, the message says what is in the way (a barrier, a closed road, a wish), what to allow, and "
                + "how far one gets; --json prints the same as an object.",
            "What is wished of all roads (--exclude, --avoid, a vehicle's size, --speeds) takes some time when it is first "
                + "asked for, and is kept for the next time in $SEXTANT_CACHE, $XDG_CACHE_HOME/sextant or ~/.cache/sextant; "
                + "`sextant prepare` does so beforehand.",
        ],
        options: [
            profile,
            Option(name: "--gpx", help: "Print a GPX track."),
            Option(
                name: "--alternatives", value: "N",
                help: "Tell up to N other ways (3 at most) that share little with the best and are no detours."),
            Option(
                name: "--depart", value: "TIME",
                help: "When one may set out: 2026-12-01T08:00 on the clock of the first place, or now."),
            Option(
                name: "--arrive", value: "TIME",
                help: "When one wants to be there: 2026-12-01T09:30 on the clock of the last place."),
            Option(
                name: "--longest-wait", value: "MINUTES",
                help: "How long one waits (1440); 0 takes everything as it is at the departure or arrival."),
            Option(
                name: "--as-far-as-possible",
                help: "Where no way leads to a stop, tell the one to the nearest place that can be reached."),
        ] + stops + wishes + closures + asking)

    static let prepare = Subcommand(
        name: "prepare", summary: "Make an atlas quick for wishes that routes have", usage: "ATLAS...",
        examples: [
            ("sextant prepare Monaco.atlas --exclude toll,motorway", "no tolls and no motorways"),
            ("sextant prepare Monaco.atlas --height 3.8 --weight 12", "a lorry"),
        ],
        details: [
            "Routes with these very wishes then need not wait. What is made is kept in $SEXTANT_CACHE, "
                + "$XDG_CACHE_HOME/sextant or ~/.cache/sextant, and may be deleted at any time."
        ],
        options: [profile] + wishes + [quiet, help])

    static let map = Subcommand(
        name: "map", summary: "Draw a map", usage: "PLACE | --center LAT,LON | --bbox W,S,E,N  -o FILE.png|svg|pdf",
        examples: [
            ("sextant map Monaco -o monaco.png", "a place with all that is around it"),
            ("sextant map --center 60.1699,24.9465 --zoom 17 -o centre.png", "what is around a point"),
            ("sextant map --bbox 24.941,60.166,24.953,60.172 --style dark -o box.svg", "a box, for the night"),
            ("sextant map --pin \"60.1675,24.9470=Park\" -o pins.pdf", "pins, and what is around them"),
        ],
        details: [
            "PNG pictures have as many pixels as --size says, times --scale; SVG and PDF have no pixels, and need no fonts. "
                + "Scale bar and attribution are always there. The file is written whole or not at all."
        ],
        options: [
            Option(name: "--output", short: "-o", value: "FILE", help: "The picture: a .png, .svg or .pdf file."),
            Option(name: "--center", value: "LAT,LON", help: "The point in the middle."),
            Option(
                name: "--zoom", value: "Z",
                help: "How close: 0 shows the world in 256 points, each step doubles. 15 without this."),
            Option(name: "--span", value: "LAT,LON", help: "Or a height and width in degrees around --center."),
            Option(name: "--bbox", value: "W,S,E,N", help: "All of this box in degrees."),
            Option(
                name: "--pin", value: "LAT,LON=TITLE", isRepeatable: true,
                help: "A pin, with a title where one is given. Alone, the pins decide what is shown."),
        ] + picture + [language, atlas, noWorld, quiet, help])

    static let open = Subcommand(
        name: "open", summary: "Do what a map link says: show, search, or find the way",
        usage: "LINK [-o FILE]",
        examples: [
            ("sextant open 'https://maps.apple.com/?ll=43.7394,7.4275&q=Casino' -o casino.png", "show a place"),
            ("sextant open 'maps.google.com/maps?saddr=Amos+Rex&daddr=Stockmann'", "find the way"),
            ("sextant open 'geo:60.1699,24.9465?z=16'", "tell what is there"),
        ],
        details: [
            "Links of maps.apple.com and maps.google.*, maps:, comgooglemaps: and geo:; a scheme may be missing. The command "
                + "that does what the link says is told on standard error."
        ],
        options: [
            Option(
                name: "--output", short: "-o", value: "FILE",
                help: "Draw what the link shows, finds or leads to: a .png, .svg or .pdf file."),
            Option(name: "--from", value: "PLACE", help: "Where you are, for a way that begins there."),
            json, geojson, language,
        ] + picture + [atlas, noWorld, quiet, help])

    static let link = Subcommand(
        name: "link", summary: "Write a map link",
        usage: "PLACE | --search WORDS [PLACE] | --to PLACE [--from PLACE]",
        examples: [
            ("sextant link 43.7394,7.4275 --label Casino", "to a place"),
            ("sextant link --search pizza Monaco", "to a search near a place"),
            ("sextant link --to \"Stockmann, Helsinki\" --mode walking", "to the way there from where its reader is"),
        ],
        details: ["A place is LAT,LON, an address, or a name. Nothing is looked up."],
        options: [
            Option(name: "--label", value: "TEXT", help: "What to call the place."),
            Option(name: "--search", value: "WORDS", help: "Look for these words."),
            Option(name: "--to", value: "PLACE", help: "Where a way leads."),
            Option(name: "--from", value: "PLACE", help: "Where it begins; without it, where the reader is."),
            Option(name: "--mode", value: "HOW", help: "driving, walking, transit or cycling."),
            Option(name: "--span", value: "LAT,LON", help: "The height and width in degrees of what is shown."),
            Option(name: "--zoom", value: "N", help: "Instead of a span: 2 (a continent) to 21 (a house)."),
            Option(name: "--geo", help: "Write a geo: link."), quiet, help,
        ])

    static let formatAddress = Subcommand(
        name: "format-address", summary: "Write addresses as their countries do", usage: "[FILE...]",
        examples: [
            ("sextant format-address addresses.ndjson", "in lines, an empty line between two"),
            ("sextant format-address --one-line --abbreviate < addresses.ndjson", "a line each, in short"),
        ],
        details: [
            "Reads the parts of an address as a JSON object a line, with the names that OpenStreetMap and Nominatim give "
                + "them: house_number, road, suburb, city, county, state, postcode, country, country_code and their like. "
                + "What has another name (restaurant, attention) makes the first line.",
            "A line that cannot be read is told with its number and does not keep the others from being written; the "
                + "command then ends with 5. --one-line leaves its line empty, --json writes {\"error\": ...} in its place.",
        ],
        options: [
            Option(name: "--one-line", help: "Write each address in one line."),
            Option(name: "--json", help: "Write {\"lines\": [...]} for each address."),
            Option(name: "--abbreviate", help: "Shorten words such as Avenue, in the languages of the country."),
            Option(name: "--country", value: "CODE", help: "Write for this country, whatever country_code says."),
            quiet, help,
        ])

    static let importing = Subcommand(
        name: "import",
        summary: "Make an atlas from OpenStreetMap, GeoNames, and tables of addresses or points",
        usage: "FILE... -o NAME.atlas",
        examples: [
            ("sextant import liechtenstein.osm.pbf -o Liechtenstein.atlas", "a country from a PBF extract"),
            ("sextant import DE.txt -o Germany.atlas", "places from GeoNames' dump table"),
            (
                "sextant import a.osm.pbf register.csv CH.txt --licence CC0 -o A.atlas",
                "with a register and postal codes"
            ),
            (
                "sextant import taps.csv --columns lat=Y,lon=X,category==tap -o Taps.atlas",
                "points of one kind"
            ),
        ],
        details: [
            "Reads .osm.pbf, .osm, .osm.gz and .osm.bz2; GeoNames' dumps (19 columns between tabs) and postal codes (12 "
                + "columns); and tables of addresses or points as CSV, GeoJSON or a JSON object a line. Each but a PBF may be "
                + "packed with gzip. The content tells what a file is. Several files make one atlas, extracts first, then "
                + "tables in their order; what an earlier one has is kept, doubles of it are folded and counted.",
            "Rows with a street or place and a house number are addresses; rows with a name or a kind are points. Columns are "
                + "known by their names (OpenAddresses', OpenStreetMap's keys, words of 18 languages) or named by --columns. "
                + "A kind is a tag (amenity=clinic), a kind that Sextant knows by any of its words (clinic, Apotheke), or a "
                + "word of its own, by which its points are found.",
            "The atlas stands there whole at the end or not at all: an old one of the same name is exchanged in one step.",
        ],
        options: [
            Option(name: "--only", value: "PART", help: "roads: an atlas that routes, and finds nothing."),
            Option(name: "--output", short: "-o", value: "PATH", help: "Where the atlas will stand."),
            Option(
                name: "--driving-side", value: "SIDE",
                help: "left or right, for data that does not tell. Otherwise the country's."),
            Option(name: "--admin1", value: "FILE", help: "GeoNames' admin1CodesASCII.txt, for the names of regions."),
            Option(
                name: "--columns", value: "[FILE:]LIST", isRepeatable: true,
                help:
                    "Which columns of a table hold what: street=STR,number=HNR,lat=Y,lon=X. Known are lat, lon, position, "
                    + "number, street, unit, housename, place, suburb, city, county, state, postcode, country, name, category "
                    + "and tags such as phone. A column is called by name or number; ==TEXT is the same text in all rows. "
                    + "With several tables, say of which."),
            Option(
                name: "--licence", value: "[FILE:]TEXT", isRepeatable: true,
                help: "The licence of a table's data, told with each answer: register.csv:CC0."),
            Option(
                name: "--attribution", value: "[FILE:]TEXT", isRepeatable: true,
                help: "Whom to name beside a table's data; its file's name without this."),
            Option(
                name: "--source-name", value: "[FILE:]TEXT", isRepeatable: true,
                help: "What to call a table in answers; its file's name without this."),
            Option(
                name: "--encoding", value: "[FILE:]NAME", isRepeatable: true,
                help: "How a table is written: utf-8 (as it is without this), utf-16 or windows-1252."),
            Option(name: "--json", help: "Print the import report as JSON."), quiet, help,
        ])

    static let info = Subcommand(
        name: "info", summary: "Tell what is in an atlas, and check it",
        usage: "ATLAS [--verify]",
        examples: [
            ("sextant info Liechtenstein.atlas", "sources, counts, coverage and sizes"),
            ("sextant info Liechtenstein.atlas --verify", "and whether every byte is as it was written"),
        ],
        details: ["towns and world stand for the built-in atlases."],
        options: [
            Option(name: "--verify", help: "Read all files and compare their checksums."),
            Option(name: "--json", help: "Print JSON instead."), quiet, help,
        ])

    static let serve = Subcommand(
        name: "serve", summary: "Answer HTTP requests on this machine, as Nominatim, Photon and OSRM do",
        usage: "[--port N] [--atlas PATH]",
        examples: [
            (
                "sextant serve --port 8080",
                "then http://127.0.0.1:8080/search?q=Monaco, /api?q=mona and /route/v1/car/..."
            )
        ],
        details: ["Listens on the loopback address only. Control-C ends it."],
        options: [
            Option(name: "--port", value: "N", help: "The port, 8080 without this; 0 lets the system choose."),
            language, atlas, noWorld, quiet, help,
        ])
}
