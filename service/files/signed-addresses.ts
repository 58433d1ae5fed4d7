// Makes the addresses that stand in for a key. The gateway opens their signatures
// (contract/internal/signed-address.ts).
import type { KeyObject } from 'node:crypto'
import { Fault } from '#contract/faults/fault.ts'
import { addressContext, type SignedAddress } from '#contract/internal/signed-address.ts'
import { methodOf } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { signatureParameter, type Transfer } from '#contract/transfer.ts'
import { seal } from '#runtime/sealing-and-signing.ts'
import type { Call } from '../execution/call.ts'
import { newestSecret } from './rows.ts'

export type SignAddress = (
  transfer: Transfer,
  id: string,
  seconds: number,
  call: Call,
) => Promise<{ readonly url: string; readonly expiresAt: string }>

/** `publicUrl`: the address at which callers reach the gateways; null where it is not set. */
export const addressSigner =
  (key: KeyObject, publicUrl: string | null): SignAddress =>
  async ({ asked }, id, seconds, { db, principal, workspaceId }) => {
    const [secret] = await newestSecret(db, principal.id)
    if (secret === undefined) throw new Fault('not_found', 'The key is gone.')
    // Of the clock, not of the change: a workspace with many changes is ahead of it.
    const expiresAt = Date.now() + seconds * 1_000
    const path = pathFor(asked, 'api').replace('{id}', id)
    const sealed: SignedAddress = { keyHash: secret.hash, workspaceId, expiresAt }
    const signature = seal(key, JSON.stringify(sealed), addressContext(methodOf(asked), path)).toString('base64url')
    return {
      url: `${publicUrl ?? ''}${path}?${signatureParameter}=${signature}`,
      expiresAt: new Date(expiresAt).toISOString(),
    }
  }
