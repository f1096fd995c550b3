import Testing

@testable import HTTPServer

@Suite struct StartPageTests {
    private func page(_ query: [(name: String, value: String)] = []) -> String {
        let response = StartPage(HTTPRequest(path: "/", query: query)).response
        #expect(response.status == 200 && response.contentType.hasPrefix("text/html"))
        return String(decoding: response.body, as: UTF8.self)
    }

    @Test func itTellsWhatIsServedAndAsksNobodyElse() {
        let page = page()
        for path in ["/search", "/reverse", "/lookup", "/status", "/route/v1/", "/nearest/v1/"] {
            #expect(page.contains(path))
        }
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("<h2>"))
    }

    @Test func theParametersOfAMapLinkLeadToAnAnswer() {
        let shown = page([("ll", "43.7394,7.4275"), ("q", "Casino & <more>")])
        #expect(shown.contains("<h2>Casino &amp; &lt;more&gt;</h2>"))
        #expect(shown.contains("<a href=\"/reverse?lat=43.739400&amp;lon=7.427500\">"))
        let way = page([("saddr", "43.7394,7.4275"), ("daddr", "43.7310,7.4256"), ("dirflg", "w")])
        #expect(way.contains("href=\"/route/v1/foot/7.427500,43.739400;7.425600,43.731000?steps=true\""))
        let onward = page([("daddr", "Place \"X\"&<b>")])
        #expect(onward.contains("From where you are to Place &quot;X&quot;&amp;&lt;b&gt;"))
        #expect(onward.contains("href=\"/search?q=Place%20%22X%22%26%3Cb%3E\""))
        #expect(page([("q", "pizza"), ("near", "Monaco")]).contains("href=\"/search?q=pizza%2C%20Monaco\""))
        #expect(!page([("ll", "91,0")]).contains("<h2>"))
    }
}
