import { Fault } from '#contract/faults/fault.ts'

/** `what` is what the project holds, in the plural. */
export const projectArchived = (what: string): Fault =>
  new Fault('project_archived', `The project is archived: its ${what} can be read, not changed.`, {
    hint: 'Take the project out of the archive first.',
  })
