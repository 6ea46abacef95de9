internal import ArticleStore
internal import FlowCoordinators
internal import HTTPServer
internal import Navigation

/// A place as an address of this server, such as `/articles/welcome?in=%2Farticles%3Ftag%3Dswift`.
///
/// It consists of the path of the place and the other data that a page depends on: the list from which an article was
/// opened, and the visit in progress.
struct PlaceAddress: Equatable {
    /// The place.
    var place: AppRoute
    /// The list beneath an article or its form, if it is not the whole library.
    var list: ArticleList?
    /// The visit in progress, if any.
    var visit: Visits.ID?
    /// The number of rows before those of a list, when the link to it was made; nil if it is unknown. Counting again
    /// would take longer with every page.
    var offset: Int?

    private static let (listName, visitName, offsetName) = ("in", "going", "after")

    init(_ place: AppRoute, above list: ArticleList? = nil, in visit: Visits.ID? = nil, after offset: Int? = nil) {
        self.place = place
        self.list = list == .wholeLibrary ? nil : list
        self.visit = visit
        self.offset = offset
    }

    /// Creates the address of the place on top of a stack.
    init(top stack: [AppRoute], in visit: Visits.ID? = nil) {
        self.init(stack.last ?? .welcome, above: Self.list(beneath: stack), in: visit)
    }

    /// Parses the target of a request; nil if it is not a place.
    init?(_ target: HTTPTarget) {
        var list: ArticleList?
        var visit: Visits.ID?
        var offset: Int?
        var path = RoutePath()
        path = target.path == "/" ? RoutePath() : RoutePath(parsing: target.path) ?? RoutePath()
        guard target.path == "/" || !path.segments.isEmpty else { return nil }
        for item in target.query.items {
            switch item.name {
            case Self.listName:
                guard case .articles(let beneath)? = AppRoute(path: item.value) else { return nil }
                list = beneath
            case Self.visitName:
                guard let id = Visits.ID(item.value) else { return nil }
                visit = id
            case Self.offsetName:
                guard let count = Int(item.value), count >= 0 else { return nil }
                offset = count
            // Ignore empty fields of forms.
            case _ where item.value.isEmpty: break
            // Ignore the tracking parameters that newsletters and other sites append.
            case let name where name.hasPrefix("utm_") || name.hasSuffix("clid"): break
            default:
                guard path[item.name] == nil else { return nil }
                path = path.adding(item.name, item.value)
            }
        }
        guard let place = AppRoute(path) else { return nil }
        if offset != nil {
            guard case .articles(let list) = place, list.cursor != nil else { return nil }
        }
        self.init(place, above: list, in: visit, after: offset)
    }

    /// The address as text.
    var text: String {
        guard list != nil || visit != nil || offset != nil, let path = RoutePath(parsing: place.path) else {
            return place.path
        }
        return path.adding(Self.listName, list.map { AppRoute.articles($0).path })
            .adding(Self.visitName, visit?.text).adding(Self.offsetName, offset.map { String($0) }).text
    }

    /// Returns the parameter of the addresses of articles above a list. A page has many of these addresses, so it makes the
    /// parameter once.
    static func parameter(above list: ArticleList) -> String {
        listName + "=" + RoutePath.encoded(AppRoute.articles(list).path)
    }

    /// Returns the list below articles that are opened from a place at this address; nil for the whole library.
    func list(beneath place: AppRoute) -> ArticleList? {
        guard case .articles(let shown) = place else { return list }
        return shown == .wholeLibrary ? nil : shown
    }

    /// Returns the list directly below an article, or below the article of a form.
    private static func list(beneath stack: [AppRoute]) -> ArticleList? {
        guard let reference = stack.last?.articleInList,
            let beneath = stack.last(where: { $0.articleInList != reference }), case .articles(let list) = beneath
        else { return nil }
        return list
    }
}

extension PlaceAddress {
    private static let (linkName, targetName) = ("link", "to")

    /// Returns the address of the page that resolves a link in the article.
    func link(to target: String) -> String {
        guard let path = RoutePath(parsing: text) else { return text }
        return path.appending(Self.linkName).adding(Self.targetName, target).text
    }

    /// Returns the article and the link if the target is such an address.
    static func link(_ target: HTTPTarget) -> (address: PlaceAddress, link: String)? {
        guard target.segments.count == 3, target.segments[0] == "articles", target.segments[2] == linkName,
            let link = target.query[targetName]
        else { return nil }
        var address = PlaceAddress(.article(ArticleReference(target.segments[1])))
        if let list = target.query[listName] {
            guard case .articles(let beneath)? = AppRoute(path: list) else { return nil }
            address.list = beneath
        }
        return (address, link)
    }
}
