// @ts-check
/**
 * Sound and vibration. Sounds are synthesised, so there is nothing to load. Nothing sounds before
 * the viewer has touched the page, and every sound repeats something that is visible.
 *
 * @typedef {import("./notes.js").SoundName} SoundName
 * @typedef {import("./notes.js").Note} Note
 */

import { prefs } from "../lib/prefs.js";
import { notes } from "./notes.js";

const between = 1000 / 12; // ms between two clicks: a faster sequence is noise
const vibrations = { land: 10, take: [20, 30, 20], turn: 200 };

/** @type {AudioContext | null} made after the viewer has touched the page */
let context = null;
let touched = false;
let last = -Infinity;

/**
 * Prepares sound at the first touch of the page. The effect of the touch is drawn first: making an
 * audio context takes a slow phone longer than a frame.
 */
export function enableSound() {
  const wake = () => {
    if (navigator.userActivation?.hasBeenActive === false) return; // a finger that goes down may be about to scroll
    touched = true;
    if (context?.state === "running") return;
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (audible()) context ??= new AudioContext();
        void context?.resume();
      }),
    );
  };
  for (const gesture of ["pointerdown", "pointerup", "keydown"])
    addEventListener(gesture, wake, { capture: true, passive: true });
}

const audible = () => prefs.get("muted") !== "on" && Number(prefs.get("volume")) > 0;

/** @param {SoundName} name @param {number} [share] progress of the sowing, from 0 to 1 */
export function play(name, share = 0) {
  if (!context || !audible()) return;
  const now = performance.now();
  if (name === "seed" && now - last < between) return;
  last = now;
  const volume = (Number(prefs.get("volume")) / 100) ** 2; // perceived loudness grows with the square root
  for (const note of notes(name, share)) strike(context, note, volume);
}

/**
 * Plays one note: it is struck, and fades like a seed on wood.
 * @param {AudioContext} context
 * @param {Note} note
 * @param {number} volume
 */
function strike(context, [hz, at, length, loud], volume) {
  const start = context.currentTime + at;
  const voice = new OscillatorNode(context, { type: "triangle", frequency: hz });
  const fade = new GainNode(context, { gain: 0 });
  fade.gain.setValueAtTime(0.0001, start);
  fade.gain.exponentialRampToValueAtTime(Math.max(0.0002, 0.4 * loud * volume), start + 0.004);
  fade.gain.exponentialRampToValueAtTime(0.0001, start + length);
  voice.connect(fade).connect(context.destination);
  voice.start(start);
  voice.stop(start + length);
}

/** @param {keyof typeof vibrations} what */
export function vibrate(what) {
  const how = prefs.get("haptics");
  const wanted = how === "on" || (how !== "off" && matchMedia("(pointer: coarse)").matches);
  if (wanted && touched && "vibrate" in navigator) navigator.vibrate(vibrations[what]);
}
