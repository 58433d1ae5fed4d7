// The service takes calls from the gateway and from nobody else: whoever holds the internal secret can say who calls.
import type { KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '#contract/fault.ts'
import { Principal, principalHeader } from '#contract/principal.ts'
import { verify } from '#runtime/sealing.ts'
import { isOf } from '../check.ts'

const isPrincipal = isOf(Principal)

export function principalOf(headers: IncomingHttpHeaders, key: KeyObject): Principal {
  const principal = verifiedHeader(headers[principalHeader], key)
  if (isPrincipal(principal)) return principal
  throw new Fault('missing_credentials', 'This address answers the gateway only.')
}

function verifiedHeader(header: string | string[] | undefined, key: KeyObject): unknown {
  return typeof header === 'string' ? verify(key, header) : undefined
}
