import OpenStreetMap
import Testing

@Test func aTagIsFoundChangedAndTakenAway() {
    var tags: Tags = ["highway": "residential", "name": "Lane"]
    #expect(tags["name"] == "Lane")
    #expect(tags.has("highway", "residential"))
    tags["name"] = nil
    #expect(tags["name"] == nil)
    tags["oneway"] = "yes"
    #expect(tags.pairs.count == 2)
}
