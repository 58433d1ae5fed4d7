// The signed header by which the gateway tells the service who calls, for tests that call the service themselves.
import type { KeyObject } from 'node:crypto'
import { factsText, identityText, signedText, principalHeader, type Principal } from '#contract/internal/principal.ts'
import { digestOf, macOf } from '#runtime/sealing-and-signing.ts'

export function principalHeaders(
  key: KeyObject,
  principal: Principal,
  method: string,
  url: string,
  signedAt = Date.now(),
): Record<string, string> {
  const [identity, facts] = [identityText(principal), factsText(principal, signedAt)]
  const mac = macOf(key, signedText(digestOf(identity), facts, method, url.split('?', 1)[0] ?? ''))
  return { [principalHeader]: `${identity};${facts};${mac}` }
}
