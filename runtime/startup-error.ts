// Why a process does not start, in one sentence for the person who starts it: a setting, a port in use, a database that is
// away. The program itself is not at fault.

/** Its message is the sentence. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** Returns null for an error that nobody foresaw. */
export function startupSentence(error: unknown): string | null {
  for (const cause of causes(error)) {
    const sentence = cause instanceof StartupError ? cause.message : systemSentence(cause)
    if (sentence !== null) return sentence
  }
  return null
}

type SystemError = Error & { code?: string; port?: number; address?: string; hostname?: string }

function systemSentence(error: SystemError): string | null {
  const host = error.address ?? error.hostname ?? 'the address'
  const at = error.port === undefined ? host : `${host}:${error.port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${error.port} is already in use (${at}).`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${at}.`
    case 'EACCES':
      return `Not permitted: ${error.message}.`
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ETIMEDOUT':
      return `Nothing answers at ${at}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name ${at} is not known.`
    default:
      return null
  }
}

// Breadth first, bounded: an error, what it wraps, what it gathers.
function causes(error: unknown): Error[] {
  const found: Error[] = []
  const queue = [error]
  while (queue.length > 0 && found.length < 20) {
    const next = queue.shift()
    if (!(next instanceof Error)) continue
    found.push(next)
    queue.push(next.cause, ...(next instanceof AggregateError ? next.errors : []))
  }
  return found
}
