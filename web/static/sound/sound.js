// @ts-check
/**
 * Sound and vibration. Sounds are synthesised, so there is nothing to load. Nothing sounds before
 * the viewer has touched the page, and every sound repeats something that is visible.
 *
 * @typedef {import("./notes.js").SoundName} SoundName
 */

import { prefs } from "../lib/prefs.js";
import { friend, knock, notes } from "./notes.js";

const between = 1000 / 12; // ms between two clicks: a faster sequence is noise
const vibrations = { land: 10, take: [20, 30, 20], turn: 200 };

/** @type {AudioContext | null} made after the viewer has touched the page */
let context = null;
let touched = false;
let last = -Infinity;
let fallen = 0; // seeds that were heard
/** @type {AudioBuffer | null} */
let noise = null;

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

/** Returns the volume: what ears hear grows with its square root. */
const loudness = () => (Number(prefs.get("volume")) / 100) ** 2;

/** @param {SoundName} name */
export const play = (name) => playNotes(notes(name));

/** Calls the viewer. A page that plays nothing else does not load the notes of a game. */
export const playFriend = () => playNotes(friend);

/** @param {import("./notes.js").Note[]} notes */
function playNotes(notes) {
  if (!context || !audible()) return;
  for (const [hz, at, length, loud] of notes) {
    ring(context, context.destination, hz, at, length, loud * loudness());
    ring(context, context.destination, 3.9 * hz, at, length / 4, 0.3 * loud * loudness()); // like a bar of wood
  }
}

/**
 * Plays a seed that falls.
 * @param {import("./notes.js").Made} made what the board is made of
 * @param {{share: number, store: boolean, pan: number}} where pan: from -1, left, to 1
 */
export function drop(made, where) {
  if (!context || !audible()) return;
  const now = performance.now();
  if (now - last < between) return;
  last = now;
  const { hz, partial, ring: length, click, bright, loud } = knock(made, ++fallen, where);
  const out = new StereoPannerNode(context, { pan: where.pan });
  out.connect(context.destination);
  const volume = loud * loudness();
  ring(context, out, hz, 0, length, volume);
  ring(context, out, hz * partial, 0, length / 3, volume / 2);
  const touch = new AudioBufferSourceNode(context, { buffer: (noise ??= hiss(context)) });
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: bright, Q: 1.5 });
  touch.connect(band).connect(fade(context, 0, 0.03, click * volume)).connect(out);
  touch.start(0, (fallen % 16) / 20, 0.05);
}

/** Makes a second of noise. @param {AudioContext} context */
function hiss(context) {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  return buffer;
}

/**
 * Plays a tone that is struck, and fades.
 * @param {AudioContext} context
 * @param {AudioNode} out
 * @param {number} hz
 * @param {number} at seconds from now
 * @param {number} length seconds
 * @param {number} loud
 */
function ring(context, out, hz, at, length, loud) {
  const voice = new OscillatorNode(context, { frequency: hz });
  voice.connect(fade(context, at, length, loud)).connect(out);
  voice.start(context.currentTime + at);
  voice.stop(context.currentTime + at + length);
}

/** @param {AudioContext} context @param {number} at @param {number} length @param {number} loud */
function fade(context, at, length, loud) {
  const start = context.currentTime + at;
  const node = new GainNode(context, { gain: 0 });
  node.gain.setValueAtTime(0.0001, start);
  node.gain.exponentialRampToValueAtTime(Math.max(0.0002, 0.4 * loud), start + 0.003);
  node.gain.exponentialRampToValueAtTime(0.0001, start + length);
  return node;
}

/** @param {keyof typeof vibrations} what */
export function vibrate(what) {
  const how = prefs.get("haptics");
  const wanted = how === "on" || (how !== "off" && matchMedia("(pointer: coarse)").matches);
  if (wanted && touched && "vibrate" in navigator) navigator.vibrate(vibrations[what]);
}
