import { Fault } from '#contract/faults/fault.ts'

/** `noun` is what callers call the object, such as `API key`. */
export const notFoundById = (noun: string): Fault => new Fault('not_found', `No ${noun} has this id.`)
