// @ts-check
// How well a picture is drawn: by the time that the last ones took, and best when nothing moves.

import { clamp } from "./math.js";

// frame times, ms: above the first a frame is too slow, below the second there is time for more
const SLOW = 50, FAST = 20;
// the median over this many frames decides to go down, over that many to go up; a much slower one goes down at once
const SLOW_FRAMES = 4, FAST_FRAMES = 40, FAR_TOO_SLOW = 300;
// after this long without a change the view is drawn with the best quality, ms
export const STILL = 250;
// pixels of the canvas at most, on screens of high density
export const MAX_PIXELS = 9e6;

/** Chooses a quality preset from the times of recent frames. */
export class Pace {
  /** @param {number} presets @param {number} preset the first one */
  constructor(presets, preset) {
    this.preset = preset;
    this.last = presets - 1;
    /** @type {number[]} */
    this.times = [];
    // going up again takes longer each time that it was too slow
    this.patience = FAST_FRAMES;
  }

  /** @param {number} milliseconds from asking for a frame to getting it: more while the GPU is busy with the last one */
  add(milliseconds) {
    this.times.push(milliseconds);
    if (milliseconds > FAR_TOO_SLOW) this.times.push(milliseconds);
    const middle = (/** @type {number} */ count) => this.times.slice(-count).sort((a, b) => a - b)[count >> 1];
    if (this.times.length >= SLOW_FRAMES && middle(SLOW_FRAMES) > SLOW) {
      this.patience = Math.min(2 * this.patience, 2000);
      this.move(1);
    } else if (this.times.length >= this.patience && middle(this.patience) < FAST) this.move(-1);
    if (this.times.length > this.patience) this.times.shift();
  }

  /** @param {number} step */
  move(step) {
    this.preset = clamp(this.preset + step, 0, this.last);
    this.times = [];
  }
}
