-- What a reader leaves behind and finds again, as text that means something to its writer alone.

-- Where a session was. It goes with the session.
CREATE TABLE session_place (
    session_id TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    place TEXT NOT NULL CHECK (length(place) <= 65536)
) STRICT, WITHOUT ROWID;

-- How a user likes the screens to look.
CREATE TABLE user_appearance (
    user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    appearance TEXT NOT NULL
) STRICT;
