// Elements in a line of code, and the icons of buttons.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

/** An element with attributes (functions are listeners: onclick) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

const icons = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M6 5h4v14H6zM14 5h4v14h-4z',
  back: 'M17 5v14L8 12zM5 5h2.5v14H5z',
  forward: 'M7 5v14l9-7zM16.5 5H19v14h-2.5z',
  rewind: 'M12 5v14L3 12zM21 5v14l-9-7z',
  theme: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 0 0-14z',
  fit: 'M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM4 15h2v3h3v2H4zM18 15h2v5h-5v-2h3z',
  close: 'M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z',
} as const;
export type Icon = keyof typeof icons;

export function icon(name: Icon): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', icons[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

/** A button with an icon; `label` says what it does, and its key. */
export function iconButton(name: Icon, label: string, act: () => void): HTMLButtonElement {
  return el('button', { type: 'button', class: 'icon', title: label, 'aria-label': label, onclick: act }, icon(name));
}

/** Another icon and label for a button that is there. */
export function changeIcon(button: HTMLButtonElement, name: Icon, label: string): void {
  if (button.title === label) return;
  button.title = label;
  button.setAttribute('aria-label', label);
  button.replaceChildren(icon(name));
}

/** A labelled switch. */
export class Toggle {
  readonly element: HTMLLabelElement;
  private readonly box: HTMLInputElement;

  constructor(
    text: string,
    key: string,
    on: boolean,
    private readonly changed: (on: boolean) => void,
  ) {
    this.box = el('input', { type: 'checkbox', onchange: () => this.changed(this.on) });
    this.box.checked = on;
    this.element = el('label', { class: 'toggle', title: key ? `${text} (${key})` : text }, this.box, el('span', {}, text));
  }

  get on(): boolean {
    return this.box.checked;
  }
  /** Without telling. */
  set(on: boolean): void {
    this.box.checked = on;
  }
  flip(): void {
    this.box.checked = !this.box.checked;
    this.changed(this.on);
  }
}
