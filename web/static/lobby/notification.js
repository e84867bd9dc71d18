// @ts-check
/** Notifications of a page whose tab is hidden. */

/**
 * Shows a notification, if the viewer allows it. A click leads to the tab.
 * @param {string} text
 * @param {() => void} [clicked] what else a click does. Where the service worker shows the notification, only
 *   the tab becomes visible.
 */
export function notify(text, clicked = () => {}) {
  if (window.Notification?.permission !== "granted") return;
  try {
    new Notification(text).onclick = () => {
      window.focus();
      clicked();
    };
  } catch {
    // Chrome on Android lets only service workers show notifications (offline/push.js has what a click does).
    const how = { data: { path: location.pathname } };
    navigator.serviceWorker?.getRegistration().then((worker) => worker?.showNotification(text, how)).catch(() => {});
  }
}
