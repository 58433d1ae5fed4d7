import { Fault } from '#contract/faults/fault.ts'

export const noMembership = (): Fault =>
  new Fault('no_membership', 'You are no member of any workspace here, and no group of yours makes you one.')
