package picture

import "strings"

// Bot returns a bot's picture as SVG: a plant, or an animal for children. It has no text
// alternative, because the bot's name is beside it. Levels count from 1. An unknown level
// gets the picture of level 1.
func Bot(level int, animal bool) string {
	list := plants
	if animal {
		list = animals
	}
	if level < 1 || level > len(list) {
		level = 1
	}
	return `<svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true" focusable="false">` + strings.ReplaceAll(list[level-1], "\n", "") + `</svg>`
}

// Parts of the pictures. A face has the same place in every picture that has one.
const (
	face   = `<g fill="#1d1a16"><circle cx="25" cy="35" r="2.6"/><circle cx="39" cy="35" r="2.6"/></g><path d="M27 42q5 4 10 0" fill="none" stroke="#1d1a16" stroke-width="2" stroke-linecap="round"/>`
	ground = `<path d="M10 56h44" stroke="#6b4423" stroke-width="3" stroke-linecap="round"/>`
	leaf   = `<g fill="#4e8a3a" stroke="#2f5c22" stroke-width="1.5">`
)

var plants = [...]string{
	// Pip: a seed with a first green tip.
	`<path d="M32 20q-1-8 7-12 1 8-7 12z" fill="#6aa84f"/><path d="M32 18c13 9 16 18 16 25a16 15 0 0 1-32 0c0-7 3-16 16-25z" fill="#e8b04a" stroke="#8a5a1f" stroke-width="2"/>` + face,
	// Poppy: four petals.
	`<path d="M32 44v16" stroke="#4e8a3a" stroke-width="4"/><g fill="#d8402f" stroke="#8f2318" stroke-width="1.5"><circle cx="22" cy="24" r="12"/><circle cx="42" cy="24" r="12"/><circle cx="22" cy="40" r="12"/><circle cx="42" cy="40" r="12"/></g><circle cx="32" cy="34" r="15" fill="#f7d9c4"/>` + face,
	// Basil: two pairs of round leaves.
	`<path d="M32 58V26" stroke="#2f5c22" stroke-width="3"/>` + leaf + `<path d="M32 24q-14 2-16-10 14-4 16 10zM32 24q14 2 16-10-14-4-16 10z"/><ellipse cx="32" cy="38" rx="18" ry="14" fill="#7fb85e"/></g>` + face + ground,
	// Clove: a bud on its stalk.
	`<path d="M28 60l2-14h4l2 14z" fill="#7a4a2a"/><path d="M16 22l8 6V16l8 8 8-8v12l8-6-4 16H20z" fill="#9a5f38"/><circle cx="32" cy="36" r="14" fill="#c98d5b" stroke="#6b3f20" stroke-width="1.5"/>` + face,
	// Sorrel: three hearts.
	`<path d="M32 60V40" stroke="#2f5c22" stroke-width="3"/>` + leaf + `<path d="M32 26c-4-8-14-8-14-1 0 5 8 8 14 11 6-3 14-6 14-11 0-7-10-7-14 1z" transform="translate(0 -14)"/><path d="M30 38c-7-7-18-5-17 3 1 7 9 9 17 9zM34 38c7-7 18-5 17 3-1 7-9 9-17 9z"/><circle cx="32" cy="37" r="13" fill="#8fc46f"/></g>` + face,
	// Juniper: berries among needles.
	`<g stroke="#2f6b57" stroke-width="3" stroke-linecap="round"><path d="M32 58V12M32 20l-14-6M32 20l14-6M32 50l-18 6M32 50l18 6M32 30l-20-4M32 30l20-4"/></g><circle cx="18" cy="46" r="8" fill="#2f4a7a"/><circle cx="46" cy="46" r="8" fill="#2f4a7a"/><circle cx="32" cy="36" r="15" fill="#7d97cf" stroke="#22365c" stroke-width="1.5"/>` + face,
	// Baobab: a trunk as thick as its crown is wide.
	`<g fill="#5b9145" stroke="#2f5c22" stroke-width="1.5"><ellipse cx="18" cy="18" rx="13" ry="9"/><ellipse cx="46" cy="18" rx="13" ry="9"/><ellipse cx="32" cy="12" rx="14" ry="9"/></g><path d="M18 58q4-8 2-20-1-8-4-14h6l6 6 4-8 4 8 6-6h6q-3 6-4 14-2 12 2 20z" fill="#b98a5e" stroke="#6b4423" stroke-width="1.5"/>` + face + ground,
	// Sankofa: the bird that looks back, with what it fetches.
	`<path d="M14 46q0-16 18-18 4-14 16-10 8 4 4 12l-6 2q10 8 2 18-6 8-18 8-14 0-16-12z" fill="#c9a227" stroke="#6b4f0f" stroke-width="2"/><path d="M14 46Q4 40 6 28q10 4 14 12z" fill="#a37f16"/><path d="M38 22l-10-3 9-4z" fill="#d8402f"/><circle cx="24" cy="18" r="4" fill="#f4ead0" stroke="#6b4f0f"/><circle cx="44" cy="23" r="2.6" fill="#1d1a16"/><path d="M28 57v5M38 57v5" stroke="#6b4f0f" stroke-width="3" stroke-linecap="round"/><path d="M22 46q10 8 20-2" fill="none" stroke="#6b4f0f" stroke-width="2"/>`,
}

