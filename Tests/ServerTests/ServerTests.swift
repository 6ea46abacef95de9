import Testing

struct ServerTests {}
