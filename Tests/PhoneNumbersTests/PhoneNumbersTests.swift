import PhoneNumbers
import Testing

@Suite struct PhoneNumbersTests {
    @Test func nationalNumbersGetTheirCountrysCode() {
        #expect(PhoneNumbers.international("09 310 1691", country: "fi") == "+358 9 3101691")
        #expect(PhoneNumbers.international("089/2180-0", country: "de") == "+49 89 21800")
        #expect(PhoneNumbers.international("8 (495) 123-45-67", country: "ru") == "+7 495 123-45-67")
    }

    @Test func internationalNumbersNeedNoCountry() {
        #expect(PhoneNumbers.international("+37798060000", country: nil) == "+377 98 06 00 00")
        #expect(
            PhoneNumbers.international("+377 98060000; +33 1 42 68 53 00", country: "mc").contains(
                "; +33 1 42 68 53 00"))
    }

    @Test func whatIsNoNumberStaysAsItIs() {
        for text in ["", "ask inside", "12", String(repeating: "9", count: 500), "+", "1234\u{0}"] {
            #expect(PhoneNumbers.single(text, country: "de") == nil)
            #expect(PhoneNumbers.international(text, country: "xx!") == text)
        }
    }
}
