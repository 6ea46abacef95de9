/// The names of months and weekdays in the supported languages: English, German, French, Spanish, Portuguese, Italian,
/// Dutch, Polish, Russian, Japanese, and Chinese.
enum DateNames {
    static let months: [[String]] = [
        words("january januar jänner janvier enero janeiro gennaio januari stycznia styczeń января январь"),
        words("february februar février fevrier febrero fevereiro febbraio februari lutego luty февраля февраль"),
        words("march märz mrz mars marzo março maart mrt marca marzec марта"),
        words("april avril abril aprile kwietnia kwiecień апреля апрель"),
        words("may mai mayo maio maggio mei maja мая май"),
        words("june juni juin junio junho giugno czerwca czerwiec июня июнь"),
        words("july juli juillet julio julho luglio lipca lipiec июля июль"),
        words("august août aout agosto augustus sierpnia sierpień августа"),
        words("september septembre septiembre setiembre setembro settembre września wrzesień сентября сентябрь"),
        words("october oktober octobre octubre outubro ottobre października październik октября октябрь"),
        words("november novembre noviembre novembro listopada ноября ноябрь"),
        words("december dezember décembre decembre diciembre dezembro dicembre grudnia grudzień декабря декабрь"),
    ]

    /// Whether a text is the name of a weekday. A name may be cut to two letters or more, except in Japanese and
    /// Chinese.
    static func isWeekday(_ name: String) -> Bool {
        if eastern.contains(name) { return true }
        return name.unicodeScalars.count >= 2 && weekdays.contains { $0.hasPrefix(name) }
    }

    private static let weekdays =
        words("monday tuesday wednesday thursday friday saturday sunday")
        + words("montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag")
        + words("lundi mardi mercredi jeudi vendredi samedi dimanche")
        + words("lunes martes miércoles miercoles jueves viernes sábado sabado domingo")
        + words("segunda terça terca quarta quinta sexta")
        + words("lunedì martedì mercoledì giovedì venerdì domenica")
        + words("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag")
        + words("poniedziałek wtorek środa czwartek czw piątek pt sobota niedziela ndz")
        + words("понедельник вторник среда четверг пятница суббота воскресенье пн чт пт сб вс")

    private static let eastern = Set(
        "月火水木金土日".flatMap { ["\($0)", "\($0)曜", "\($0)曜日"] }
            + "一二三四五六日天".flatMap { ["周\($0)", "週\($0)", "星期\($0)"] })

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
