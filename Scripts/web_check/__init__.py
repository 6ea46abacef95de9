"""The parts of web-check: a server, a browser, the checks of each page, and the stories."""
