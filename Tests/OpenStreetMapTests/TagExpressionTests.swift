import Testing

@testable import OpenStreetMap

@Suite struct TagExpressionTests {
    private func holds(_ expression: String, _ tags: Tags) throws -> Bool { try TagExpression(expression).holds(tags) }

    @Test func aValueIsExactlyOneOfThoseGiven() throws {
        #expect(try holds("amenity=bar,pub", ["amenity": "pub"]))
        #expect(try holds("amenity=bar,pub", ["amenity": "bar;pub"]) == false)
        #expect(try holds("amenity=bar", ["shop": "bar"]) == false)
        #expect(try holds("amenity=bar", [:]) == false)
    }

    @Test func starsStandForTheRestOfAValue() throws {
        #expect(try holds("cuisine=*pizza*", ["cuisine": "kebab;pizza"]))
        #expect(try holds("cuisine=thai*", ["cuisine": "thai;asian"]))
        #expect(try holds("cuisine=thai*", ["cuisine": "asian;thai"]) == false)
        #expect(try holds("cuisine=*;thai*", ["cuisine": "asian;thai"]))
        #expect(try holds("shop=*", ["shop": "no"]))
    }

    @Test func aNegationWantsTheKeyAllTheSame() throws {
        #expect(try holds("shop!=no,vacant", ["shop": "shoes"]))
        #expect(try holds("shop!=no,vacant", ["shop": "vacant"]) == false)
        #expect(try holds("shop!=no,vacant", ["amenity": "cafe"]) == false)
    }

    @Test func whatIsJoinedMustHoldTogether() throws {
        let mosque = "amenity=place_of_worship & religion=muslim | building=mosque"
        #expect(try holds(mosque, ["amenity": "place_of_worship", "religion": "muslim"]))
        #expect(try holds(mosque, ["amenity": "place_of_worship", "religion": "jewish"]) == false)
        #expect(try holds(mosque, ["building": "mosque"]))
    }

    @Test(arguments: [
        "", "amenity", "=bar", "amenity=", "amenity=bar |", "amenity=bar & ", "ameni*=bar", "amenity=a*b",
        "amenity=*bar",
        "amenity!=*bar*", "amenity=bar,", "amenity=*", "a b=c",
    ])
    func textThatIsNoExpressionIsRefused(text: String) {
        if text == "amenity=*" {
            #expect(throws: Never.self) { try TagExpression(text) }
        } else {
            #expect(throws: TagExpressionError.self) { try TagExpression(text) }
        }
    }

    @Test func theErrorSaysWhichPartIsWrong() {
        #expect { try TagExpression("amenity=bar | amenity=a*b") } throws: {
            "\($0)" == "\"amenity=a*b\" is no tag expression: it has a \"*\" where none can stand"
        }
    }
}
