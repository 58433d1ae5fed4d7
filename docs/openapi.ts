// The descriptions of the API and of the settings, and the collections of requests that are made of them, as files,
// which the gateway reads at its start and serves. `npm run openapi` writes them: `npm ci` and the Dockerfile run it.
// The two descriptions in JSON are committed, so that reviews see what a change of the contract means for callers;
// docs/check.ts refuses files that are out of date.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { eventCatalogue, operations, schemas, streams, tags, transfers } from '#contract/api.ts'
import { openApi } from '#contract/openapi/document.ts'
import { asOpenApi30 } from '#contract/openapi/version-3-0.ts'
import { brunoFiles } from '#contract/requests/bruno.ts'
import { httpFile } from '#contract/requests/http-file.ts'
import { postmanCollection } from '#contract/requests/postman.ts'
import { requestsIn } from '#contract/requests/requests.ts'
import { placeholderAddress } from '#contract/route-paths.ts'

const pathOf = (name: string): string => join(import.meta.dirname, name)
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Returns the text of each file by its path. */
export function descriptionFiles(): ReadonlyMap<string, string> {
  const contract = { operations, streams, transfers, events: eventCatalogue, schemas, tags }
  const api = openApi(contract)
  const requests = requestsIn(api)
  return new Map([
    [pathOf('openapi.json'), json(api)],
    [pathOf('openapi.yaml'), stringify(api, { lineWidth: 0, aliasDuplicateObjects: false })],
    [pathOf('openapi-settings.json'), json(openApi(contract, 'settings'))],
    [pathOf('openapi-3.0.json'), JSON.stringify(asOpenApi30({ ...api, servers: [{ url: placeholderAddress }] }))],
    [pathOf('postman.json'), JSON.stringify(postmanCollection(requests))],
    [pathOf('bruno.json'), JSON.stringify(brunoFiles(requests))],
    [pathOf('requests.http'), httpFile(requests)],
  ])
}

/** Whoever reads the file meanwhile, or after this process was killed, finds all of the old text or all of the new. */
function replaceFile(path: string, text: string): void {
  const partial = `${path}.partial`
  writeFileSync(partial, text)
  renameSync(partial, path)
}

if (import.meta.main) for (const [path, text] of descriptionFiles()) replaceFile(path, text)
