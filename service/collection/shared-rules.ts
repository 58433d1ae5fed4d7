// Rules that several collections share. Pure: they throw a Fault.
import { Fault } from '#contract/faults/fault.ts'
import { refuseField } from '../faults/field-refusals.ts'

/** What a purge leaves in the fields that most collections have. */
export const erasedFields = { description: null, labels: [], customFields: {}, externalSource: null, externalId: null }

type Dated = { readonly startDate: string | null; readonly dueDate: string | null }

export function assertDateOrder({ startDate, dueDate }: Dated): void {
  if (startDate !== null && dueDate !== null && dueDate < startDate) {
    refuseField('dueDate', 'too_small', 'Is before the start date.')
  }
}

type External = { readonly externalSource: string | null; readonly externalId: string | null }

export function assertExternalIdPair({ externalSource, externalId }: External): void {
  if ((externalSource === null) === (externalId === null)) return
  refuseField(externalSource === null ? 'externalSource' : 'externalId', 'required', 'Source and id go together.')
}

export function assertTransition<S extends string>(noun: string, from: S, to: S, allowed: readonly S[]): void {
  if (from === to || allowed.includes(to)) return
  throw new Fault('invalid_transition', `A ${noun} that is ${from} cannot become ${to}.`, { from, to, allowed })
}
