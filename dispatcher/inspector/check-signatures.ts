// Checks the signatures of a request as a receiver does: from its headers and body as they came and the secrets of the
// webhook alone, with what the product gives receivers for it.
import type { IncomingHttpHeaders } from 'node:http'
import { verifyWebhook } from '#clients/typescript/src/webhooks.ts'
import type { Signatures } from '#contract/inspector.ts'
import { standardHeaders } from '#contract/webhook-headers.ts'

type Arrived = {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly at: Date
  readonly secrets: readonly string[]
  readonly brand: string
}
type Check = Signatures['standard']

export async function checkSignatures(arrived: Arrived): Promise<Signatures> {
  const [standard, own] = [await check('standard', arrived), await check('own', arrived)]
  return { standard, own, ageSeconds: ageOf(arrived) }
}

async function check(scheme: 'standard' | 'own', { headers, body, at, secrets, brand }: Arrived): Promise<Check> {
  try {
    await verifyWebhook(body, headers, { secret: secrets, scheme, brand, now: () => at })
    return { isValid: true, problem: null }
  } catch (error) {
    return { isValid: false, problem: error instanceof Error ? error.message : String(error) }
  }
}

function ageOf({ headers, at }: Arrived): number | null {
  const signedAt = headers[standardHeaders.timestamp]
  if (typeof signedAt !== 'string' || !/^\d{1,12}$/.test(signedAt)) return null
  return Math.floor(at.getTime() / 1_000) - Number(signedAt)
}
