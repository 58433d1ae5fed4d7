// What the key that is typed is and may do. It is kept with the page, like the key, and nowhere else.
import { useEffect, useState } from 'react'
import { ApiError } from '#clients/typescript/src/errors.ts'
import type { Me } from '#contract/me.ts'
import { keyBehind } from './try-call.ts'

/** Longer than the pause between two typed letters. */
const typedForMs = 400
const secretLengthMin = 12

type Found = { readonly of: string; readonly data: Me | null; readonly error: ApiError | null }
const unknown = { data: null, error: null }

/** Asked once the key has been typed. `error`: the key is refused. */
export function useKeyBehind(secret: string | null): Pick<Found, 'data' | 'error'> {
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    if (secret === null || secret.length < secretLengthMin) return undefined
    const leaving = new AbortController()
    const ask = (): void =>
      void keyBehind(secret, leaving.signal).then(
        (data) => setFound({ of: secret, data, error: null }),
        (error: unknown) => {
          // Without an answer nothing is known: the request itself will tell.
          if (error instanceof ApiError) setFound({ of: secret, data: null, error })
        },
      )
    const timer = setTimeout(ask, typedForMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [secret])
  return found !== null && found.of === secret ? found : unknown
}
