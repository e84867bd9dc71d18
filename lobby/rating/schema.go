package rating

// schema is the set of migrations "rating". A step that a release has carried is
// never changed; a new one is added. Times are ms since 1970.
var schema = []string{`
CREATE TABLE ratings (
	player     TEXT NOT NULL,
	system     TEXT NOT NULL,
	speed      TEXT NOT NULL,
	value      DOUBLE PRECISION NOT NULL,
	deviation  DOUBLE PRECISION NOT NULL, -- as of the last counted game
	volatility DOUBLE PRECISION NOT NULL,
	games      BIGINT NOT NULL,
	at         BIGINT NOT NULL,           -- when the last game was counted
	PRIMARY KEY (player, system, speed)
);
CREATE INDEX ratings_top ON ratings (system, speed, value);

CREATE TABLE rated_games (
	room             TEXT NOT NULL,
	player           TEXT NOT NULL,
	seat             INTEGER NOT NULL,    -- 0 or 1
	system           TEXT NOT NULL,
	speed            TEXT NOT NULL,
	halves           INTEGER NOT NULL,    -- half points: 0, 1 or 2
	at               BIGINT NOT NULL,
	value_before     DOUBLE PRECISION NOT NULL,
	deviation_before DOUBLE PRECISION NOT NULL,
	value            DOUBLE PRECISION NOT NULL,
	deviation        DOUBLE PRECISION NOT NULL,
	PRIMARY KEY (room, player)
);
CREATE INDEX rated_games_of ON rated_games (player, system, speed, at);
`}
