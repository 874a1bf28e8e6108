// Light or dark: the system's choice unless the user made one.

export type Theme = "light" | "dark";

let chosen: Theme | null = null;

export function currentTheme(): Theme {
  return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function nextTheme(): Theme {
  chosen = currentTheme() === "dark" ? "light" : "dark";
  return chosen;
}

export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
