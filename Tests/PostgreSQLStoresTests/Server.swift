import StoreEngines
import Testing

extension Trait where Self == ConditionTrait {
    static var withServer: Self {
        .enabled("needs a server: make test-postgresql") { TemporarySchema.url != nil }
    }
}
