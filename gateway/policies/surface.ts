// May the key be used over this protocol, HTTP or MCP?
import { Fault } from '#contract/faults/fault.ts'
import type { Surface } from '#contract/surface.ts'
import type { Key } from './key.ts'

export function checkSurface({ surfaces }: Key, surface: Surface): void {
  if (!surfaces.includes(surface)) throw new Fault('surface_not_allowed', `This key is not for ${surface}.`)
}
