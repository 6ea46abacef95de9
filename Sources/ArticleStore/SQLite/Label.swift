/// The kinds of labels of an article, as the table `label` names them.
enum Label: String {
    case author, tag
}
