// Rules that several collections share. Pure.
import { Fault, type FieldCode } from '#contract/fault.ts'
import type { Origin } from './definition.ts'

/** What a new object of any collection begins with. */
export const baseFields = <O extends string>(object: O, { id, workspaceId, actor, now }: Origin) => ({
  id,
  object,
  workspaceId,
  version: 1,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
  createdBy: actor,
  updatedBy: actor,
  deletedAt: null,
})

/** What nobody has written anything in. */
export const erasedFields = { description: null, labels: [], customFields: {}, externalSource: null, externalId: null }

export function refuse(field: string, code: FieldCode, detail: string): never {
  throw new Fault('validation_failed', `${field}: ${detail}`, { errors: [{ pointer: `/${field}`, code, detail }] })
}

/** What the schema of a parameter cannot say. */
export function refuseParameter(parameter: string, code: FieldCode, detail: string): never {
  throw new Fault('invalid_parameter', `${parameter}: ${detail}`, { errors: [{ parameter, code, detail }] })
}

type Dated = { readonly startDate: string | null; readonly dueDate: string | null }

export function assertDateOrder({ startDate, dueDate }: Dated): void {
  if (startDate !== null && dueDate !== null && dueDate < startDate) {
    refuse('dueDate', 'too_small', 'Is before the start date.')
  }
}

type External = { readonly externalSource: string | null; readonly externalId: string | null }

export function assertExternalIdPair({ externalSource, externalId }: External): void {
  if ((externalSource === null) === (externalId === null)) return
  refuse(externalSource === null ? 'externalSource' : 'externalId', 'required', 'Source and id go together.')
}

export function assertTransition<S extends string>(noun: string, from: S, to: S, allowed: readonly S[]): void {
  if (from === to || allowed.includes(to)) return
  throw new Fault('invalid_transition', `A ${noun} that is ${from} cannot become ${to}.`, { from, to, allowed })
}
