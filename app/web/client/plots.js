// @ts-check
// Plots of series over time, with a cursor that scrubs and the value under the pointer.

import { clamp } from "./math.js";

/** @typedef {{label: string, unit: string, values: ArrayLike<number>, dim: number}} Series */

// hues of the columns of a series, after the accent colour
const COLOURS = ["var(--accent)", "#e0a030", "#4caf6d", "#c678dd", "#e06c75", "#2bbac5", "#9aa0aa"];

/** A number for people. @param {number} value */
export function shortNumber(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return size && (size < 1e-3 || size >= 1e5) ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** A plot in the panel. */
export class Plot {
  /**
   * @param {Series} series @param {number} count of frames
   * @param {{seek: (frame: number) => void, hover: (event: PointerEvent | null, text: string) => void, close: () => void, timeOf: (frame: number) => string}} actions
   */
  constructor(series, count, actions) {
    this.series = series;
    this.count = count;
    this.actions = actions;
    this.frame = 0;
    this.figure = document.createElement("figure");
    const caption = document.createElement("figcaption"), name = document.createElement("span"), close = document.createElement("button");
    name.textContent = name.title = series.unit ? `${series.label}, ${series.unit}` : series.label;
    this.value = document.createElement("output");
    close.textContent = "×";
    close.setAttribute("aria-label", `Remove the plot of ${series.label}`);
    close.addEventListener("click", actions.close);
    caption.append(name, this.value, close);
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "slider");
    this.canvas.setAttribute("aria-label", `${series.label}: time`);
    this.canvas.setAttribute("aria-valuemin", "0");
    this.canvas.setAttribute("aria-valuemax", String(count - 1));
    this.figure.append(caption, this.canvas);
    this.canvas.addEventListener("pointerdown", (event) => this.drag(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerleave", () => actions.hover(null, ""));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.range = this.extremes();
    this.drawn = "";
  }

  /** Lowest and highest finite value. */
  extremes() {
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < this.series.values.length; i++) {
      const value = this.series.values[i];
      if (Number.isFinite(value)) low = Math.min(low, value), high = Math.max(high, value);
    }
    if (low > high) return [0, 1];
    const room = 0.08 * (high - low) || 0.5 * Math.abs(high) || 1;
    return [low - room, high + room];
  }

  /** @param {PointerEvent} event */
  frameAt(event) {
    const box = this.canvas.getBoundingClientRect();
    return Math.round(clamp((event.clientX - box.left) / box.width, 0, 1) * (this.count - 1));
  }

  /** @param {PointerEvent} event */
  drag(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.actions.seek(this.frameAt(event));
  }

  /** @param {PointerEvent} event */
  move(event) {
    const frame = this.frameAt(event);
    if (event.buttons) this.actions.seek(frame);
    this.actions.hover(event, `${this.actions.timeOf(frame)}  ${this.text(frame)}`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10, Home: -this.count, End: this.count }[event.key];
    if (step === undefined || event.ctrlKey || event.shiftKey || event.altKey) return;
    this.actions.seek(clamp(this.frame + step, 0, this.count - 1));
    event.preventDefault();
    event.stopPropagation();
  }

  /** Values of a frame. @param {number} frame */
  text(frame) {
    const { values, dim, unit } = this.series;
    const numbers = Array.from({ length: dim }, (_, k) => shortNumber(values[dim * frame + k]));
    return unit ? `${numbers.join("  ")} ${unit}` : numbers.join("  ");
  }

  /** @param {number} frame where the cursor is */
  update(frame) {
    const { canvas } = this, ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    const style = getComputedStyle(canvas), key = `${frame} ${width} ${height} ${style.getPropertyValue("--accent")}`;
    if (key === this.drawn || !width) return;
    this.drawn = key;
    this.frame = frame;
    this.value.textContent = this.text(frame);
    canvas.setAttribute("aria-valuenow", String(frame));
    canvas.setAttribute("aria-valuetext", `${this.actions.timeOf(frame)}: ${this.text(frame)}`);
    if (canvas.width !== width || canvas.height !== height) canvas.width = width, canvas.height = height;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, width, height);
    const x = (frame / Math.max(this.count - 1, 1)) * (width - 1);
    context.strokeStyle = style.getPropertyValue("--dim");
    context.lineWidth = ratio;
    if (this.range[0] < 0 && this.range[1] > 0) this.line(context, [0, this.height(0, height), width, this.height(0, height)], 0.35);
    for (let column = Math.min(this.series.dim, COLOURS.length) - 1; column >= 0; column--) {
      const colour = column ? COLOURS[column] : style.getPropertyValue("--accent");
      this.curve(context, column, colour, width, height, ratio);
    }
    context.strokeStyle = style.getPropertyValue("--text");
    this.line(context, [x, 0, x, height], 0.8);
  }

  /** @param {number} value @param {number} height */
  height(value, height) {
    return height * (1 - (value - this.range[0]) / (this.range[1] - this.range[0]));
  }

  /** @param {CanvasRenderingContext2D} context @param {number[]} ends @param {number} alpha */
  line(context, [x0, y0, x1, y1], alpha) {
    context.globalAlpha = alpha;
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
    context.globalAlpha = 1;
  }

  /** One column; of many values in a pixel, the lowest and highest. @param {CanvasRenderingContext2D} context @param {number} column @param {string} colour @param {number} width @param {number} height @param {number} ratio */
  curve(context, column, colour, width, height, ratio) {
    const { values, dim } = this.series, { count } = this, per = Math.max(Math.floor(count / width), 1);
    context.strokeStyle = colour;
    context.lineWidth = 1.3 * ratio;
    context.beginPath();
    let open = false;
    for (let first = 0; first < count; first += per) {
      let low = Infinity, high = -Infinity;
      for (let i = first; i < Math.min(first + per, count); i++) {
        const value = values[dim * i + column];
        if (Number.isFinite(value)) low = Math.min(low, value), high = Math.max(high, value);
      }
      const x = (first / Math.max(count - 1, 1)) * (width - 1);
      if (low > high) open = false;
      else {
        if (open) context.lineTo(x, this.height(high, height));
        else context.moveTo(x, this.height(high, height));
        if (low < high) context.lineTo(x, this.height(low, height));
        open = true;
      }
    }
    context.stroke();
  }
}
