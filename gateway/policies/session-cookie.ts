// The cookie of a session. Over https its name begins with `__Host-`, which browsers let nobody else set: no other host of
// the domain, and no page over http. On this machine itself it works over http, without that: there all that listens on
// any port shares one jar, so the name says whose cookie it is, and of which port.
import { sessionDays } from '#contract/session-times.ts'
import { sessionEnded } from '#contract/internal/session-record.ts'
import type { Arrival } from '../request/transport.ts'

const tokenForm = /^[\w-]{43}$/
const maxAgeSeconds = sessionDays * 86_400

type Called = Pick<Arrival, 'transport' | 'port'>

/** Null where there is none in the right form, or more than one: nobody knows which of them is meant. */
export function sessionTokenIn(cookies: string | undefined, called: Called): string | null {
  const name = nameFor(called)
  if (cookies === undefined || name === null) return null
  const start = `${name}=`
  const own = cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
  const token = own[0]?.slice(start.length) ?? ''
  return own.length === 1 && tokenForm.test(token) ? token : null
}

/** Makes Set-Cookie of what the service has told: a token, or that the session is over. Null over an open network. */
export function sessionCookieFor(called: Called): ((told: string) => string) | null {
  const name = nameFor(called)
  if (name === null) return null
  const secure = called.transport === 'https' ? '; Secure' : ''
  return (told) => {
    const [value, maxAge] = told === sessionEnded ? ['', 0] : [told, maxAgeSeconds]
    return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
  }
}

function nameFor({ transport, port }: Called): string | null {
  if (transport === 'open') return null
  return transport === 'https' ? '__Host-session' : `workspace-session-${port}`
}
