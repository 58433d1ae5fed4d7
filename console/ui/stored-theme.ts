// Light, dark, or as the system is: stored in this browser, and kept on the document, where the stylesheet reads it.
// The console and the pages of the documentation share the choice.
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageName = 'theme'

export function storeTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(storageName)
  else localStorage.setItem(storageName, theme)
  applyTheme()
}

/** Called once before the first drawing. */
export function applyTheme(): void {
  const theme = storedTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function storedTheme(): Theme {
  const stored = localStorage.getItem(storageName)
  return themes.find((theme) => theme === stored) ?? 'system'
}
