/// What an article is found by besides itself, as the table `label` names it.
enum Label: String {
    case author, tag
}
