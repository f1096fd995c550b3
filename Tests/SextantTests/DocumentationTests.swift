import Sextant
import Testing

/// The example of the module's page, word for word but for the atlas.
@Test func theExampleOfThePageRuns() throws {
    let room = try Room()
    let atlas = try Atlas.open([importVillage(into: room)])
    let answer = try atlas.geocode(GeocodeQuery("Hauptstrasse 2, Oberdorf"))
    let home = try #require(answer.places.first)
    #expect(home.title.contains("Hauptstrasse 2"))
    let food = try atlas.search(
        SearchQuery("restaurants", in: .circle(center: home.coordinate, metres: 500), order: .nearest(home.coordinate)))
    let lunch = try #require(food.first)
    let lines = try atlas.complete(CompletionQuery("hauptstr 2", near: home.coordinate))
    #expect(lines.first?.title == "Hauptstrasse 2")
    let route = try atlas.route(RouteRequest(stops: [Stop(home.coordinate), Stop(lunch.coordinate)]))
    let sentences = route.legs.flatMap(\.steps).map(\.sentence)
    #expect(sentences.first?.contains("Hauptstrasse") == true)
    #expect(sentences.last?.contains("arrived") == true)
}
