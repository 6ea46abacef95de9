/// In whose name something is asked for that not everybody may do.
public enum Authority: Sendable {
    /// Of who holds this token. It is looked up each time, so no more than its user may do is done.
    case token(SessionToken)
    /// Of the person of that name on the machine, who may write the file of the database: nothing here could keep them
    /// from anything. Only a program that such a person runs, and no server, may say so.
    case system(user: String)
}
