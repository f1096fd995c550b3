/// The words of opening hours: those of the grammar, and what people write instead of them.
enum OpeningHoursWord: Hashable {
    /// 0 is Monday.
    case weekday(Int)
    /// 1 is January.
    case month(Int)
    case publicHoliday, schoolHoliday
    case kind(OpeningHours.Kind)
    case easter, week
    case event(OpeningHours.ClockTime.Event)
    /// "day", "days" after an offset.
    case days
    case daily
    /// Between the ends of a range.
    case to
    /// Between parts of a list.
    case and
    case beforeNoon, afterNoon
    /// After a number: "8 h 30".
    case hours
    case noon, midnight
    /// After a time: "Uhr".
    case clock
    /// Says nothing: "from".
    case filler

    /// The word that a text is; nil where it is none. Case does not matter, nor an s at the end.
    init?(_ text: Substring) {
        if let code = Self.code(text) {
            if let word = Self.shortWords[code] {
                self = word
                return
            }
            // Only longer words are names of days that may end with an s.
            if text.utf8.count <= 5 { return nil }
        }
        let lower = text.lowercased()
        if let word = Self.words[lower] {
            self = word
        } else if lower.count > 5, lower.hasSuffix("s"), let word = Self.words[String(lower.dropLast())],
            word.isName
        {
            self = word
        } else {
            return nil
        }
    }

    private var isName: Bool {
        switch self {
        case .weekday, .month: true
        default: false
        }
    }

    /// Up to eight ASCII letters in one number, small; nil for other words.
    private static func code(_ text: Substring) -> UInt64? {
        guard text.utf8.count <= 8 else { return nil }
        var code: UInt64 = 0
        for byte in text.utf8 {
            guard byte < 0x80 else { return nil }
            code = code << 8 | UInt64(byte | 0x20)
        }
        return code
    }

    private static let shortWords: [UInt64: OpeningHoursWord] = {
        var result: [UInt64: OpeningHoursWord] = [:]
        for (text, word) in words { if let code = code(text[...]) { result[code] = word } }
        return result
    }()

    private static let words: [String: OpeningHoursWord] = {
        var words: [String: OpeningHoursWord] = [
            "ph": .publicHoliday, "sh": .schoolHoliday, "holiday": .publicHoliday, "holidays": .publicHoliday,
            "feiertag": .publicHoliday, "feiertage": .publicHoliday, "feiertags": .publicHoliday,
            "off": .kind(.closed), "closed": .kind(.closed), "geschlossen": .kind(.closed), "ruhetag": .kind(.closed),
            "fermé": .kind(.closed), "cerrado": .kind(.closed), "chiuso": .kind(.closed), "gesloten": .kind(.closed),
            "suljettu": .kind(.closed), "stängt": .kind(.closed), "выходной": .kind(.closed), "закрыто": .kind(.closed),
            "open": .kind(.open), "unknown": .kind(.unknown),
            "easter": .easter, "week": .week, "weeks": .week,
            "dawn": .event(.dawn), "sunrise": .event(.sunrise), "sunset": .event(.sunset), "dusk": .event(.dusk),
            "day": .days, "days": .days, "daily": .daily, "everyday": .daily, "täglich": .daily, "ежедневно": .daily,
            "dagelijks": .daily,
            "to": .to, "till": .to, "til": .to, "until": .to, "thru": .to, "through": .to, "bis": .to, "a": .to,
            "à": .to,
            "au": .to, "tot": .to, "до": .to, "по": .to, "às": .to, "alle": .to, "hasta": .to,
            "and": .and, "und": .and, "et": .and, "y": .and, "e": .and, "en": .and, "och": .and, "ja": .and, "и": .and,
            "am": .beforeNoon, "pm": .afterNoon,
            "h": .hours, "hr": .hours, "hrs": .hours, "hs": .hours, "hours": .hours,
            "noon": .noon, "midnight": .midnight, "midday": .noon,
            "uhr": .clock, "klo": .filler, "kl": .filler, "from": .filler, "von": .filler, "de": .filler,
            "um": .filler,
            "с": .filler, "van": .filler, "ore": .filler, "each": .filler, "every": .filler,
        ]
        let weekdays = """
            mo mon monday montag lundi lunes lunedì lunedi maandag maanantai måndag mandag poniedziałek понедельник пн dilluns lun
            tu tue tues tuesday di die dienstag mardi martes martedì martedi dinsdag tiistai tisdag tirsdag wtorek вторник вт dimarts
            we wed weds wednesday mi mittwoch mercredi miércoles miercoles mercoledì mercoledi woensdag keskiviikko onsdag środa среда ср dimecres wo mié mie
            th thu thur thurs thursday do don donnerstag jeudi jueves giovedì giovedi donderdag torstai torsdag czwartek четверг чт dijous jue jeu
            fr fri friday freitag vendredi viernes venerdì venerdi vrijdag perjantai fredag piątek пятница пт divendres vr vie ven
            sa sat saturday samstag sonnabend samedi sábado sabado sabato zaterdag lauantai lördag lørdag sobota суббота сб dissabte za sam sáb sab
            su sun sunday so son sonntag dimanche domingo domenica zondag sunnuntai söndag søndag niedziela воскресенье вс diumenge zo dim dom
            """
        for (index, line) in weekdays.split(separator: "\n").enumerated() {
            for name in line.split(separator: " ") { words[String(name)] = .weekday(index) }
        }
        let months = """
            jan january januar janvier enero gennaio janeiro januari tammikuu январь января
            feb february februar février febrero febbraio fevereiro februari helmikuu февраль февраля
            mar march märz mär mrz mars marzo março maart maaliskuu март марта
            apr april avril abril aprile huhtikuu апрель апреля
            may mai mayo maggio maio mei maj toukokuu май мая
            jun june juni juin junio giugno junho kesäkuu июнь июня
            jul july juli juillet julio luglio julho heinäkuu июль июля
            aug august août aout agosto augustus augusti elokuu август августа
            sep sept september septembre septiembre settembre setembro syyskuu сентябрь сентября
            oct october okt oktober octobre octubre ottobre outubro lokakuu октябрь октября
            nov november novembre noviembre novembro marraskuu ноябрь ноября
            dec december dez dezember décembre diciembre dicembre dezembro desember joulukuu декабрь декабря
            """
        for (index, line) in months.split(separator: "\n").enumerated() {
            for name in line.split(separator: " ") { words[String(name)] = .month(index + 1) }
        }
        return words
    }()
}
