import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyPage } from "../lib/browser.test.js";
import { english as t } from "../model/fixture.test.js";

emptyPage();
const { Chat } = await import("./chat.js");

/** An element of the page, as far as the chat needs one. */
function element() {
  /** @type {Record<string, (e: any) => void>} */
  const listeners = {};
  return {
    dataset: {},
    value: "",
    addEventListener: (/** @type {string} */ kind, /** @type {(e: any) => void} */ f) => (listeners[kind] = f),
    submit: () => listeners.submit({ preventDefault: () => {} }),
    append: () => {},
    setAttribute: () => {},
    checkVisibility: () => false,
    hidden: true,
    textContent: "",
  };
}

/** A chat on a page, and its form. @param {string[]} ids that the next lines get, "" without a connection */
function chatting(...ids) {
  const elements = new Map();
  const badge = element();
  Object.assign(document, {
    querySelectorAll: () => [badge],
    querySelector: (/** @type {string} */ selector) => {
      if (!elements.has(selector)) elements.set(selector, element());
      return elements.get(selector);
    },
    createElement: element,
  });
  /** @type {(string | undefined)[]} */
  const said = [];
  const chat = new Chat(t, ({ text }) => {
    said.push(text);
    return ids.shift() ?? "";
  });
  const field = elements.get("#chat-form [name=text]");
  const send = (/** @type {string} */ text) => {
    field.value = text;
    elements.get("#chat-form").submit();
  };
  return { chat, said, field, send, badge };
}

test("a text that could not be sent stays in its field", () => {
  const { said, field, send } = chatting("", "x-1");
  send("Hello");
  assert.deepEqual([said, field.value], [["Hello"], "Hello"]);
  send("Hello");
  assert.deepEqual([said, field.value], [["Hello", "Hello"], ""]);
  send(" ");
  assert.equal(said.length, 2);
});

test("a refused text is back in its field, unless another one is being written", () => {
  const { chat, field, send } = chatting("x-1", "x-2");
  send("Hello");
  chat.refused("x-0");
  chat.refused(undefined);
  assert.equal(field.value, "");
  chat.refused("x-1");
  assert.equal(field.value, "Hello");
  send("Hello again");
  field.value = "Sorry";
  chat.refused("x-2");
  assert.equal(field.value, "Sorry");
});

test("neither old lines nor one's own count as unread", () => {
  const { chat, badge } = chatting();
  const line = (/** @type {number} */ n, /** @type {string} */ by, /** @type {boolean} */ old) =>
    chat.add({ n, at: 0, by, name: by, text: "Hello", seat: 0 }, "me", old);
  assert.deepEqual([line(1, "Ben", true), badge.textContent], ["", ""]);
  assert.deepEqual([line(2, "me", false), badge.textContent], ["me: Hello", ""]);
  assert.deepEqual([line(3, "Ben", false), badge.textContent], ["Ben: Hello", "1"]);
  assert.deepEqual([line(3, "Ben", false), badge.textContent], ["", "1"]);
});
