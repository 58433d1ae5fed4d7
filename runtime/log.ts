// One JSON line per event, to standard output. Redaction is the last thing that happens to a line, so a secret that
// reached it by an unexpected way (an error's text, an address with a password) is masked all the same.
import { pino, type Logger } from 'pino'
import { choice } from './setting-parsers.ts'

export type Log = Logger

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Spread into a process's settings, so that a wrong level is reported with the other mistakes. */
export const logSettings = {
  logLevel: choice('LOG_LEVEL', {
    of: levels,
    default: 'info',
    description: 'The least important events that are logged.',
  }),
}

export function logger(level: string, name: string): Log {
  return pino({ level, name, hooks: { streamWrite: withoutSecrets } })
}

const masked = '[redacted]'
// Fields that hold secrets, at any depth. Then secrets by their form, wherever they are: of a token the readable start
// stays, which tells which one it was; of a URL all but the password.
const field = /("(?:authorization|cookie|set-cookie|secret|password|token)":)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi
// `node_` is excluded, since a path through node_modules looks like a token.
const token = /\b(?!node_)([a-z]{2,10}_(?:[0-9A-Za-z]{8}_)?)[0-9A-Za-z+/]{24,}=*/g
const passwordInUrl = /(:\/\/[^\s:/@"]*:)[^\s/"]+@/g

export const withoutSecrets = (line: string): string =>
  line.replace(field, `$1"${masked}"`).replace(token, `$1${masked}`).replace(passwordInUrl, `$1${masked}@`)
