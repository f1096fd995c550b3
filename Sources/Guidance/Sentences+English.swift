extension Sentences {
    /// English sentences.
    public static let english = Sentences(
        language: "en",
        phrases: englishPhrases,
        compass: ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"],
        ordinals: ["1st", "2nd", "3rd"],
        furtherOrdinal: "{n}th",
        nameAndRef: "{name} ({ref})")

    /// A phrase whose forms differ only in their ends.
    private static func onto(_ stem: String, _ onto: String = " onto {road}", _ sign: String = " towards {sign}")
        -> Phrase
    {
        Phrase(plain: stem, road: stem + onto, sign: stem + sign)
    }

    private static let englishPhrases: [String: Phrase] = {
        var phrases: [String: Phrase] = [
            "depart": onto("Head {compass}", " on {road}"),
            "depart/ferry": onto("Take the ferry", " {road}"),
            "depart/train": onto("Take the shuttle train", " {road}"),
            "depart/pushing": onto("Push your bicycle {compass}", " along {road}"),

            "arrive": onto("You have arrived", "", ""),
            "arrive/left": onto("You have arrived; your destination is on the left", "", ""),
            "arrive/right": onto("You have arrived; your destination is on the right", "", ""),
            "arrive/straight": onto("You have arrived; your destination is straight ahead", "", ""),

            "continue": onto("Continue", " on {road}"),
            "continue/straight": onto("Continue straight", " on {road}"),
            "continue/slight left": onto("Bear left", " to stay on {road}"),
            "continue/slight right": onto("Bear right", " to stay on {road}"),
            "continue/left": onto("Turn left", " to stay on {road}"),
            "continue/right": onto("Turn right", " to stay on {road}"),
            "continue/sharp left": onto("Turn sharp left", " to stay on {road}"),
            "continue/sharp right": onto("Turn sharp right", " to stay on {road}"),
            "continue/uturn": onto("Make a U-turn", " on {road}"),

            "new name": onto("Continue"),
            "new name/slight left": onto("Continue slightly left"),
            "new name/slight right": onto("Continue slightly right"),
            "new name/left": onto("Follow the road to the left"),
            "new name/right": onto("Follow the road to the right"),
            "new name/sharp left": onto("Follow the road sharply to the left"),
            "new name/sharp right": onto("Follow the road sharply to the right"),

            "merge": onto("Merge"),
            "merge/slight left": onto("Merge left"),
            "merge/slight right": onto("Merge right"),

            "fork": onto("Keep straight at the fork"),
            "fork/slight left": onto("Keep left at the fork"),
            "fork/slight right": onto("Keep right at the fork"),

            "end of road": onto("At the end of the road go on"),
            "end of road/left": onto("At the end of the road turn left"),
            "end of road/right": onto("At the end of the road turn right"),

            "on ramp": onto("Take the ramp"),
            "off ramp": onto("Take the exit"),

            "roundabout": onto("Enter the roundabout", "", ""),
            "roundabout/exit": onto("At the roundabout take the {nth} exit"),
            "rotary": onto("Enter the traffic circle", "", ""),
            "rotary/named": onto("Enter {circle}", "", ""),
            "rotary/exit": onto("At the traffic circle take the {nth} exit"),
            "rotary/exit/named": onto("At {circle} take the {nth} exit"),
            "roundabout turn": onto("At the roundabout go straight on"),
            "exit roundabout": onto("Leave the roundabout"),
            "exit rotary": onto("Leave the traffic circle"),

            "notification": onto("Go on"),
            "notification/ferry": onto("Take the ferry", " {road}"),
            "notification/train": onto("Take the shuttle train", " {road}"),
            "notification/pushing": onto("Dismount and push your bicycle", " along {road}"),
        ]
        for (modifier, words) in [
            ("left", "left"), ("right", "right"), ("sharp left", "sharp left"), ("sharp right", "sharp right"),
        ] {
            phrases["turn/\(modifier)"] = onto("Turn \(words)")
            phrases["roundabout turn/\(modifier)"] = onto("At the roundabout turn \(words)")
            phrases["notification/\(modifier)"] = onto("Go on to the \(words)")
        }
        phrases["turn"] = onto("Go on")
        phrases["turn/straight"] = onto("Go straight")
        phrases["turn/slight left"] = onto("Bear left")
        phrases["turn/slight right"] = onto("Bear right")
        phrases["turn/uturn"] = onto("Make a U-turn")
        for side in ["left", "right"] {
            for modifier in [side, "slight \(side)", "sharp \(side)"] {
                phrases["on ramp/\(modifier)"] = onto("Take the ramp on the \(side)")
                phrases["off ramp/\(modifier)"] = onto("Take the exit on the \(side)")
                phrases["on ramp/exit/\(modifier)"] = onto("Take exit {exit} on the \(side)")
                phrases["off ramp/exit/\(modifier)"] = onto("Take exit {exit} on the \(side)")
            }
        }
        phrases["off ramp/exit/straight"] = onto("Take exit {exit}")
        phrases["on ramp/exit/straight"] = onto("Take exit {exit}")
        return phrases
    }()
}
