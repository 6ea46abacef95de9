import WebFront
import Testing

struct WebFrontTests {}
