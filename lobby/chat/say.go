package chat

import (
	"context"
	"slices"
	"time"

	"mancala/lobby"
	"mancala/lobby/moderation"
	"mancala/match"
	"mancala/match/machine"
	"mancala/match/refusal"
)

// Codes of refusals.
const (
	CodeOff          refusal.Code = "chat-off"     // the settings of the game allow no chat
	CodePresets      refusal.Code = "chat-presets" // only ready phrases may be said
	CodeMuted        refusal.Code = "muted"        // the detail is a [mute]
	CodeMutedForGood refusal.Code = "muted-for-good"
)

var errPresets = refusal.New(CodePresets)

// Say stores a player's line and shows it to its readers on every instance. The player
// is one of the clients, in this audience. A line with a preset is a ready phrase and
// has no text.
func (s *Streams) Say(ctx context.Context, player string, as machine.Audience, preset, text string) error {
	c, id := s.chat, s.clients.Room()
	if err := lobby.SlowDown(c.Limit.Wait(player)); err != nil {
		return err
	}
	if err := c.maySay(ctx, player, id, preset != "", as.IsSeat()); err != nil {
		return err
	}
	deaf, err := c.Social.BlockedBy(ctx, player)
	if err != nil {
		return err
	}
	line, err := c.Lines.Say(ctx, lobby.Line{
		Room: id, Stream: StreamOf(as), Player: player, Seat: int(as), At: c.now(), Preset: preset, Text: text,
	})
	s.said() // the line may be stored even after an error
	if err != nil {
		return err
	}
	c.Said()
	names, err := c.names(ctx, slices.Concat(s.clients.Players(), []string{player}))
	if err != nil {
		return err
	}
	shown := shownLine(line, names[player])
	s.deliver(ctx, shown, line.Stream, deaf)
	return s.spread(shown, line.Stream)
}

// mute is the detail of a refusal to a muted player.
type mute struct {
	Hours int `json:"hours"` // until they may chat again
}

// mayTalk refuses a player who has been muted.
func (c *Chat) mayTalk(player string) error {
	until := c.Mutes.Muted(player)
	switch left := time.Until(until); {
	case until.IsZero():
		return nil
	case left > moderation.Forever/2:
		return refusal.New(CodeMutedForGood)
	default:
		return refusal.With(CodeMuted, mute{int(left/time.Hour) + 1})
	}
}

// maySay refuses a line that a game's settings do not allow beside it, or that its
// readers do not want. plays reports whether the player has a seat, preset whether the
// line is a ready phrase. Ready phrases are always allowed: readers who want none do
// not see them. See UX.md §6.
func (c *Chat) maySay(ctx context.Context, player, id string, preset, plays bool) error {
	if err := c.mayTalk(player); err != nil {
		return err
	}
	view, err := c.Rooms.View(ctx, id, "")
	if err != nil {
		return err
	}
	game, err := match.ReadPublic(id, view.Snapshot)
	switch {
	case err != nil:
		return err
	case game.Chat == "off":
		return refusal.New(CodeOff)
	case preset:
		return nil
	case game.Chat == "presets":
		return errPresets
	}
	writers := []string{player}
	if plays {
		writers = game.Players()
	}
	free, err := c.writeFreely(ctx, writers)
	if free && !plays && game.Listed {
		free, err = c.allHaveAccounts(ctx, writers) // among strangers
	}
	if err == nil && !free {
		err = errPresets
	}
	return err
}

// writeFreely reports whether all of these players want to read and write words of
// their own.
func (c *Chat) writeFreely(ctx context.Context, players []string) (bool, error) {
	for _, id := range players {
		prefs, err := c.People.Prefs(ctx, id)
		if err != nil || prefs["kids"] == "on" || prefs.Get(chatPref) != "free" {
			return false, err
		}
	}
	return true, nil
}

var chatPref = lobby.PrefNamed("chat")

// allHaveAccounts reports whether no guest is among these players: guests say only
// ready phrases to strangers.
func (c *Chat) allHaveAccounts(ctx context.Context, players []string) (bool, error) {
	for _, id := range players {
		who, err := c.People.Player(ctx, id)
		if refusal.Is(err, lobby.CodeNoPlayer) {
			return false, nil
		}
		if err != nil || who.Guest() {
			return false, err
		}
	}
	return true, nil
}

// OfStrangers returns the chat setting of a game between players who met in the
// lobby.
func (c *Chat) OfStrangers(ctx context.Context, players []string) (string, error) {
	free, err := c.allHaveAccounts(ctx, players)
	if free {
		return "free", err
	}
	return "presets", err
}
