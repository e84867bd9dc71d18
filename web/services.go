package web

import (
	"mancala/lobby/chat"
	"mancala/lobby/departure"
	"mancala/lobby/effects"
	"mancala/lobby/gamelist"
	"mancala/lobby/hosting"
	"mancala/lobby/moderation"
	"mancala/lobby/newgame"
	"mancala/lobby/policy"
	"mancala/lobby/presence"
	"mancala/lobby/seeks"
	"mancala/lobby/showcase"
	"mancala/lobby/social"
	"mancala/lobby/workers"
	"mancala/web/site"
)

// newServices makes the domain services of one server, each with the others that it needs.
func newServices(c site.Config, limits *site.Limiters, metrics *site.Metrics) site.Services {
	s := site.Services{Workers: workers.New(), LobbyRoom: seeks.NewClient(c.Rooms)}
	s.Leases = s.LobbyRoom.NewLeases()
	s.Policy = &policy.Policy{
		Rooms: c.Rooms, People: c.Lobby.People, Games: c.Lobby.Games, Social: c.Social, Ratings: c.Ratings, Moderation: c.Moderation,
		Waiting: s.LobbyRoom, Orders: limits.Limit(site.LimitSeeks),
	}
	s.Chat = chat.New(chat.Config{
		Lines: c.Lobby.Lines, Rooms: c.Rooms, People: c.Lobby.People, Social: c.Social, Mutes: c.Moderation, Limit: limits.Limit(site.LimitChat),
		Said: metrics.Said, Workers: s.Workers, Log: c.Log,
	})
	pages := gamelist.NewPages(s.Workers)
	s.Presence = presence.New(presence.Config{
		Rooms: c.Rooms, People: c.Lobby.People, Social: c.Social, Lobby: s.LobbyRoom, Workers: s.Workers, Log: c.Log,
	}, pages)
	s.Shows = showcase.NewCache(showcase.CacheConfig{
		Index: c.Showcase, Rooms: c.Rooms, Ratings: c.Ratings, Workers: s.Workers, Log: c.Log,
	})
	s.Gamelist = gamelist.New(gamelist.Config{
		Rooms: c.Rooms, Games: c.Lobby.Games, Showcase: s.Shows, RuleSets: c.Rulebook, Presence: s.Presence, Pages: pages, Workers: s.Workers, Log: c.Log,
	})
	s.Effects = &effects.Effects{
		Rooms: c.Rooms, Chat: s.Chat, Social: c.Social, Ratings: c.Ratings, Bots: c.Bots, Expiry: c.Expiry, Opened: s.Gamelist.Opened,
		Tournaments: c.Events, People: c.Lobby.People, RuleSets: c.Rulebook,
	}
	s.Relations = &social.Relations{Graph: c.Social, Lobby: s.LobbyRoom, Pages: s.Presence, Log: c.Log}
	s.NewGames = &newgame.Maker{
		People: c.Lobby.People,
		Rooms:  c.Rooms, Policy: s.Policy, Invitations: c.Lobby.Invitations, Expiry: c.Expiry, Made: s.Gamelist.Changed, Log: c.Log,
		Limits: newgame.Limits{
			Games: limits.Limit(site.LimitGames), GamesPerAddress: limits.Limit(site.LimitGamesPerAddress),
			BotGames: limits.Limit(site.LimitBotGames), BotGamesPerAddress: limits.Limit(site.LimitBotGamesPerAddress),
		},
	}
	s.Hosting = &hosting.Hosting{
		Index: c.Events, Rooms: c.Rooms, People: c.Lobby.People, Invitations: c.Lobby.Invitations, Ratings: c.Ratings, Policy: s.Policy, Log: c.Log,
		Limits: hosting.Limits{
			Tournaments: limits.Limit(site.LimitTournaments), TournamentsPerAddress: limits.Limit(site.LimitTournamentsPerAddress),
			Entries: limits.Limit(site.LimitEntries), Secrets: limits.Limit(site.LimitSecrets),
		},
	}
	s.Departure = &departure.Departure{Lobby: s.LobbyRoom, Tournaments: s.Hosting, Games: s.Gamelist, Log: c.Log}
	s.Operators = &moderation.Operators{
		Moderation: c.Moderation, Names: c.Lobby.People, Chat: s.Chat, Rules: c.Rulebook, Departure: s.Departure,
	}
	return s
}
