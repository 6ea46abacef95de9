import HTTPServer
import Synchronization

/// The counters of the server, in the text format of Prometheus (version 0.0.4).
final class Metrics: Sendable {
    private struct Key: Hashable {
        let place: String
        let method: String
        let status: Int
    }

    private struct Histogram {
        var counts = [Int](repeating: 0, count: Metrics.bounds.count + 1)
        var sum = 0.0
    }

    private struct Counts {
        var requests: [Key: Int] = [:]
        var durations: [String: Histogram] = [:]
    }

    /// The upper bounds of the buckets of a duration, in seconds.
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private let counts = Mutex(Counts())

    /// Counts a request.
    ///
    /// - Parameter place: the part of the server that responded. It is one of a fixed set, so that clients cannot
    ///   create many.
    func record(_ request: HTTPRequest, at place: String, _ status: HTTPStatus, _ duration: Duration) {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        count(request.method, at: place, status)
        counts.withLock { counts in
            let step = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
            counts.durations[place, default: Histogram()].counts[step] += 1
            counts.durations[place, default: Histogram()].sum += seconds
        }
    }

    /// Counts a request that was refused without calling any part of the server, so that its duration is not
    /// meaningful.
    ///
    /// - Parameter method: the method; nil if it is unknown.
    func count(_ method: HTTPMethod?, at place: String, _ status: HTTPStatus) {
        let name = method.flatMap { Self.methods.contains($0.name) ? $0.name : nil } ?? "other"
        counts.withLock { $0.requests[Key(place: place, method: name, status: status.code), default: 0] += 1 }
    }

    /// Returns the metrics as text.
    ///
    /// - Parameters:
    ///   - gauges: the current values, each with its name and meaning.
    ///   - counters: other counters.
    func text(
        gauges: [(name: String, help: String, value: Int)], counters: [(name: String, help: String, value: Int)]
    ) -> String {
        let counts = counts.withLock { $0 }
        var text =
            "# HELP articlesd_requests_total Answered requests.\n# TYPE articlesd_requests_total counter\n"
        for (key, count) in counts.requests.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
            text +=
                "articlesd_requests_total{place=\"\(key.place)\",method=\"\(key.method)\",status=\"\(key.status)\"} \(count)\n"
        }
        let name = "articlesd_request_duration_seconds"
        text += "# HELP \(name) Time to answer requests, in seconds.\n# TYPE \(name) histogram\n"
        for (place, histogram) in counts.durations.sorted(by: { $0.key < $1.key }) {
            var sum = 0
            for (step, count) in histogram.counts.enumerated() {
                sum += count
                let bound = step < Self.bounds.count ? "\(Self.bounds[step])" : "+Inf"
                text += "\(name)_bucket{place=\"\(place)\",le=\"\(bound)\"} \(sum)\n"
            }
            text += "\(name)_sum{place=\"\(place)\"} \(histogram.sum)\n\(name)_count{place=\"\(place)\"} \(sum)\n"
        }
        for (type, values) in [("gauge", gauges), ("counter", counters)] {
            for value in values {
                text += "# HELP \(value.name) \(value.help)\n# TYPE \(value.name) \(type)\n"
                text += "\(value.name) \(value.value)\n"
            }
        }
        return text
    }

    private static func order(_ key: Key) -> String { "\(key.place) \(key.method) \(key.status)" }
}
