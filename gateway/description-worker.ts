// Builds the description apart from the calls that the gateway serves meanwhile: it takes a good part of a second.
import { parentPort } from 'node:worker_threads'
import { stringify } from 'yaml'
import { eventCatalogue, operations, schemas } from '#contract/api.ts'
import { openApi } from '#contract/openapi.ts'
import { packed } from './file.ts'

const document = openApi({ operations, events: eventCatalogue, schemas })

const json = packed(JSON.stringify(document), 'application/json')
const yaml = packed(stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }), 'application/yaml')

parentPort?.postMessage({ json, yaml }, [])
