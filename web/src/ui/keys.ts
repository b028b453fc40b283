// Keys, and the page that lists them.
import { el, icon } from './dom.ts';

export interface Key {
  key: string; // as KeyboardEvent.key has it; letters in lower case
  name: string; // as it is written for people; empty: one that is in the list tells of it
  does: string;
  when?: (event: KeyboardEvent) => boolean; // then it goes before others of the same key; else it is not meant
  act: (event: KeyboardEvent) => void;
}

/** Listens for the keys; `?` shows them. A control that needs a key itself keeps it. */
export function listen(keys: Key[]): { help: () => void } {
  const rows = keys.filter((k) => k.name !== '').map((k) => el('tr', {}, el('th', {}, el('kbd', {}, k.name)), el('td', {}, k.does)));
  rows.push(el('tr', {}, el('th', {}, el('kbd', {}, '?')), el('td', {}, 'this list')));
  const close = el('button', { type: 'button', class: 'icon', 'aria-label': 'Close', onclick: () => dialog.close() }, icon('close'));
  const dialog = el('dialog', { class: 'help', 'aria-label': 'Keys' }, el('header', {}, el('h2', {}, 'Keys'), close), el('table', {}, ...rows));
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  const help = () => (dialog.open ? dialog.close() : dialog.showModal());

  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '?') {
      help();
      event.preventDefault();
      return;
    }
    if (dialog.open || takesKey(event)) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // A key may mean one thing here and another there: each knows whether it is meant.
    const all = keys.filter((k) => k.key === name);
    const first = all.filter((k) => k.when?.(event));
    const found = first.length > 0 ? first : all.filter((k) => !k.when);
    for (const key of found) key.act(event);
    if (found.length > 0) event.preventDefault();
  });
  return { help };
}

/** Whether the control in focus does something with this key. */
function takesKey(event: KeyboardEvent): boolean {
  const at = event.target;
  if (at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement) return true;
  if (at instanceof HTMLButtonElement || at instanceof HTMLElement && at.tagName === 'SUMMARY') return event.key === ' ' || event.key === 'Enter';
  if (!(at instanceof HTMLInputElement)) return false;
  if (at.type === 'checkbox') return event.key === ' ';
  return at.type !== 'range';
}
