package lobby

import (
	"crypto/rand"
	"math/big"
	"strings"
)

// The words of guests' names. Every adjective must go with every noun, also for a child,
// in a class, and read aloud. So no word is about bodies, skin, faith or wealth; none
// hurts or has a second meaning; no animal is one that people use as an insult. All
// words are short, for early readers.
var (
	adjectives = strings.Fields(`
		Able Airy Amber Autumn Bold Brave Breezy Bright Brisk Calm
		Candid Careful Cheery Clear Clever Cloudy Coral Cosy Crimson Crisp
		Curious Daring Dawn Dazzling Deft Dewy Early Earnest Evening Fabled
		Famous Fast Fearless Festive Fleet Flowing Fresh Friendly Frosty Gentle
		Glad Golden Good Grand Happy Helpful Honest Humble Jade Jolly
		Keen Kind Leafy Lively Lucky Lunar Mellow Merry Mighty Misty
		Modest Morning Neat Nimble Noble Patient Peaceful Playful Polite Proud
		Quick Quiet Radiant Rapid River Rosy Ruby Sandy Shiny Silver
		Sincere Smart Snowy Solar Sparkly Spring Starry Steady Summer Sunny
		Swift Tidy Trusty Velvet Vivid Warm Windy Winter Wise Witty`)

	nouns = strings.Fields(`
		Acorn Almond Antelope Apricot Badger Bamboo Beacon Birch Bison Breeze
		Bridge Brook Canary Canyon Castle Cedar Chestnut Clover Comet Condor
		Coral Crane Cricket Crystal Daisy Delta Dolphin Dragon Eagle Echo
		Ember Falcon Fern Finch Firefly Forest Fox Garden Gecko Ginkgo
		Glacier Harbor Harp Hawk Hazel Heron Ibis Iris Island Ivy
		Kite Koala Lagoon Lake Lantern Lark Lemon Leopard Lily Linnet
		Lion Lotus Lynx Mango Maple Marble Meadow Meteor Moon Mountain
		Nebula Nutmeg Oak Oasis Ocean Orchid Otter Owl Palm Panda
		Pebble Pelican Penguin Pepper Petal Pine Planet Plum Prairie Puffin
		Quail Rabbit Rainbow Raven River Robin Rocket Saffron Sapling Sparrow
		Spruce Squirrel Star Stream Sun Sunflower Swan Thistle Thunder Tiger
		Toucan Tulip Turtle Valley Violin Walnut Wave Willow Wren Zebra`)
)

// FriendlyName returns a name for a player who has not chosen one: "Quiet Kite".
func FriendlyName() string {
	for {
		adjective, noun := pick(adjectives), pick(nouns)
		if adjective != noun { // "Coral Coral"
			return adjective + " " + noun
		}
	}
}

func pick(words []string) string {
	i, err := rand.Int(rand.Reader, big.NewInt(int64(len(words))))
	if err != nil {
		panic(err) // cannot happen: the program ends when the system's source of randomness fails
	}
	return words[i.Int64()]
}
