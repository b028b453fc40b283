// Light or dark: as the system has it, until the user chooses.
const root = document.documentElement;

export function isDark(): boolean {
  const chosen = root.dataset['theme'];
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function switchTheme(): void {
  root.dataset['theme'] = isDark() ? 'light' : 'dark';
}

/** Calls `f` now and whenever the theme changes. */
export function onTheme(f: (dark: boolean) => void): void {
  f(isDark());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => f(isDark()));
  new MutationObserver(() => f(isDark())).observe(root, { attributeFilter: ['data-theme'] });
}
