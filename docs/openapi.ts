// The copies of the descriptions that reviews read: what a change of the contract means for callers shows here.
// `node docs/openapi.ts` writes them; docs/check.ts refuses one that is out of date.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventCatalogue, operations, schemas } from '#contract/api.ts'
import { openApi } from '#contract/openapi/document.ts'
import type { Audience } from '#contract/operation.ts'

export const descriptionFiles: Readonly<Record<Audience, string>> = {
  api: join(import.meta.dirname, 'openapi.json'),
  settings: join(import.meta.dirname, 'openapi-settings.json'),
}
export const audiences = Object.keys(descriptionFiles) as Audience[]

export const description = (audience: Audience = 'api'): string =>
  `${JSON.stringify(openApi({ operations, events: eventCatalogue, schemas }, audience), null, 2)}\n`

if (import.meta.main) for (const each of audiences) writeFileSync(descriptionFiles[each], description(each))
