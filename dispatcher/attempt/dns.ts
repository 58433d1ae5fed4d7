// Resolves host names to addresses. Node's usual look-up runs on four threads that the whole process shares, so a few names whose
// servers never answer would stall every delivery; this one waits on sockets, within a bound.
import type { LookupAddress } from 'node:dns'
import { Resolver, lookup } from 'node:dns/promises'

export type Resolve = (name: string) => Promise<LookupAddress[]>

const queryTimeoutMs = 1_000
const queriesMax = 2
// RFC 6761: no name server is asked.
const thisMachine = /^(.*\.)?localhost\.?$/i

/** With `local`, names from this machine's hosts file are found too, for deployments with private targets. */
export function resolver(local: boolean): Resolve {
  const dns = new Resolver({ timeout: queryTimeoutMs, tries: queriesMax })
  return async (name) => {
    if (local && thisMachine.test(name)) return lookup(name, { all: true })
    const [four, six] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
    const found = [...familyOf(four, 4), ...familyOf(six, 6)]
    if (found.length > 0) return found
    return local && isUnknown(four) && isUnknown(six) ? lookup(name, { all: true }) : []
  }
}

const familyOf = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []

const isUnknown = (answer: PromiseSettledResult<string[]>): boolean =>
  answer.status === 'rejected' &&
  ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'].includes((answer.reason as NodeJS.ErrnoException).code ?? '')