var animals = [...]string{
	// A mouse.
	`<g fill="#a9a4b0" stroke="#5e5a66" stroke-width="1.5"><circle cx="15" cy="20" r="11"/><circle cx="49" cy="20" r="11"/></g><g fill="#e9b8c0"><circle cx="15" cy="20" r="6"/><circle cx="49" cy="20" r="6"/></g><ellipse cx="32" cy="38" rx="19" ry="18" fill="#c4bfca" stroke="#5e5a66" stroke-width="1.5"/><circle cx="32" cy="40" r="2.5" fill="#b3475c"/>` + face,
	// A rabbit.
	`<g fill="#d9c3a5" stroke="#7d6645" stroke-width="1.5"><ellipse cx="23" cy="16" rx="6" ry="15"/><ellipse cx="41" cy="16" rx="6" ry="15"/><circle cx="32" cy="40" r="18" fill="#efe0ca"/></g><path d="M29 38h6l-3 3z" fill="#b3475c"/>` + face,
	// A hedgehog.
	`<path d="M6 46l5-6-6-4 7-3-4-7 8 0-1-8 7 4 3-8 6 6 6-6 3 8 7-4-1 8 8 0-4 7 7 3-6 4 5 6-26 12z" fill="#7a5536" stroke="#4a3018" stroke-width="1.5"/><ellipse cx="32" cy="41" rx="16" ry="14" fill="#e6cba4"/><circle cx="32" cy="39" r="3" fill="#1d1a16"/>` + face,
	// A cat.
	`<g fill="#e0913f" stroke="#8a4f14" stroke-width="1.5" stroke-linejoin="round"><path d="M14 32V10l14 10zM50 32V10L36 20z"/><circle cx="32" cy="38" r="19"/></g><path d="M29 38h6l-3 3z" fill="#b3475c"/><path d="M6 38h10M6 45l10-2M58 38H48M58 45l-10-2" stroke="#8a4f14" stroke-width="1.5"/>` + face,
	// A fox.
	`<g stroke="#7f3512" stroke-width="1.5" stroke-linejoin="round"><path d="M10 8l16 12h12L54 8l-2 28-20 22-20-22z" fill="#d9662b"/></g><path d="M12 36q12-6 20 6 8-12 20-6L32 58z" fill="#fbeedd"/><circle cx="32" cy="55" r="3.5" fill="#1d1a16"/><g fill="#1d1a16"><circle cx="25" cy="33" r="2.6"/><circle cx="39" cy="33" r="2.6"/></g>`,
	// An owl.
	`<path d="M12 12l10 6q10-4 20 0l10-6-2 22q0 24-18 26Q14 58 14 34z" fill="#8d6b4a" stroke="#4f3820" stroke-width="1.5" stroke-linejoin="round"/><g fill="#fff3d6" stroke="#4f3820" stroke-width="1.5"><circle cx="23" cy="31" r="9"/><circle cx="41" cy="31" r="9"/></g><g fill="#1d1a16"><circle cx="23" cy="31" r="4"/><circle cx="41" cy="31" r="4"/></g><path d="M28 38h8l-4 7z" fill="#e0a53f"/><path d="M24 50q8 5 16 0" fill="none" stroke="#4f3820" stroke-width="2"/>`,
	// An elephant.
	`<g fill="#9fb0bd" stroke="#56656f" stroke-width="1.5"><ellipse cx="13" cy="32" rx="11" ry="15"/><ellipse cx="51" cy="32" rx="11" ry="15"/><path d="M16 28a16 16 0 0 1 32 0q0 12-8 16v10q0 6-8 6-7 0-7-5h5q2 1 2-3v-8q-16-2-16-16z" fill="#b9c7d1"/></g><g fill="#1d1a16"><circle cx="25" cy="30" r="2.6"/><circle cx="39" cy="30" r="2.6"/></g>`,
	// A lion.
	`<path d="M32 4l7 6 9-3 2 9 9 3-4 8 6 8-7 5 1 9-9 1-4 9-8-4-8 4-4-9-9-1 1-9-7-5 6-8-4-8 9-3 2-9 9 3z" fill="#a8621e" stroke="#6b3a0c" stroke-width="1.5"/><circle cx="32" cy="36" r="17" fill="#f0c56a"/><path d="M28 38h8l-4 4z" fill="#6b3a0c"/>` + face,
}
