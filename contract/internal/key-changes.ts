// How gateways learn that a key, or the policy of a workspace, has changed. They drop what they have cached of it and end
// the streams that are open with it, as they end those of a person whose session has ended or whose membership has changed.
import { Type, type Static } from 'typebox'
import { Id, closed } from '../shared-fields.ts'

/**
 * Published to all gateways when something that key records are made of has changed. Sessions and members are written down
 * by the database itself, whoever changes them, and found by polls.
 */
export const KeyChange = closed({
  kind: Type.Enum(['api-key', 'workspace', 'session', 'member']),
  id: Id,
  /** Which version of it the change made. Missing where a service before this one has made it. */
  version: Type.Optional(Type.Integer()),
})
export type KeyChange = Static<typeof KeyChange>

/** The latest changes, for gateways that poll: a published change can be lost. */
export const RecentKeyChanges = closed({
  changes: Type.Array(closed({ number: Type.String(), ...KeyChange.properties })),
  /** False: there were more, about any key, so that everything cached is void. */
  complete: Type.Boolean(),
})
export type RecentKeyChanges = Static<typeof RecentKeyChanges>

/** Name of the Redis channel. */
export const keyChangeChannel = (brand: string): string => `${brand}.key-changes`
