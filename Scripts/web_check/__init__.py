"""What web-check is made of: a server, a browser, what is looked at on each page, and the stories."""
