// The fields that the objects of all collections have in common.
import type { Actor } from '#contract/shared-fields.ts'

export type Resource = {
  readonly id: string
  readonly object: string
  readonly workspaceId: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdBy: Actor
  readonly updatedBy: Actor
  readonly deletedAt: string | null
  readonly externalSource: string | null
  readonly externalId: string | null
}

/** An object, an input or a row whose fields are known by name only. */
export type Fields = Readonly<Record<string, unknown>>
