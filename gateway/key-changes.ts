// Keys and workspaces that have changed, as the services tell of them.
import type { KeyChange } from '#contract/principal.ts'

type Forgetting = { forget(change: KeyChange): void; forgetAll(): void }

/** Takes what was broadcast. What cannot be read may have been about any key. */
export function hearKeyChange(text: string, keys: Forgetting): void {
  const change = changeIn(text)
  if (change === null) keys.forgetAll()
  else keys.forget(change)
}

function changeIn(text: string): KeyChange | null {
  try {
    const { kind, id } = JSON.parse(text) as Partial<KeyChange>
    return (kind === 'api-key' || kind === 'workspace') && typeof id === 'string' ? { kind, id } : null
  } catch {
    return null
  }
}
