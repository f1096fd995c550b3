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

@Test func anObjectsNameIsReadInItsTwoForms() {
    #expect(OSMID("R12") == OSMID(.relation, 12))
    #expect(OSMID("way/7") == OSMID(.way, 7))
    #expect(OSMID("N-3") == OSMID(.node, -3))
    for wrong in ["", "12", "X1", "node/", "way/1x", "N99999999999999999999"] { #expect(OSMID(wrong) == nil) }
}
