// The copy of the description that reviews read: what a change of the contract means for callers shows here.
// `node docs/openapi.ts` writes it; docs/check.ts refuses one that is out of date.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventCatalogue, operations, schemas } from '#contract/api.ts'
import { openApi } from '#contract/openapi.ts'

export const descriptionFile = join(import.meta.dirname, 'openapi.json')

export const description = (): string =>
  `${JSON.stringify(openApi({ operations, events: eventCatalogue, schemas }), null, 2)}\n`

if (import.meta.main) writeFileSync(descriptionFile, description())
