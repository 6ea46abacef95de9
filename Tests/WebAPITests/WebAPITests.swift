import WebAPI
import Testing

struct WebAPITests {}
