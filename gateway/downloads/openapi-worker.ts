// Builds the descriptions apart from the calls that the gateway serves meanwhile: they take a good part of a second.
import { parentPort } from 'node:worker_threads'
import { stringify } from 'yaml'
import { eventCatalogue, operations, schemas } from '#contract/api.ts'
import { openApi } from '#contract/openapi/document.ts'
import { packed } from './file.ts'

const contract = { operations, events: eventCatalogue, schemas }
const document = openApi(contract)

const json = packed(JSON.stringify(document), 'application/json')
const yaml = packed(stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }), 'application/yaml')
const settings = packed(JSON.stringify(openApi(contract, 'settings')), 'application/json')

parentPort?.postMessage({ json, yaml, settings }, [])
