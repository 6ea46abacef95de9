public import AuthService

extension CommonPasswords {
    /// The common passwords of at least eight characters, for policies that allow shorter passwords than
    /// ``AuthService/PasswordPolicy/standard``.
    public static let all = long.adding(table: PackageResources.short_txt)
}
