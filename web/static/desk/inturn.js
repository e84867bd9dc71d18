// @ts-check

/**
 * Returns a function that asks the server, one question at a time. If it is called while an answer is on
 * its way, it asks once more after that answer. It ends when no question is left.
 * @param {() => Promise<void>} ask
 * @returns {() => Promise<void>}
 */
export function inTurn(ask) {
  let again = false;
  /** @type {Promise<void> | null} */
  let asking = null;
  async function all() {
    try {
      while (again) {
        again = false;
        await ask();
      }
    } finally {
      asking = null;
    }
  }
  return () => {
    again = true;
    return (asking ??= all());
  };
}
