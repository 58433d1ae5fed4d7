// The theme as a state of React.
import { useSyncExternalStore } from 'react'
import { storedTheme, storeTheme, type Theme } from '../ui/stored-theme.ts'

const listeners = new Set<() => void>()

export function chooseTheme(theme: Theme): void {
  storeTheme(theme)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, storedTheme)
