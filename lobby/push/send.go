package push

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/SherClockHolmes/webpush-go"
)

// Message is what a device shows. The service worker reads it (offline/push.js), also that of
// the release before.
type Message struct {
	Title string `json:"title"`
	Body  string `json:"body,omitempty"`
	Tag   string `json:"tag"` // a message replaces the one with the same tag
	Path  string `json:"path"`
	Icon  string `json:"icon,omitempty"`
	Lang  string `json:"lang"`
	Dir   string `json:"dir"`
}

const (
	longestLife  = 28 * 24 * time.Hour // push services keep no message longer
	shortestLife = time.Minute
	usualLife    = 24 * time.Hour
)

// send sends a message to a device.
func (p *Push) send(ctx context.Context, log *slog.Logger, d device, t turn, m Message) Outcome {
	body, err := json.Marshal(m)
	if err != nil {
		panic(err) // texts always encode
	}
	urgency := webpush.UrgencyNormal
	if t.step == stepRemind {
		urgency = webpush.UrgencyHigh
	}
	answer, err := webpush.SendNotificationWithContext(ctx, body, &webpush.Subscription{
		Endpoint: d.Endpoint, Keys: webpush.Keys{P256dh: d.Keys.P256dh, Auth: d.Keys.Auth},
	}, &webpush.Options{
		HTTPClient: p.client, Subscriber: strings.TrimPrefix(p.opt.Contact, "mailto:"),
		VAPIDPublicKey: p.key.public, VAPIDPrivateKey: p.key.secret,
		Topic: p.topic(t), TTL: int(p.life(t) / time.Second), Urgency: urgency,
	})
	if err != nil {
		var at *url.Error
		if errors.As(err, &at) { // it quotes the endpoint, and anyone who knows the endpoint could call it
			err = at.Err
		}
		log.Debug("push: message not sent", "device", d.id, "err", err)
		return Failed
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer)
	switch code := answer.StatusCode; {
	case code == http.StatusNotFound, code == http.StatusGone:
		return Gone
	case code >= 200 && code < 300:
		return Sent
	default:
		log.Debug("push: message refused", "device", d.id, "status", code)
		return Failed
	}
}

// life returns how long the push service may keep a message for a device that is off.
func (p *Push) life(t turn) time.Duration {
	if t.ends == 0 {
		return usualLife
	}
	return min(max(time.UnixMilli(t.ends).Sub(p.opt.Now()), shortestLife), longestLife)
}

// topic is the same for all messages about one game, of which a push service keeps the last.
// The push service must not learn the game's address from it.
func (p *Push) topic(t turn) string {
	mac := hmac.New(sha256.New, []byte(p.key.secret))
	mac.Write([]byte(t.room + " " + t.player))
	return encode(mac.Sum(nil)[:24]) // 32 characters, the most that are allowed
}
