// The descriptions of the API and of the settings. docs/openapi.ts has written them, when the packages were installed or
// the image was built.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#runtime/process.ts'
import { packed, type File } from './file.ts'

export type Descriptions = { readonly json: File; readonly yaml: File; readonly settings: File }

const docs = join(import.meta.dirname, '../../docs')

/** Throws a StartupError when a file is missing. */
export function readDescriptions(folder = docs): Descriptions {
  const read = (name: string): string => textOf(join(folder, name))
  return {
    json: packed(minified(read('openapi.json')), 'application/json'),
    yaml: packed(read('openapi.yaml'), 'application/yaml'),
    settings: packed(minified(read('openapi-settings.json')), 'application/json'),
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartupError(`The description ${path} cannot be read. Run "node docs/openapi.ts" first.`, { cause })
  }
}

const minified = (json: string): string => JSON.stringify(JSON.parse(json))
